package auth

// Decision is the answer to "may this caller use this thing?".
type Decision string

// The decisions. Hide is the answer to every doubt: what is hidden behaves as if it did not exist.
// StepUp is reserved for things whose existence is public: the caller is told which scope to ask for.
const (
	Allow  Decision = "allow"
	Hide   Decision = "hide"
	StepUp Decision = "step_up"
)

// Decide says whether the principal may use something that requires all of the given permission
// scopes. Empty requirements are met by any authenticated caller; a nil principal is refused everything.
func Decide(p *Principal, requires ...string) Decision {
	if p == nil {
		return Hide
	}
	for _, r := range requires {
		if r != "" && !p.Has(r) {
			return Hide
		}
	}
	return Allow
}
