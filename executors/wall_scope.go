//go:build !tenantry_without_scope

package executors

// scopeWall says that a source is restricted to the rows of its tenant.
const scopeWall = true
