package executors

import (
	"context"
	"log/slog"
)

// noWalls tells whoever starts such a build that it is no build to serve from. The tests of isolation make
// them, with one wall or all of them taken out by a build tag, to show that the walls stand for each other.
func (x *Executor) noWalls(ctx context.Context) {
	for _, wall := range []struct {
		name, tag string
		stands    bool
	}{
		{"the scope", "tenantry_without_scope", scopeWall},
		{"the row witness", "tenantry_without_witness", witnessWall},
	} {
		if !wall.stands {
			x.opts.Logger.LogAttrs(ctx, slog.LevelError, "NOT FOR SERVING: this build is without "+wall.name+", and rows of other tenants may leave",
				slog.String("event", "wall_missing"), slog.String("build_tag", wall.tag))
		}
	}
}

// alwaysTrue is a condition that holds for every row and still binds its arguments.
func alwaysTrue(sql string) string { return "(" + sql + ") OR 1=1" }
