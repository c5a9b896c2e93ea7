package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tenantry/tenantry/auth"
	"github.com/tenantry/tenantry/schema/elicit"
	"github.com/tenantry/tenantry/tenant"
)

// maxChoices is how many tenants a form offers. Whoever has more names one.
const maxChoices = 100

// activated returns the principal with the tenant of the call. Where the token leaves it open and the call
// needs it, the person behind the client is asked which one is meant, if that can be; the answer is for this
// call alone.
func (s *Server) activated(ctx context.Context, c *call) (*auth.Principal, error) {
	p, refusal := activate(c.principal, c.selection, s.reader.TenantKind(), c.tool.tenant)
	if refusal == nil || !c.undecided(s.reader.TenantKind()) {
		return p, refusal
	}
	granted := c.principal.Granted()
	if len(granted) > maxChoices || c.client.way() == unreachable {
		return nil, refusal
	}
	t, err := s.talk(c)
	if err != nil {
		return nil, err
	}
	key, err := t.whichTenant(ctx, granted)
	if err != nil {
		return nil, refusedChoice(ctx, err, refusal)
	}
	if expired(c.principal) { // while the person was asked
		return nil, errUnauthenticated
	}
	active, err := c.principal.Activate(key) // the token alone says what may be chosen
	if key == "" || err != nil {
		return nil, refusal
	}
	return active, nil
}

// undecided reports whether the call names no tenant at all.
func (c *call) undecided(kind tenant.Kind) bool {
	selectors, ok := c.selection.named(kind)
	return ok && len(selectors) == 0
}

// refusedChoice is the refusal of a call whose question got no good answer.
func refusedChoice(ctx context.Context, err, refusal error) error {
	_, asks := errors.AsType[*asking](err)
	if asks || canceled(ctx, err) && !errors.Is(err, errClientGone) { // which still reads what is said to it
		return err
	}
	return refusal
}

// tenantMember is the one member of the form.
const tenantMember = "tenant"

// whichTenant asks for one of the granted tenants, and returns its key, or "" when none was chosen. The name of
// the question is one that no tool's has.
func (t *talk) whichTenant(ctx context.Context, granted []tenant.ID) (key string, err error) {
	choices := make([]elicit.Titled, len(granted))
	for i, id := range granted {
		choices[i] = elicit.Titled{Value: id.Key(), Title: t.server.tenantTitle(ctx, id)}
	}
	distinguish(choices)
	q := &question{name: metaTenant, message: "Your access covers several accounts. Which one is this for?"}
	if q.schema, err = elicit.ChoiceSchema(t.client.revision, tenantMember, "Account", choices); err != nil {
		return "", err
	}
	q.check = func(result []byte) error {
		answer, err := elicit.CheckResult(q.schema, result)
		if err != nil || answer.Action != elicit.Accept {
			return err
		}
		var content map[string]string
		err = json.Unmarshal(answer.Content, &content)
		key = content[tenantMember]
		return err
	}
	err = t.ask(ctx, q)
	return key, err
}

func (s *Server) tenantTitle(ctx context.Context, id tenant.ID) string {
	if s.opts.TenantTitle != nil {
		if title := s.opts.TenantTitle(ctx, id); title != "" {
			return title
		}
	}
	return id.Key()
}

// distinguish puts the keys behind all titles where several tenants share one: behind some alone, another
// title could look like one of those.
func distinguish(choices []elicit.Titled) {
	seen := map[string]bool{}
	for _, c := range choices {
		seen[c.Title] = true
	}
	if len(seen) == len(choices) {
		return
	}
	for i, c := range choices {
		choices[i].Title = fmt.Sprintf("%s (%s)", c.Title, c.Value)
	}
}

// separated appends the comma that stands before every element but the first.
func separated(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return dst
}
