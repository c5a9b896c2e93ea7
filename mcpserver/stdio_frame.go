package mcpserver

import (
	"bufio"
	"errors"
	"io"
)

// maxFrame bounds one line on stdio.
const maxFrame = 4 << 20

// frame is one line, or the end of the lines.
type frame struct {
	line    []byte
	tooLong bool
	err     error
}

// scan reads lines until the stream ends. It is not stopped by Close: a blocked read of a terminal cannot
// be.
func (l *lines) scan(in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		f := readFrame(r)
		select {
		case l.incoming <- f:
		case <-l.closed:
			return
		}
		if f.err != nil {
			return
		}
	}
}

// readFrame reads one line. Of one that is too long the rest is skipped, so that the next can be read.
func readFrame(r *bufio.Reader) frame {
	var f frame
	for {
		part, err := r.ReadSlice('\n')
		if f.tooLong = f.tooLong || len(f.line)+len(part) > maxFrame; !f.tooLong {
			f.line = append(f.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(f.line) == 0 && !f.tooLong:
			f.err = err
		}
		return f
	}
}
