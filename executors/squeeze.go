package executors

import "strconv"

// piece is a part of a first row that does not fit a page with all that is related to it: the row itself, or
// the first row of an included relation.
type piece struct {
	whole []byte
	long  bool // there is no whole
	short []byte
	names []string // of what is cut in short
	cut   bool     // short is taken
	gone  bool     // nothing is
}

func (p *piece) json() []byte {
	switch {
	case p.gone:
		return []byte("null")
	case p.cut:
		return p.short
	default:
		return p.whole
	}
}

func (p *piece) size() int {
	if p.long && !p.cut && !p.gone {
		return nowhere
	}
	return len(p.json())
}

// fit shortens the largest pieces until all of them take at most room bytes, and lets go of the largest but the
// first when that is not enough. It returns what is left.
func fit(pieces []*piece, room int) int {
	for {
		total := 0
		var most, last *piece
		for i, p := range pieces {
			if p == nil {
				continue
			}
			total += p.size()
			if !p.cut && !p.gone && p.short != nil && (most == nil || p.size() > most.size()) {
				most = p
			}
			if i > 0 && !p.gone && (last == nil || p.size() > last.size()) {
				last = p
			}
		}
		switch {
		case total <= room:
			return room - total
		case most != nil:
			most.cut = true
		case last != nil:
			last.gone = true
		default:
			return 0
		}
	}
}

// appendSqueezed writes the first row with what fits of its related rows, its longest values cut. The budget
// leaves room for the members without rows.
func (r *rows) appendSqueezed(dst, row []byte, budget int) []byte {
	pieces := []*piece{{whole: row, short: r.short, names: r.shortNames}}
	for _, inc := range r.included {
		inc.next = 0
		pieces = append(pieces, inc.first())
	}
	room := fit(pieces, budget-len(dst))
	if pieces[0].cut {
		r.cut = r.shortNames
	}
	dst = openEmbedded(dst, pieces[0].json())
	for i, inc := range r.included {
		if i > 0 {
			dst = append(dst, ',')
		}
		p := pieces[i+1]
		dst, room = inc.appendFirst(append(appendName(dst, inc.of.Name), ':'), p, room)
		switch {
		case p != nil && p.cut && !p.gone:
			var names []string
			names, room = inc.cutNames(p.names, room)
			r.cut = append(r.cut, names...)
		case p != nil && p.gone && inc.of.toOne():
			r.cut = append(r.cut, inc.of.Name)
		}
	}
	return append(dst, "}}"...)
}

// cutNames says what is cut of an embedded row: the names, if there is room for them, or else the relation's.
func (inc *inclusion) cutNames(names []string, room int) (told []string, rest int) {
	size := 0
	for _, name := range names {
		size += len(appendName(nil, name)) + 1
	}
	if size > room {
		return []string{inc.of.Name}, room
	}
	return names, room - size
}

// first is the first related row of the first row, if there is one.
func (inc *inclusion) first() *piece {
	if len(inc.rows) == 0 || inc.rows[0].parent != 0 {
		return nil
	}
	e := inc.rows[0]
	return &piece{whole: inc.json(0), long: e.long, short: e.short, names: e.names}
}

// appendFirst writes the value of the member of the first row: its first related row as the piece has it, and as
// many more as take at most room bytes.
func (inc *inclusion) appendFirst(dst []byte, p *piece, room int) (out []byte, rest int) {
	if inc.of.toOne() {
		if p == nil {
			return append(dst, "null"...), room
		}
		return append(dst, p.json()...), room
	}
	dst = append(dst, `{"rows":[`...)
	more := p != nil && p.gone
	if p != nil && !p.gone {
		dst = append(dst, p.json()...)
		more = inc.rows[0].over
		for i := 1; i < len(inc.rows) && inc.rows[i].parent == 0; i++ {
			row := inc.json(i)
			if more = inc.rows[i].long || len(row)+1 > room; more {
				break
			}
			dst = append(append(dst, ','), row...)
			room -= len(row) + 1
			more = inc.rows[i].over
		}
	}
	return append(strconv.AppendBool(append(dst, `],"has_more":`...), more), '}'), room
}
