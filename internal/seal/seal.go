// Package seal keeps for us what clients carry from one call to the next: sealed with AES-256-GCM, bound to
// what it may be used with, and readable by nobody else.
//
//	ring, err := seal.New("tenantry cursor", secrets)
//	text := ring.Append(nil, plain, additional) // additional begins with seal.HeadRoom bytes of anybody's
//	plain, err = ring.Open(string(text), additional)
package seal

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

// Ring seals under its first key, and opens what any of its keys sealed. It is immutable and safe for
// concurrent use; additional data is not, since its head is written to.
type Ring struct{ keys []key }

type key struct {
	id   byte
	aead cipher.AEAD
}

const (
	version       = 1
	minSecretSize = 16

	// HeadRoom is what additional data leaves free at its beginning, for what stands before the nonce.
	HeadRoom = 2

	// Max bounds the text that is opened at all, in bytes.
	Max = 64 << 10
)

// ErrSeal is what Open answers, whatever is wrong.
var ErrSeal = errors.New("seal: the text does not open")

// New derives keys from secrets, newest first, by HKDF (RFC 5869). The label tells uses apart, so that one
// secret may serve several. Without a secret there is a random key that lives as long as the Ring. A secret
// of fewer than 16 bytes is an error; all of them are named by their position.
func New(label string, secrets [][]byte) (*Ring, error) {
	if len(secrets) == 0 {
		random := make([]byte, sha256.Size)
		_, _ = rand.Read(random) // never fails; see crypto/rand
		secrets = [][]byte{random}
	}
	r := &Ring{}
	var errs []error
	for i, secret := range secrets {
		if len(secret) < minSecretSize {
			errs = append(errs, fmt.Errorf("key %d has %d bytes; use %d or more random ones", i+1, len(secret), minSecretSize))
			continue
		}
		k, err := newKey(label, secret)
		errs = append(errs, err)
		r.keys = append(r.keys, k)
	}
	return r, errors.Join(errs...)
}

func newKey(label string, secret []byte) (key, error) {
	derived, err := hkdf.Key(sha256.New, secret, nil, label, sha256.Size+1)
	if err != nil {
		return key{}, err
	}
	block, err := aes.NewCipher(derived[:sha256.Size])
	if err != nil {
		return key{}, err
	}
	aead, err := cipher.NewGCM(block)
	return key{derived[sha256.Size], aead}, err
}

// head writes what stands before the nonce into additional data, which is bound to it too.
func (k key) head(additional []byte) []byte {
	additional[0], additional[1] = version, k.id
	return additional
}

// Size returns how long the text of n bytes is.
func (r *Ring) Size(n int) int {
	k := r.keys[0].aead
	return base64.RawURLEncoding.EncodedLen(HeadRoom + k.NonceSize() + n + k.Overhead())
}

// Append appends plain as URL-safe text that opens only with the same additional data.
func (r *Ring) Append(dst, plain, additional []byte) []byte {
	k := r.keys[0]
	out := make([]byte, HeadRoom+k.aead.NonceSize(), HeadRoom+k.aead.NonceSize()+len(plain)+k.aead.Overhead())
	nonce := out[copy(out, k.head(additional)[:HeadRoom]):]
	_, _ = rand.Read(nonce)
	return base64.RawURLEncoding.AppendEncode(dst, k.aead.Seal(out, nonce, plain, additional))
}

// Open returns what was sealed, or ErrSeal.
func (r *Ring) Open(text string, additional []byte) ([]byte, error) {
	if len(text) > Max || strings.ContainsAny(text, "\r\n") { // which the decoder would skip
		return nil, ErrSeal
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) < HeadRoom || raw[0] != version {
		return nil, ErrSeal
	}
	for _, k := range r.keys {
		if k.id != raw[1] || len(raw) < HeadRoom+k.aead.NonceSize() {
			continue
		}
		nonce, body := raw[HeadRoom:HeadRoom+k.aead.NonceSize()], raw[HeadRoom+k.aead.NonceSize():]
		if plain, err := k.aead.Open(nil, nonce, body, k.head(additional)); err == nil {
			return plain, nil
		}
	}
	return nil, ErrSeal
}
