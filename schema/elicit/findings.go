package elicit

import (
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/internal/words"
)

// maxErrors bounds how many mistakes are listed.
const maxErrors = 32

// findings gathers mistakes and knows the place that is being looked at.
type findings struct {
	path []string
	errs schema.Errors
}

func (f *findings) enter(key string)  { f.path = append(f.path, key) }
func (f *findings) enterAt(index int) { f.enter(strconv.Itoa(index)) }
func (f *findings) leave()            { f.path = f.path[:len(f.path)-1] }

// fail notes a mistake at the current place.
func (f *findings) fail(code schema.Code, keyword string, limit any, msg string) {
	switch {
	case len(f.errs) < maxErrors:
		f.errs = append(f.errs, schema.FieldError{Path: f.pointer(), Code: code, Keyword: keyword, Limit: limit, Msg: msg})
	case !f.full():
		f.errs = append(f.errs, schema.FieldError{Code: schema.Truncated, Msg: "there are more mistakes than these: correct them and send it again"})
	}
}

// failAt notes a mistake at a member of the current place.
func (f *findings) failAt(key string, code schema.Code, keyword string, limit any, msg string) {
	f.enter(key)
	f.fail(code, keyword, limit, msg)
	f.leave()
}

// full reports whether no further mistake would be listed.
func (f *findings) full() bool { return len(f.errs) > maxErrors }

func (f *findings) err() error {
	if len(f.errs) == 0 {
		return nil
	}
	return f.errs
}

// pointer returns the current place as a JSON Pointer (RFC 6901).
func (f *findings) pointer() string {
	var b strings.Builder
	for _, key := range f.path {
		b.WriteByte('/')
		b.WriteString(words.Escape(words.Clip(key)))
	}
	return b.String()
}
