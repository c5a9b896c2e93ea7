package mcpserver

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

// sealer seals what a client keeps for us between two rounds of a call, with AES-256-GCM under the first
// key of a ring, and opens what any key of the ring sealed. Keys are derived by HKDF (RFC 5869) for this
// use alone, so that the secrets may be those of the cursors.
type sealer struct{ ring []ringKey }

type ringKey struct {
	id   byte
	aead cipher.AEAD
}

const (
	sealVersion   = 1
	minSecretSize = 16
	maxSealed     = 64 << 10 // bytes of text that are opened, and sealed, at all
)

func newSealer(secrets [][]byte) (*sealer, error) {
	if len(secrets) == 0 {
		random := make([]byte, sha256.Size)
		_, _ = rand.Read(random) // never fails
		secrets = [][]byte{random}
	}
	s := &sealer{}
	var errs []error
	for i, secret := range secrets {
		if len(secret) < minSecretSize {
			errs = append(errs, fmt.Errorf("mcpserver: StateKeys: key %d has %d bytes; use %d or more random ones", i+1, len(secret), minSecretSize))
			continue
		}
		key, err := newRingKey(secret)
		errs = append(errs, err)
		s.ring = append(s.ring, key)
	}
	return s, errors.Join(errs...)
}

func newRingKey(secret []byte) (ringKey, error) {
	derived, err := hkdf.Key(sha256.New, secret, nil, "tenantry request state", sha256.Size+1)
	if err != nil {
		return ringKey{}, err
	}
	block, err := aes.NewCipher(derived[:sha256.Size])
	if err != nil {
		return ringKey{}, err
	}
	aead, err := cipher.NewGCM(block)
	return ringKey{derived[sha256.Size], aead}, err
}

// sealedData is the additional data with what stands before the nonce.
func sealedData(id byte, additional []byte) []byte {
	return append([]byte{sealVersion, id}, additional...)
}

var errSeal = errors.New("mcpserver: the sealed text is too long, or does not open")

// seal returns plain as URL-safe text that opens only with the same additional data.
func (s *sealer) seal(plain, additional []byte) (string, error) {
	k := s.ring[0]
	size := 2 + k.aead.NonceSize()
	if base64.RawURLEncoding.EncodedLen(size+len(plain)+k.aead.Overhead()) > maxSealed {
		return "", errSeal
	}
	out := make([]byte, size, size+len(plain)+k.aead.Overhead())
	out[0], out[1] = sealVersion, k.id
	_, _ = rand.Read(out[2:])
	out = k.aead.Seal(out, out[2:], plain, sealedData(k.id, additional))
	return base64.RawURLEncoding.EncodeToString(out), nil
}

func (s *sealer) open(text string, additional []byte) ([]byte, error) {
	if len(text) > maxSealed || strings.ContainsAny(text, "\r\n") { // which the decoder would skip
		return nil, errSeal
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) < 2 || raw[0] != sealVersion {
		return nil, errSeal
	}
	for _, k := range s.ring {
		size := 2 + k.aead.NonceSize()
		if k.id != raw[1] || len(raw) < size {
			continue
		}
		if plain, err := k.aead.Open(nil, raw[2:size], raw[size:], sealedData(k.id, additional)); err == nil {
			return plain, nil
		}
	}
	return nil, errSeal
}
