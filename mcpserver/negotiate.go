package mcpserver

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

const (
	mediaJSON   = "application/json"
	mediaStream = "text/event-stream"
)

// checkForm looks at what can be judged before anybody is authenticated or a byte of the body is read.
func (f *front) checkForm(r *http.Request) *fault {
	switch {
	case r.Method != http.MethodPost:
		// GET would open a stream and DELETE end a session: there are neither.
		return refusal(http.StatusMethodNotAllowed, "", "send requests with POST: this server keeps no sessions and no streams").
			with("Allow", http.MethodPost)
	case r.ContentLength > f.opts.MaxBody:
		return f.tooLarge()
	case r.Header.Get("Content-Encoding") != "" && !strings.EqualFold(r.Header.Get("Content-Encoding"), "identity"):
		return refusal(http.StatusUnsupportedMediaType, "", "send the body without Content-Encoding").with("Accept-Encoding", "identity")
	case !isJSON(r.Header.Values("Content-Type")):
		return refusal(http.StatusUnsupportedMediaType, "", "send the body as Content-Type: application/json in UTF-8")
	case !accepts(r.Header.Values("Accept"), mediaJSON):
		return notAcceptable(mediaJSON)
	}
	return nil
}

func (f *front) tooLarge() *fault {
	return refusal(http.StatusRequestEntityTooLarge, resource.LimitExceeded,
		"the body is larger than "+strconv.FormatInt(f.opts.MaxBody, 10)+" bytes: send a smaller request").with("Connection", "close")
}

func notAcceptable(media string) *fault {
	return refusal(http.StatusNotAcceptable, "", "answers are "+media+": name it in Accept, or send no Accept")
}

func isJSON(contentType []string) bool {
	if len(contentType) != 1 {
		return false
	}
	if contentType[0] == mediaJSON {
		return true
	}
	media, params, err := mime.ParseMediaType(contentType[0])
	charset, given := params["charset"]
	return err == nil && media == mediaJSON && (!given || strings.EqualFold(charset, "utf-8"))
}

// accepts reports whether the Accept headers allow the media type (RFC 9110, section 12.5.1): the most
// specific range decides, and a quality of 0 refuses. No header allows everything.
func accepts(values []string, media string) bool {
	if len(values) == 0 {
		return true
	}
	family, _, _ := strings.Cut(media, "/")
	best, ok := 0, false
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, params, _ := strings.Cut(item, ";")
		specific := 0
		switch strings.ToLower(strings.TrimSpace(name)) {
		case media:
			specific = 3
		case family + "/*":
			specific = 2
		case "*/*":
			specific = 1
		}
		if specific > best {
			best, ok = specific, positive(params)
		}
	}
	return ok
}

// positive reports whether the parameters of a media range leave it a quality above 0.
func positive(params string) bool {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		return err != nil || q > 0
	}
	return true
}
