package isolationtest

import "fmt"

// change alters the rows of one tenant and repeats the attack of the other.
func (k *kit) change() error {
	for _, s := range k.sides {
		for i, change := range k.app.Changes {
			if err := change(k.ctx, k.other(s).mark); err != nil {
				return fmt.Errorf("change %d of mark %d: %w", i+1, k.other(s).mark.n, err)
			}
			k.repeat(s)
		}
		if other := k.other(s); len(k.app.Changes) > 0 {
			k.renew(other)
		}
	}
	return nil
}

// repeat compares every answer with the one before.
func (k *kit) repeat(s *side) {
	for _, e := range s.script {
		k.report.Pairs++
		if now := k.send(e.token, e.request).stable(); now != e.stable {
			k.leak(ruleChange, e.request, fmt.Sprintf("the answers differ from byte %d on", differAt(now, e.stable)))
		}
	}
}

// renew takes the answers as they are now: the tenant's own rows have changed.
func (k *kit) renew(s *side) {
	for i, e := range s.script {
		s.script[i].stable = k.send(e.token, e.request).stable()
	}
}
