package match

// Budget is what the patterns of one document may still cost. The zero value has all of MaxSteps. It is not
// safe for concurrent use.
type Budget struct {
	spent int64
}

// NewBudget returns a budget of so many steps, at most MaxSteps.
func NewBudget(steps int) Budget { return Budget{spent: MaxSteps - int64(min(steps, MaxSteps))} }

// Spend pays for one match of s. It reports false when that would cost more than is left: the match must
// then not be run and s not be accepted. Nothing is spent in that case, so that a cheaper match may follow.
func (b *Budget) Spend(p *Pattern, s string) bool {
	cost := p.Cost(len(s))
	if cost > MaxSteps-b.spent {
		return false
	}
	b.spent += cost
	return true
}
