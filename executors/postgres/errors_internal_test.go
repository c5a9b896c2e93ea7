package postgres

// In the package: what it tells apart are errors of the driver, which a database of another language would send, and
// a server without its translations sends none.

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tenantry/tenantry/executors"
	"github.com/tenantry/tenantry/resource"
)

// An error of the database is what its code says. Its text is in whatever language the database speaks, and may say
// in one what another code says in English.
func TestErrorsAreToldByTheirCode(t *testing.T) {
	t.Parallel()
	texts := []string{
		"Relation »things« existiert nicht", "der zwischengespeicherte Plan darf den Ergebnistyp nicht ändern", "キャッシュした実行計画は結果型を変更してはなりません", "",
		"cached plan must not change result type", `relation "things" does not exist`, "canceling statement due to statement timeout", "division by zero",
	}
	for code, want := range map[string]struct {
		code         resource.Code
		drift, stale bool
	}{
		"0A000": {resource.CodeInternal, true, true},  // a cached plan whose result changed
		"26000": {resource.CodeInternal, false, true}, // a prepared statement that is not there
		"42P01": {resource.CodeInternal, true, false}, // a table that is not there
		"42703": {resource.CodeInternal, true, false}, // nor a column
		"42883": {resource.CodeInternal, true, false}, // nor an operator of its new type
		"42501": {resource.CodeInternal, true, false}, // or not ours to read
		"22P02": {resource.CodeInternal, true, false}, // a label that an enum has lost
		"22012": {resource.CodeInternal, false, false},
		"57014": {resource.Timeout, false, false},
		"55P03": {resource.Timeout, false, false},
		"53300": {resource.Unavailable, false, false},
		"57P01": {resource.Unavailable, false, false},
		"08006": {resource.Unavailable, false, false},
	} {
		for _, text := range texts {
			err := fmt.Errorf("wrapped: %w", &pgconn.PgError{Severity: "FEHLER", Message: text, Detail: text, Code: code})
			got, ok := errors.AsType[*resource.Error](classify(context.Background(), err))
			if !ok || got.Code != want.code || errors.Is(got, executors.ErrDrift) != want.drift || stale(err) != want.stale {
				t.Errorf("%s %q: %v, drift %v, stale %v", code, text, got, errors.Is(got, executors.ErrDrift), stale(err))
			}
		}
	}
}
