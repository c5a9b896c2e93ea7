package mcpserver

import (
	"bytes"
	"net/http"
	"sync"
)

// A stream is the answer of one POST as server-sent events. It is opened by the first event, so that a call
// that tells of no progress is answered in plain JSON.
type stream struct {
	w http.ResponseWriter

	mu     sync.Mutex
	opened bool
	ended  bool
}

// send writes a message as an event, unless the answer is out.
func (s *stream) send(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.write(data)
	}
}

// end lets no event follow, and writes the answer if any event was before it. It reports whether it did.
func (s *stream) end(answer func() []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.opened {
		s.write(answer())
	}
	return s.opened
}

func (s *stream) write(data []byte) {
	if !s.opened {
		h := s.w.Header()
		h.Set("Content-Type", mediaStream)
		h.Set("X-Accel-Buffering", "no") // a proxy would keep the events until the end
		s.w.WriteHeader(http.StatusOK)
		s.opened = true
	}
	_, _ = s.w.Write(appendEvent(nil, data)) // the client is gone when this fails
	_ = http.NewResponseController(s.w).Flush()
}

// appendEvent appends a message as an event. Line breaks stand between the tokens of JSON only, and there a
// blank does as well.
func appendEvent(dst, data []byte) []byte {
	dst = append(dst, "event: message\ndata: "...)
	if bytes.ContainsAny(data, "\r\n") {
		data = bytes.Map(func(r rune) rune {
			if r == '\r' || r == '\n' {
				return ' '
			}
			return r
		}, data)
	}
	return append(append(dst, data...), "\n\n"...)
}
