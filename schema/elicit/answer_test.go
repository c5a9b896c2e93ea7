package elicit_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/schema"
	"github.com/tenantry/tenantry/schema/elicit"
	"github.com/tenantry/tenantry/schema/internal/match"
)

// order has a field of every sort.
type order struct {
	Name   string             `json:"name" mcp:"max=20;pattern='^[^x]*$'"`
	Mail   string             `json:"mail" mcp:"format=email;default=a@b.c;required"`
	Count  int64              `json:"count" mcp:"min=-3;step=3"`
	Small  *uint8             `json:"small"`
	Rate   float64            `json:"rate" mcp:"xmin=0;default=0.5"`
	Exact  json.Number        `json:"exact" mcp:"optional"`
	Price  *schema.Decimal    `json:"price" mcp:"max=99.5"`
	Day    *schema.Date       `json:"day"`
	At     *time.Time         `json:"at"`
	Agreed bool               `json:"agreed" mcp:"const=true"`
	Speed  Speed              `json:"speed" mcp:"default=slow"`
	Colors []Color            `json:"colors" mcp:"optional;max=2"`
	Gift   schema.Opt[string] `json:"gift" mcp:"needs=note"`
	Note   schema.Opt[Color]  `json:"note"`
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	f := newForm[order](t)
	small, price := uint8(7), schema.Decimal("19.90")
	least := order{Name: "n", Mail: "a@b.c", Rate: 0.5, Agreed: true, Speed: "slow"}
	full := least
	full.Count, full.Small, full.Exact, full.Price = 9007199254740993, &small, "1e400", &price
	full.Day, full.At = &schema.Date{Year: 2024, Month: 2, Day: 29}, new(time.Date(2026, 7, 1, 9, 30, 0, 0, time.UTC))
	full.Speed, full.Colors, full.Gift, full.Note = "fast", []Color{"blue", "red"}, schema.Some("g"), schema.Some(Color("red"))
	for _, tt := range []struct {
		name, content string
		want          order
		wantCodes     []string
	}{
		{"only what must be there", `{"name":"n","count":0,"agreed":true}`, least, nil},
		{
			"everything", `{"note":"red","gift":"g","colors":["blue","red"],"speed":"fast","agreed":true,"at":"2026-07-01t09:30:00z","day":"2024-02-29",` +
				`"price":"19.90","exact":1e400,"rate":5e-1,"small":7.0,"count":9007199254740993.0,"mail":"a@b.c","name":"n"}`, full, nil,
		},
		{"what the form shows", `{"name":1,"count":-6,"agreed":true,"colors":["red","red"],"small":256,"speed":null}`, order{}, []string{
			"type /name", "min /count", "unique /colors", "max /small", "null /speed",
		}},
		{"what it does not show", `{"name":"x","count":1,"rate":0,"agreed":false,"price":"100","gift":"g"}`, order{}, []string{
			"pattern /name", "step /count", "min /rate", "const /agreed", "max /price", "needs /note",
		}},
		{"numbers beyond those of Go", `{"name":"n","count":27670116110564327424,"rate":1e999,"agreed":true}`, order{}, []string{"max /count", "max /rate"}},
		{"undeclared and missing", `{"Name":"n"}`, order{}, []string{"unknown /Name", "missing /name", "missing /count", "missing /agreed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, action, err := f.Answer(t.Context(), accepting(tt.content))
			wantCodes(t, err, tt.wantCodes...)
			if (action == elicit.Accept) != (tt.wantCodes == nil) {
				t.Errorf("the action is %q", action)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(schema.Opt[string]{}, schema.Opt[Color]{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnswerWithoutContent(t *testing.T) {
	t.Parallel()
	f := newForm[struct {
		A string `json:"a" mcp:"default=x;required"`
		B string `json:"b" mcp:"default=y"`
	}](t)
	for _, tt := range []struct {
		name, result, want string
		action             elicit.Action
		wantCodes          []string
	}{
		{"accepted", `{"action":"accept"}`, "xy", elicit.Accept, nil},
		{"declined", `{"action":"decline","content":{"a":1}}`, "", elicit.Decline, nil},
		{"cancelled", `{"action":"cancel"}`, "", elicit.Cancel, nil},
		{"another action", `{"action":"ok","content":{"a":"b"}}`, "", "", []string{"enum"}},
		{"null", `null`, "", "", []string{"type"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, action, err := f.Answer(t.Context(), json.RawMessage(tt.result))
			wantCodes(t, err, tt.wantCodes...)
			if action != tt.action || got.A+got.B != tt.want {
				t.Errorf("%q with %+v", action, got)
			}
		})
	}
}

// A type may check itself, and nothing of it is given away if it does not hold.
func TestAnswerValidates(t *testing.T) {
	t.Parallel()
	got, action, err := newForm[checked](t).Answer(t.Context(), accepting(`{"low":2,"high":1}`))
	wantCodes(t, err, "custom /low")
	if action != "" || got != (checked{}) {
		t.Errorf("%q with %+v", action, got)
	}
}

// A pattern is matched once for each answer, so a form may have what one budget allows.
func TestAnswerMatchesOnce(t *testing.T) {
	t.Parallel()
	p, err := match.CompileOwn(heavy)
	if err != nil {
		t.Fatal(err)
	}
	if cost := p.Cost(4000); cost != 3_600_000 {
		t.Errorf("one match costs %d steps", cost)
	}
	f := newForm[struct {
		A string  `json:"a" mcp:"max=1000;pattern='^(?:[𐍈a]?){448}𐍈'"`
		B *string `json:"b" mcp:"max=1000;pattern='^(?:[𐍈a]?){448}𐍈'"`
	}](t)
	text := strings.Repeat("𐍈", 1000)
	_, _, err = f.Answer(t.Context(), accepting(`{"a":"`+text+`"}`))
	wantCodes(t, err)
	_, _, err = f.Answer(t.Context(), accepting(`{"a":"`+text+`","b":"`+text+`"}`))
	wantCodes(t, err, "pattern_budget /b")
	type short struct {
		A string `json:"a" mcp:"max=10;pattern='^(?:[𐍈a]?){448}𐍈'"`
	}
	_, _, err = newForm[short](t).Answer(t.Context(), accepting(`{"a":"`+text[:40]+`"}`))
	wantCodes(t, err)
	if _, err := elicit.New[short](schema.PatternSteps(30_000)); err == nil || !strings.Contains(err.Error(), "short.A") {
		t.Errorf("a text that could not be proven: %v", err)
	}
}
