package schema

// Decision is what one caller is allowed, as a snapshot: the same one serves the schema, the decoding, the
// handler and the answer. The zero Decision denies everything. It is immutable.
type Decision struct {
	allowed  map[Gate]bool
	failures []GateFailure
}

// GateFailure is a gate whose predicate did not answer. It is denied.
type GateFailure struct {
	Gate Gate
	Err  error
}

// Allows reports whether the gate was asked and allowed.
func (d Decision) Allows(g Gate) bool { return d.allowed[g] }

// Failures returns the gates that failed, for logs: in the order in which they were asked.
func (d Decision) Failures() []GateFailure { return append([]GateFailure(nil), d.failures...) }

// asked reports whether the gate has an answer already.
func (d Decision) asked(g Gate) bool {
	_, ok := d.allowed[g]
	return ok
}

// AllowGates returns a decision that allows just the given gates, for tests of a plan and for callers that
// decide in other ways.
func AllowGates(gs ...Gate) Decision {
	d := Decision{allowed: make(map[Gate]bool, len(gs))}
	for _, g := range gs {
		d.allowed[g] = true
	}
	return d
}
