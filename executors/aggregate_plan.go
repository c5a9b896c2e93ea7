package executors

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

const (
	maxGroupBy  = 3
	maxMeasures = 10
)

// aggregation is what a call of aggregate asks of the rows that it finds.
type aggregation struct {
	keys     []groupKey
	measures []groupMeasure
	order    []groupOrder
}

type groupKey struct {
	name string // as group_by and the answer have it
	col  Column
	unit resource.Unit
}

type groupMeasure struct {
	name string // as measures and the answer have it
	fn   resource.Function
	col  Column // not set for a count of rows
}

// groupOrder is one step of the order of the groups: by a member of the answer, the keys counted first.
type groupOrder struct {
	member int
	desc   bool
}

// planAggregate checks a call of aggregate. All its mistakes are in the error.
func (x *Executor) planAggregate(p *auth.Principal, req AggregateRequest) (*plan, error) {
	errs := req.Mistakes
	bd, v, err := x.lookup(p, req.Resource)
	if err != nil {
		return nil, unlessMissing(errs, req.Resource, err).Err()
	}
	pl := &plan{bd: bd, v: v, d: x.dialect, limit: bd.limits.Default, agg: &aggregation{}}
	if len(req.Filter) > 0 {
		pl.filter, err = filtering.Parse(req.Filter, v.keys)
		errs = errs.Add(err)
	}
	wrong := resource.Errors{}.Add(pl.agg.group(&v.aggregates, req.GroupBy)).Add(pl.agg.measure(&v.aggregates, req.Measures))
	errs = append(errs, wrong...)
	errs = errs.Add(pl.agg.sort(&v.aggregates, req, len(wrong) > 0))
	if req.Limit != nil {
		pl.limit = min(*req.Limit, bd.limits.Max)
	}
	if pl.limit < 1 {
		e := resource.Errorf(resource.InvalidArgument, "/limit",
			"limit is how many groups to answer: send a number from 1 to %d, or leave it away for %d", bd.limits.Max, bd.limits.Default)
		e.Example = bd.limits.Default
		errs = append(errs, e)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return pl, nil
}

// group types the group_by argument.
func (a *aggregation) group(may *aggregates, names []string) error {
	const path = "/group_by"
	if len(names) > maxGroupBy {
		return resource.Errorf(resource.LimitExceeded, path, "group_by takes at most %d names: send fewer", maxGroupBy)
	}
	var errs resource.Errors
	for i, name := range names {
		f, unit, ok := may.group(name)
		switch {
		case !ok:
			errs = append(errs, unknownGroup(may, name, place(path, i)))
		case slices.Contains(names[:i], name):
			errs = append(errs, twice("group_by", name, place(path, i)))
		default:
			a.keys = append(a.keys, groupKey{name, f.col, unit})
		}
	}
	return errs.Err()
}

// measure types the measures argument; without one it is the number of rows.
func (a *aggregation) measure(may *aggregates, names []string) error {
	const path = "/measures"
	if len(names) > maxMeasures {
		return resource.Errorf(resource.LimitExceeded, path, "measures takes at most %d names: send fewer", maxMeasures)
	}
	if len(names) == 0 {
		names = []string{resource.Count}
	}
	var errs resource.Errors
	for i, name := range names {
		fn, f, ok := may.measure(name)
		switch {
		case !ok:
			errs = append(errs, unknownMeasure(may, name, place(path, i)))
		case slices.Contains(names[:i], name):
			errs = append(errs, twice("measures", name, place(path, i)))
		default:
			a.measures = append(a.measures, groupMeasure{name, fn, f.col})
		}
	}
	return errs.Err()
}

// sort types the sort argument and ends it in the keys, so that the order is total.
func (a *aggregation) sort(may *aggregates, req AggregateRequest, wrong bool) error {
	if len(req.Sort) > maxNames {
		return resource.Errorf(resource.LimitExceeded, "/sort", "sort takes at most %d names: send fewer", maxNames)
	}
	members := a.members()
	told := mention(req.Mistakes, "/group_by") || mention(req.Mistakes, "/measures")
	var errs resource.Errors
	for i, given := range req.Sort {
		name, desc := strings.CutPrefix(given, "-")
		at := slices.Index(members, name)
		switch {
		case slices.ContainsFunc(req.Sort[:i], func(n string) bool { return strings.TrimPrefix(n, "-") == name }):
			errs = append(errs, twice("sort", name, sortPath(i)))
		case at >= 0:
			a.order = append(a.order, groupOrder{at, desc})
		case told, slices.Contains(req.GroupBy, name), slices.Contains(req.Measures, name): // told of it there
		case wrong && (slices.Contains(may.groupNames, name) || slices.Contains(may.measureNames, name)): // right once that is mended
		default:
			errs = append(errs, unknownOrder(members, name, sortPath(i), len(errs) < maxSuggested))
		}
	}
	for i := range a.keys {
		if !slices.ContainsFunc(a.order, func(o groupOrder) bool { return o.member == i }) {
			a.order = append(a.order, groupOrder{member: i})
		}
	}
	return errs.Err()
}

// members are the names of the answer's members, in their order.
func (a *aggregation) members() []string {
	out := make([]string, 0, len(a.keys)+len(a.measures))
	for _, k := range a.keys {
		out = append(out, k.name)
	}
	for _, m := range a.measures {
		out = append(out, m.name)
	}
	return out
}

func place(path string, i int) string { return resource.Pointer(path, strconv.Itoa(i)) }

func twice(argument, name, path string) *resource.Error {
	return resource.Errorf(resource.InvalidArgument, path, "%s names %s twice: name it once", argument, resource.Echo(name))
}

// unknownGroup answers a name that group_by does not take. One that lacks only its unit is the name of a
// field that the caller may group by.
func unknownGroup(may *aggregates, name, path string) *resource.Error {
	field, _, _ := strings.Cut(name, separator)
	if f, ok := findMember(may.groups, field); ok && f.periods() != nil {
		e := resource.Errorf(resource.InvalidArgument, path, "%s is grouped by a period: send it with one of the units, such as %s", field, f.name+separator+string(resource.Month))
		e.Allowed = f.groups()
		return e
	}
	advice := "send one of the groupable fields that resource_schema shows"
	if len(may.groupNames) == 0 {
		advice = "leave group_by away"
	}
	e := resource.Errorf(resource.UnknownField, path, "rows cannot be grouped by %s: %s", resource.Echo(name), advice)
	e.Allowed, e.Suggestions = may.groupNames, resource.Nearest(name, may.groupNames)
	return e
}

func unknownMeasure(may *aggregates, name, path string) *resource.Error {
	advice := "send count, or a function and a field that resource_schema shows, as function:field"
	if len(may.measures) == 0 {
		advice = "send count alone"
	}
	e := resource.Errorf(resource.UnknownField, path, "there is no measure %s: %s", resource.Echo(name), advice)
	e.Allowed, e.Suggestions = may.measureNames, resource.Nearest(name, may.measureNames)
	return e
}

func unknownOrder(members []string, name, path string, suggest bool) *resource.Error {
	e := resource.Errorf(resource.UnknownField, path,
		`groups cannot be sorted by %s: send a name of this call's group_by or measures, with "-" before it for descending`, resource.Echo(name))
	e.Allowed = members
	if suggest {
		e.Suggestions = resource.Nearest(name, members)
	}
	return e
}

// appendShape writes what the statement and the members of its answer depend on. No name is that of a group
// and that of a measure.
func (a *aggregation) appendShape(dst []byte) []byte {
	for _, name := range a.members() {
		dst = appendString(dst, name)
	}
	dst = append(dst, 0)
	for _, o := range a.order {
		dst = append(dst, byte(o.member), direction(o.desc))
	}
	return dst
}
