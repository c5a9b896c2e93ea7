// Package elicit asks the person behind a client by means of a form of MCP, and checks what is asked as well
// as what is answered.
//
//	type Shipping struct {
//		Speed   Speed `json:"speed" mcp:"default=normal" desc:"How fast?"` // a string type with EnumValues and EnumTitles
//		Confirm bool  `json:"confirm" mcp:"title='Ship it now?'"`
//	}
//
//	var shipping = elicit.MustNew[Shipping]()
//
//	asked, err := shipping.Schema("2025-11-25") // the requestedSchema
//	answer, action, err := shipping.Answer(ctx, result)
//
// A form is one flat object of strings, numbers, booleans and choices among strings: of one, or of several.
// Its schema is a small part of JSON Schema, and another one in each revision of the protocol. The tags are
// those of package schema; a required field may have a default here, which the person sees and may change.
//
// Forms have no words for some of what tags say. These are left out of what is sent, and what is answered is
// held against them nevertheless: const, step, needs, requiredWith, and beside choices all that is said of
// strings. xmin and xmax are sent as minimum and maximum. Examples and deprecated are left out. Whatever a
// form cannot show at all is a mistake that New reports: objects, maps, free lists, null, choices among
// numbers, gates, defaultFor, formats but email, uri, date and date-time, and encoded content. A pattern is
// sent, but clients need not know it.
//
// CheckSchema and CheckResult do the same for schemas that are not made from a Go type, such as those that a
// client gets from its server. The package speaks of JSON alone and knows no connection.
package elicit

import (
	"encoding/json"
	"errors"

	"github.com/tenantry/tenantry/schema/internal/lex"
)

// Role says whose schema is checked.
type Role uint8

// The roles.
const (
	Server Role = iota // our own: only what the protocol has words for, and patterns that every client reads alike
	Client             // a server's, which we are to answer: what it says beyond a form is ignored unless it changes the shape
)

// Action is what the person did with a form.
type Action string

// The actions.
const (
	Accept  Action = "accept"  // sent it
	Decline Action = "decline" // said no
	Cancel  Action = "cancel"  // closed it without an answer
)

// EnumValues lists the actions, for results of tools that tell of one.
func (Action) EnumValues() []Action { return []Action{Accept, Decline, Cancel} }

// Answer is a result that is good.
type Answer struct {
	Action Action

	// Content is one object with the members in the order of the schema, defaults filled in, and numbers as
	// they were sent: an integer may be 5.0. It is nil unless the form was accepted.
	Content json.RawMessage
}

// ErrSchema is what CheckResult wraps when there is nothing to hold the result against. CheckSchema tells more.
var ErrSchema = errors.New("elicit: the schema is no form")

// maxProperties bounds what a person is asked at once.
const maxProperties = 100

// limits bound schemas and results, like every document that comes in.
var limits = lex.Limits{Bytes: 1 << 20, Depth: 32, Values: 10_000}
