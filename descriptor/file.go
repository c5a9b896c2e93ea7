package descriptor

import "strings"

// The bounds of the limits a file may set. A page of more bytes or a longer statement is a mistake of
// units more often than a wish.
const (
	maxRows      = 500
	minPageBytes = 1 << 10
	maxPageBytes = 16 << 20
	minCursorKey = 16
)

// file reads the root of a file.
func (r *reader) file(p place) *File {
	root := p.object("database", "require_rls", "server", "auth", "cursor_keys", "defaults", "limits", "resources")
	f := &File{Name: r.name}
	f.Database = database(root.get("database"))
	if rls, ok := root.get("require_rls").boolean(); ok {
		f.RequireRLS = &rls
	}
	f.Server, r.listen = server(root.get("server"))
	f.Auth = r.auth(root.get("auth"))
	f.CursorKeys = cursorKeys(root.get("cursor_keys"))
	defaults := root.get("defaults").object("requires")
	f.Defaults.Requires = defaults.get("requires").str()
	f.Limits = limits(root.get("limits"))
	f.specs, f.globals = resources(root.need("resources", "the tables to serve, by name"))
	r.together(root, f)
	return f
}

// database reads the URL. It often holds a password, so that no message shows any of it.
func database(p place) Secret {
	s, ok := p.filled()
	if !ok {
		return ""
	}
	for _, scheme := range []string{"postgres://", "postgresql://", "sqlite:"} {
		if strings.HasPrefix(s, scheme) && len(s) > len(scheme) {
			return Secret(s)
		}
	}
	p.fail("write postgres://USER@HOST/NAME, sqlite:FILE or sqlite::memory:")
	return ""
}

func cursorKeys(p place) []Secret {
	if !p.present() {
		return nil
	}
	var keys []Secret
	lines := map[string]int{}
	for _, item := range p.items() {
		s, ok := item.text()
		switch {
		case !ok:
		case len(s) < minCursorKey:
			item.fail("a key has at least %d bytes: make one with openssl rand -base64 32", minCursorKey)
		case lines[s] > 0:
			item.fail("the same key as on line %d", lines[s])
		default:
			lines[s] = item.line
			keys = append(keys, Secret(s))
		}
	}
	if p.empty() {
		p.fail("is an empty list: write a key, or leave cursor_keys out for a random one")
	}
	return keys
}

func limits(p place) Limits {
	o := p.object("default", "max", "page_bytes", "statement_timeout")
	l := Limits{StatementTimeout: o.get("statement_timeout").duration()}
	l.Default, l.Max = rows(o)
	bytes := o.get("page_bytes")
	l.PageBytes = bytes.positive(maxPageBytes)
	if l.PageBytes > 0 && l.PageBytes < minPageBytes {
		bytes.fail("a page has at least %d bytes", minPageBytes)
	}
	return l
}

// rows reads the two limits that a file and a resource share.
func rows(o object) (def, maximum int) {
	def, maximum = o.get("default").positive(maxRows), o.get("max").positive(maxRows)
	if maximum > 0 && def > maximum {
		o.get("default").fail("the default of %d rows is above the maximum of %d", def, maximum)
	}
	return def, maximum
}
