package descriptor

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// secretWords make a column look like a secret wherever they stand in its name.
var secretWords = map[string]bool{
	"password": true, "passwords": true, "passwd": true, "passphrase": true, "passcode": true, "pwd": true, "pw": true,
	"secret": true, "secrets": true, "token": true, "tokens": true, "credential": true, "credentials": true,
	"apikey": true, "apikeys": true, "privatekey": true, "secretkey": true, "accesskey": true, "pwhash": true,
	"otp": true, "totp": true, "hotp": true, "mfa": true, "tfa": true, "2fa": true, "jwt": true, "bearer": true, "cookie": true,
	"encrypted": true, "ciphertext": true, "salt": true, "pin": true,
	"ssn": true, "cvv": true, "cvc": true, "pan": true, "iban": true,
}

// secretPairs do when they stand side by side.
var secretPairs = map[string]bool{
	"api key": true, "api keys": true, "private key": true, "secret key": true, "access key": true, "signing key": true,
	"encryption key": true, "auth key": true, "ssh key": true, "master key": true, "session key": true, "license key": true,
	"recovery key": true, "recovery code": true, "recovery codes": true, "backup code": true, "backup codes": true,
	"reset code": true, "security code": true, "security answer": true, "session id": true,
	"credit card": true, "debit card": true, "card number": true, "cc number": true, "bank account": true, "routing number": true,
	"social security": true, "national id": true, "passport number": true,
}

// secretAlone do when they are the whole name: often the hash of a password.
var secretAlone = map[string]bool{"hash": true, "digest": true, "pass": true, "crypt": true}

// aboutSecrets end the names of columns that tell something about a secret, and not the secret.
var aboutSecrets = map[string]bool{
	"at": true, "on": true, "by": true, "count": true, "attempts": true, "enabled": true, "required": true, "type": true,
	"kind": true, "status": true, "state": true, "expires": true, "expiry": true, "expiration": true, "version": true,
	"length": true, "policy": true, "provider": true, "name": true, "used": true, "limit": true,
}

// secret reports whether a column looks like one that no agent should read. It goes by the words of the
// name and by what the type can hold; whoever reads the draft knows better.
func (p *part) secret(c executors.Column) bool {
	if c.Type.Kind == resource.Boolean || moment(c.Type) {
		return false
	}
	w := words(c.Name)
	if len(w) == 0 || aboutSecrets[w[len(w)-1]] {
		return false
	}
	if last := w[len(w)-1]; (last == "id" || last == "ids") && p.refers(c.Name) {
		return false
	}
	return secretName(w, numeric(c.Type))
}

// refers reports whether a column is part of a foreign key.
func (p *part) refers(column string) bool {
	return slices.ContainsFunc(p.ForeignKeys, func(k executors.ForeignKey) bool { return slices.Contains(k.Columns, column) })
}

func secretName(w []string, number bool) bool {
	if len(w) == 1 && secretAlone[w[0]] {
		return true
	}
	for i, word := range w {
		switch {
		case word == "tokens" && number: // how many of them
		case secretWords[word], secretWords[strings.TrimRight(word, "0123456789")]:
			return true
		case i > 0 && secretPairs[w[i-1]+" "+word]:
			return true
		case compound(word):
			return true
		}
	}
	return false
}

// compound finds the words that are written in one piece, such as accesstoken.
func compound(word string) bool {
	for _, end := range []string{"password", "passwd", "secret", "token", "apikey"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return strings.HasPrefix(word, "password")
}

func moment(t resource.Type) bool {
	return t.Kind == resource.Date || t.Kind == resource.Timestamp || t.Kind == resource.TimestampTZ
}

func numeric(t resource.Type) bool {
	return slices.Contains([]resource.Kind{
		resource.SmallInt, resource.Integer, resource.BigInt, resource.Numeric, resource.Real, resource.Double,
	}, t.Kind)
}

// words splits a name at what is no letter or digit, and where capitals begin a word: apiKey and APIKey are
// api and key.
func words(name string) (out []string) {
	runes := []rune(name)
	begin := 0
	cut := func(end int) {
		if end > begin {
			out = append(out, strings.ToLower(string(runes[begin:end])))
		}
		begin = end
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			begin = i + 1
		case i > begin && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			cut(i)
		}
	}
	cut(len(runes))
	return out
}
