package isolationtest

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/tenantry/tenantry/registry"
)

// Oracle finds values of other tenants in a reply, by their marks. It is immutable and safe for concurrent
// use.
type Oracle struct {
	known  map[string]bool   // the resources
	own    map[member]bool   // what shows the row's own foreign keys, which may name any row
	target map[member]string // what a relation embeds
}

// member is a name in the rows of a resource.
type member struct{ resource, name string }

// NewOracle returns an oracle that knows which members of the registry's resources are foreign keys. A row
// that points at another tenant's row shows that key: it is the row's own value.
func NewOracle(reg *registry.Registry) *Oracle {
	o := &Oracle{known: map[string]bool{}, own: map[member]bool{}, target: map[member]string{}}
	for _, res := range reg.All() {
		o.known[res.Name()] = true
		for _, rel := range res.Relations() {
			o.target[member{res.Name(), rel.Name}] = rel.Target
			if !rel.Linked() {
				continue
			}
			o.own[member{res.Name(), rel.Name}] = true
			for _, f := range res.Fields() {
				if slices.Contains(rel.LocalColumns(), f.Column) {
					o.own[member{res.Name(), f.Name}] = true
				}
			}
		}
	}
	return o
}

// shows reports whether the member of a row or of a group is a foreign key of the row's own, also one that is measured:
// max:customer_id.
func (o *Oracle) shows(resource, name string) bool {
	_, field, _ := strings.Cut(name, ":")
	return o.own[member{resource, name}] || o.own[member{resource, field}]
}

var (
	textMark   = regexp.MustCompile(`(?i)mark~(\d{3})~`)
	uuidMark   = regexp.MustCompile(`(?i)7e7a0(\d{3})-0000-4000-8000`)
	numberMark = regexp.MustCompile(`^7(\d{3})\d{6}$`) // of a word, since marks may stand side by side
	word       = regexp.MustCompile(`[0-9A-Za-z]+`)
	timeMark   = regexp.MustCompile(`\.(\d{3})777(?:\D|$)`)

	encoded64  = regexp.MustCompile(`[A-Za-z0-9+/_-]{16,}`)
	encodedHex = regexp.MustCompile(`(?i)(?:[0-9a-f]{2}){12,}`)
)

// Foreign returns the first mark in the reply that is neither of the given ones nor nobody's, as its text
// ("mark~002~"), or "". The reply is a JSON document, whole or cut, or any other text, which is also read
// with base64, hexadecimal digits and percent signs decoded. Sent is the request: what it holds may be
// repeated by an error, and by nothing else.
func (o *Oracle) Foreign(reply, sent []byte, own ...Mark) string {
	s := search{oracle: o, sent: sent, own: own}
	s.everywhere(reply)
	if s.found == "" {
		s.document(reply, "", s.excused(reply))
	}
	return s.found
}

// search is one reply being looked through.
type search struct {
	oracle *Oracle
	sent   []byte
	own    []Mark
	found  string
}

func (s *search) match(text []byte, pattern *regexp.Regexp, excused bool) {
	for _, m := range pattern.FindAllSubmatch(text, -1) {
		mark := digits(string(m[1]))
		if s.found != "" || mark.n == 0 || s.mine(mark) {
			continue
		}
		if whole := bytes.Trim(m[0], `"[]{}:, `); excused && bytes.Contains(s.sent, whole) {
			continue
		}
		s.found = mark.Text("")
	}
}

func (s *search) mine(mark Mark) bool {
	return slices.Contains(s.own, mark)
}

// excused reports whether the reply is an error, which may repeat what was sent.
func (s *search) excused(reply []byte) bool {
	return bytes.Contains(reply, []byte(`"error":{"code"`)) || bytes.Contains(reply, []byte(`"error":{"message"`))
}

// everywhere looks for marks that stand for themselves in any text, encoded or not.
func (s *search) everywhere(reply []byte) {
	excused := s.excused(reply)
	s.match(reply, textMark, excused)
	if bytes.IndexByte(reply, '%') >= 0 {
		s.match(percent(reply), textMark, excused)
	}
	for _, run := range encoded64.FindAll(reply, -1) {
		for from := range 4 {
			s.match(decode64(run[from:]), textMark, false)
		}
	}
	for _, run := range encodedHex.FindAll(reply, -1) {
		plain := make([]byte, len(run)/2)
		n, _ := hex.Decode(plain, run) // what could be decoded counts
		s.match(plain[:n], textMark, false)
	}
}

func decode64(run []byte) []byte {
	run = run[:len(run)-len(run)%4]
	plain := make([]byte, len(run))
	enc := base64.RawURLEncoding
	if bytes.ContainsAny(run, "+/") {
		enc = base64.RawStdEncoding
	}
	n, _ := enc.Decode(plain, run) // what could be decoded counts
	return plain[:n]
}

func percent(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if b, err := hex.DecodeString(string(text[i+1 : i+3])); err == nil {
				out = append(out, b...)
				i += 2
				continue
			}
		}
		out = append(out, text[i])
	}
	return out
}

// document looks at the values of a JSON document, which are those of a resource once a member has named it.
func (s *search) document(text []byte, resource string, excused bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		s.value(string(text), excused)
		return
	}
	if _, err := dec.Token(); err != io.EOF {
		s.value(string(text), excused)
		return
	}
	s.walk(v, resource, excused)
}

func (s *search) walk(v any, resource string, excused bool) {
	switch v := v.(type) {
	case map[string]any:
		s.object(v, resource, excused)
	case []any:
		for _, inner := range v {
			s.walk(inner, resource, excused)
		}
	case string:
		if len(v) > 0 && v[0] == '{' {
			s.document([]byte(v), resource, excused)
			return
		}
		s.value(v, excused)
	case json.Number:
		s.value(v.String(), excused)
	}
}

func (s *search) object(object map[string]any, resource string, excused bool) {
	if name, ok := object["resource"].(string); ok && resource == "" && s.oracle.known[name] {
		resource = name
	}
	for name, inner := range object {
		embedded, ok := inner.(map[string]any)
		switch {
		case name == "included" && ok && resource != "":
			for relation, rows := range embedded {
				s.walk(rows, s.oracle.target[member{resource, relation}], excused)
			}
		case s.oracle.shows(resource, name), name == "next_cursor": // a cursor is sealed: its letters mean nothing
		default:
			s.walk(inner, resource, excused || name == "error" || name == "errors")
		}
	}
}

func (s *search) value(text string, excused bool) {
	for _, pattern := range []*regexp.Regexp{uuidMark, timeMark} {
		s.match([]byte(text), pattern, excused)
	}
	for _, w := range word.FindAll([]byte(text), -1) {
		s.match(w, numberMark, excused)
	}
}
