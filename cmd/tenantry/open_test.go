package main

import "testing"

func TestWithoutSecrets(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, address, want string }{
		{"the address", "cannot parse postgres://u:pass@db/x: no", "postgres://u:pass@db/x", "cannot parse (hidden): no"},
		{"the password", "user u with password hunter2 refused", "postgres://u:hunter2@db/x", "user u with password (hidden) refused"},
		{"an escaped password", "tried p@ss w and p%40ss%20w", "postgres://u:p%40ss%20w@db/x", "tried (hidden) and (hidden)"},
		{"a password after itself", "x hunter2 hunter2,hunter2 y", "postgres://u:hunter2@db/x", "x (hidden) (hidden),(hidden) y"},
		{"a password that is what stands for it", "with hidden hidden", "postgres://u:hidden@db/x", "with (hidden) (hidden)"},
		{"no password", "user u refused", "postgres://u@db/x", "user u refused"},
		{"an empty password", "user u refused", "postgres://u:@db/x", "user u refused"},
		{"no URL at all", "host db: refused", "postgres://u:%zz@db", "host db: refused"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			same(t, tc.want, withoutSecrets(tc.text, tc.address))
		})
	}
}
