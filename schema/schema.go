// Package schema turns one Go struct into a JSON Schema, an exact decoder, a validator and a permission
// policy at once, compiled per caller and failing closed.
//
//	type Refund struct {
//		OrderID string  `json:"order_id" mcp:"format=uuid" desc:"The order to refund."`
//		Amount  *string `json:"amount" mcp:"pattern='^[0-9]+\\.[0-9]{2}$'" gate:"requires(refunds:partial)"`
//	}
//
//	plan, err := schema.For[Refund](schema.Input)
//	view, ok := plan.View(policy.Decide(ctx, caller, plan.Gates()))
//	advertised, err := view.JSON(ctx, schema.Full, nil)
//	err = view.Decode(ctx, arguments, &refund, nil)
//
// A Plan is what a type says, with every contradiction refused when it is built. A View is the part of it
// that one Decision allows: what is advertised, accepted and returned comes from that one tree, so that a
// hidden field cannot be told from one that never was. The package knows neither SQL nor MCP.
//
// The tags are listed in docs/tags.md. Schemas are of JSON Schema draft 2020-12.
package schema

import (
	"context"
)

// Direction says which way values of a plan travel. Fields marked readOnly take no part in an Input, and
// those marked writeOnly none in an Output.
type Direction uint8

// The directions.
const (
	Input Direction = iota
	Output
)

// Profile says how much of a plan is advertised. Whatever it is, Decode enforces all of it.
type Profile uint8

// The profiles.
const (
	Full   Profile = iota // every keyword
	Strict                // only what hosts with a strict mode accept: no bounds, lengths, dependencies, titles or examples
)

// Defaults answers a defaultFor key for the caller it was made for: the value, which is validated like
// input, or false for none. An error leaves the default out of a schema and fails a Decode.
type Defaults func(ctx context.Context, key string) (value any, ok bool, err error)

// Validator is implemented by types that check themselves once all of their fields are good: it may
// return Errors, whose paths are relative to the value. Any other error becomes one of code custom at the
// value's own path, with the error's text, which must quote no secret.
type Validator interface {
	Validate(ctx context.Context) error
}
