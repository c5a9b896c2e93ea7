package filtering

import "github.com/tenantry/tenantry/resource"

// place is a JSON Pointer into the arguments, written out only when there is a mistake to report. Nil
// is the filter itself.
type place struct {
	up    *place
	token string
}

func (p *place) below(token string) *place { return &place{p, token} }

// String returns the pointer.
func (p *place) String() string {
	if p == nil {
		return "/filter"
	}
	return resource.Pointer(p.up.String(), p.token)
}
