package executors

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// sealer seals what a client keeps for us with AES-256-GCM, under the first key of a ring, and opens
// what any key of the ring sealed. Keys are derived from the configured secrets by HKDF (RFC 5869).
type sealer struct{ ring []ringKey }

type ringKey struct {
	id   byte
	aead cipher.AEAD
}

const (
	sealVersion   = 1
	minSecretSize = 16
)

func newSealer(secrets [][]byte) (*sealer, error) {
	if len(secrets) == 0 {
		random := make([]byte, sha256.Size)
		_, _ = rand.Read(random) // never fails; see crypto/rand
		secrets = [][]byte{random}
	}
	s := &sealer{}
	for i, secret := range secrets {
		if len(secret) < minSecretSize {
			return nil, fmt.Errorf("executors: cursor key %d has %d bytes; use %d or more random ones", i+1, len(secret), minSecretSize)
		}
		derived, err := hkdf.Key(sha256.New, secret, nil, "tenantry cursor", sha256.Size+1)
		if err != nil {
			return nil, err
		}
		block, err := aes.NewCipher(derived[:sha256.Size])
		if err != nil {
			return nil, err
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, err
		}
		s.ring = append(s.ring, ringKey{derived[sha256.Size], aead})
	}
	return s, nil
}

// headRoom is what additional data leaves free at its beginning, for what stands before the nonce.
const headRoom = 2

// head writes what stands before the nonce into additional data, which is bound to it too.
func (k ringKey) head(additional []byte) []byte {
	additional[0], additional[1] = sealVersion, k.id
	return additional
}

// appendSealed appends plain as URL-safe text that opens only with the same additional data.
func (s *sealer) appendSealed(dst, plain, additional []byte) []byte {
	k := s.ring[0]
	out := make([]byte, headRoom+k.aead.NonceSize(), headRoom+k.aead.NonceSize()+len(plain)+k.aead.Overhead())
	nonce := out[copy(out, k.head(additional)[:headRoom]):]
	_, _ = rand.Read(nonce)
	return base64.RawURLEncoding.AppendEncode(dst, k.aead.Seal(out, nonce, plain, additional))
}

var errSeal = errors.New("executors: the sealed text does not open")

// maxSealed bounds what is decoded at all.
const maxSealed = 64 << 10

func (s *sealer) open(text string, additional []byte) ([]byte, error) {
	if len(text) > maxSealed || strings.ContainsAny(text, "\r\n") { // which the decoder would skip
		return nil, errSeal
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) < headRoom || raw[0] != sealVersion {
		return nil, errSeal
	}
	for _, k := range s.ring {
		if k.id != raw[1] || len(raw) < headRoom+k.aead.NonceSize() {
			continue
		}
		nonce, body := raw[headRoom:headRoom+k.aead.NonceSize()], raw[headRoom+k.aead.NonceSize():]
		if plain, err := k.aead.Open(nil, nonce, body, k.head(additional)); err == nil {
			return plain, nil
		}
	}
	return nil, errSeal
}
