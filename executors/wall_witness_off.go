//go:build tenantry_without_witness

package executors

const witnessWall = false
