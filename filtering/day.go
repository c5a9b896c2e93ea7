package filtering

import (
	"time"

	"github.com/tenantry/tenantry/resource"
)

// onDay is the condition that a bare date means on a timestamp or timestamptz column: the whole day,
// in UTC. Its end is the start of the next day, except after the last day a year of four digits has.
func onDay(k *Key, op resource.Operator, day string) node {
	start := leaf{k, resource.Gteq, dayStart(k, day)}
	end, last := dayEnd(k, day)
	within, after := resource.Lt, resource.Gteq
	if last {
		within, after = resource.Lteq, resource.Gt
	}
	switch op {
	case resource.Gt:
		return leaf{k, after, end}
	case resource.Gteq:
		return start
	case resource.Lt:
		return leaf{k, resource.Lt, dayStart(k, day)}
	case resource.Lteq:
		return leaf{k, within, end}
	default:
		return join(false, []node{start, leaf{k, within, end}})
	}
}

func dayStart(k *Key, day string) string {
	at, _ := time.Parse(time.DateOnly, day)
	return canonical(at, k.Column.Type.Kind)
}

// dayEnd is the start of the next day, or the last microsecond of 9999.
func dayEnd(k *Key, day string) (end string, last bool) {
	at, _ := time.Parse(time.DateOnly, day)
	next := at.AddDate(0, 0, 1)
	if next.Year() > 9999 {
		next, last = next.Add(-time.Microsecond), true
	}
	return canonical(next, k.Column.Type.Kind), last
}
