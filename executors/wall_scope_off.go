//go:build tenantry_without_scope

package executors

const scopeWall = false
