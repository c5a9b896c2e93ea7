//go:build !tenantry_without_witness

package executors

// witnessWall says that the tenant of every row is compared with the caller's.
const witnessWall = true
