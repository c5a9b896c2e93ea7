package executors

import (
	"encoding/json"
	"time"

	"github.com/tenantry/tenantry/resource"
)

// ListRequest is one call of list. Its zero members are what absent arguments mean.
//
// Values whose type depends on the resource (Filter, IDs) stay JSON until the resource is known. They
// are typed exactly once.
type ListRequest struct {
	Resource string

	// Filter is a filter object as JSON; nil means none.
	Filter json.RawMessage

	// IDs is a JSON array of keys, or one JSON string as a client sent it: comma-separated keys, except
	// for a text or composite key, where the string is one key. Nil means none.
	IDs json.RawMessage

	// UpdatedSince is an RFC 3339 instant or a date. Empty means none.
	UpdatedSince string

	// Sort lists field names, "-" before a name for descending.
	Sort []string

	// Limit is the number of rows of the page; nil means the default.
	Limit *int

	Cursor string
	Offset int

	// Fields lists the fields and relations to show. Empty means all fields, and the relations whose key
	// stands in the row itself.
	Fields []string

	// Include lists relations whose rows are embedded, whatever Fields has.
	Include []string

	// Count is none, exact or capped; empty means none.
	Count CountMode

	// Client identifies the calling client beside the principal, for cursors; usually empty.
	Client string

	// Mistakes holds what the decoder of the arguments already found wrong. They are reported together
	// with the mistakes found here, and no statement runs.
	Mistakes resource.Errors
}

// JSON returns a Go value as the requests take it, for calls from code: the key 7, a filter as a map. It panics
// on a value that has no JSON, such as a function.
//
//	executors.GetRequest{Resource: "orders", ID: executors.JSON(7)}
func JSON(v any) json.RawMessage { return marshal(v) }

// CountMode says whether list counts the rows of the whole listing.
type CountMode string

// The count modes.
const (
	CountNone   CountMode = "none"
	CountExact  CountMode = "exact"
	CountCapped CountMode = "capped"
)

// GetRequest is one call of get.
type GetRequest struct {
	Resource string

	// ID is the key as a JSON string or number.
	ID json.RawMessage

	// Fields and Include: as in ListRequest.
	Fields  []string
	Include []string

	// Mistakes: as in ListRequest.
	Mistakes resource.Errors
}

// Answer is the result of one read.
type Answer struct {
	// JSON is the whole answer object of the tool, valid JSON, owned by the caller.
	JSON []byte

	Rows      int           // rows in the answer
	More      bool          // there are further rows, or groups, than these
	Truncated bool          // the byte budget ended the page, or cut values
	Database  time.Duration // time spent in the database
}
