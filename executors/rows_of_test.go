package executors_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tenantry/tenantry/executors"
)

func TestAnswersAreDecoded(t *testing.T) {
	t.Parallel()
	type order struct {
		ID    json.Number    `json:"id"`
		Total string         `json:"total"`
		More  map[string]any `json:"more"`
	}
	answer := func(text string) *executors.Answer { return &executors.Answer{JSON: []byte(text)} }
	rows, err := executors.RowsOf[order](answer(`{"resource":"orders","rows":[{"id":7,"total":"19.90","more":{"n":9007199254740993}},{"id":"9007199254740993","total":"1","more":null}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []order{{"7", "19.90", map[string]any{"n": json.Number("9007199254740993")}}, {"9007199254740993", "1", nil}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if row, err := executors.RowOf[order](answer(`{"row":{"id":1,"total":"2"}}`), nil); err != nil || row.ID != "1" || row.Total != "2" {
		t.Errorf("a row is %+v, %v", row, err)
	}
	groups, err := executors.GroupsOf[struct {
		Sum *string `json:"sum:total"`
	}](answer(`{"groups":[{"sum:total":"5.00"},{"sum:total":null}]}`), nil)
	if err != nil || len(groups) != 2 || *groups[0].Sum != "5.00" || groups[1].Sum != nil {
		t.Errorf("groups are %+v, %v", groups, err)
	}
	pages := []string{
		`{"rows":[{"id":1},{"id":2}],"meta":{"has_more":true,"next_cursor":"a"}}`, `{"rows":[{"id":3}],"meta":{"has_more":false}}`,
	}
	list := func(_ context.Context, req executors.ListRequest) (*executors.Answer, error) {
		at := 0
		if req.Cursor == "a" && req.Offset == 0 {
			at = 1
		}
		return &executors.Answer{JSON: []byte(pages[at]), More: at == 0}, nil
	}
	for most, want := range map[int]int{3: 3, 9: 3, 2: 0, 1: 0} {
		all, err := executors.AllRows[order](t.Context(), list, executors.ListRequest{Offset: 0}, most)
		if len(all) != want || (err == nil) != (want > 0) {
			t.Errorf("at most %d: %d rows, %v", most, len(all), err)
		}
	}
	pages[1] = `{"rows":[{"id":3}],"meta":{"has_more":false,"cut_fields":["note"]}}`
	if all, err := executors.AllRows[order](t.Context(), list, executors.ListRequest{}, 9); err == nil {
		t.Errorf("a cut row is taken for a row: %+v", all)
	}
	failed := errors.New("no")
	if _, err := executors.RowsOf[order](nil, failed); !errors.Is(err, failed) {
		t.Errorf("an error became %v", err)
	}
	if _, err := executors.RowOf[order](answer(`{"row":{"id":true}}`), nil); err == nil {
		t.Error("a boolean is taken for a number")
	}
	if string(executors.JSON("a<b")) != `"a<b"` || string(executors.JSON(7)) != "7" {
		t.Error("a key is written otherwise")
	}
}
