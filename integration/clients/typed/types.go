package main

import (
	"database/sql"
	"encoding/json"
	"net/netip"
	"time"

	"github.com/tenantry/tenantry/schema"
)

// scalars has each type of a single value, and each rule that stands at one.
type scalars struct {
	Text     string          `json:"text" mcp:"min=1;max=40;title=Text" desc:"Any text."`
	Code     string          `json:"code" mcp:"pattern='^[A-Z]{2}-[0-9]{1,4}$';example=AB-1;example=XY-1234"`
	Kind     string          `json:"kind" mcp:"const=scalars"`
	Size     string          `json:"size" mcp:"enum=s|m|l"`
	Stars    int             `json:"stars" mcp:"enum=1|2|3"`
	Flag     bool            `json:"flag"`
	Whole    int             `json:"whole" mcp:"min=-5;max=5"`
	Tiny     int8            `json:"tiny"`
	Small    int16           `json:"small"`
	Medium   int32           `json:"medium"`
	Large    int64           `json:"large"`
	Count    uint            `json:"count"`
	Octet    uint8           `json:"octet"`
	Short    uint16          `json:"short"`
	Word     uint32          `json:"word"`
	Long     uint64          `json:"long"`
	Key      int64           `json:"key" mcp:"as=string"`
	Serial   uint64          `json:"serial" mcp:"as=string"`
	Ratio    float64         `json:"ratio" mcp:"xmin=0;xmax=1"`
	Rough    float32         `json:"rough"`
	Number   json.Number     `json:"number" mcp:"step=0.01"`
	Price    schema.Decimal  `json:"price" mcp:"xmin=0;max=1000000;step=0.01"`
	Day      schema.Date     `json:"day"`
	At       time.Time       `json:"at"`
	Bytes    []byte          `json:"bytes" mcp:"mediaType=image/png"`
	Encoded  string          `json:"encoded" mcp:"encoding=base64"`
	Free     any             `json:"free" desc:"Whatever."`
	Raw      json.RawMessage `json:"raw"`
	Address  netip.Addr      `json:"address"`
	Email    string          `json:"email" mcp:"format=email"`
	Host     string          `json:"host" mcp:"format=hostname"`
	V4       string          `json:"v4" mcp:"format=ipv4"`
	V6       string          `json:"v6" mcp:"format=ipv6"`
	Link     string          `json:"link" mcp:"format=uri"`
	UUID     string          `json:"uuid" mcp:"format=uuid"`
	Date     string          `json:"date" mcp:"format=date"`
	DateTime string          `json:"date_time" mcp:"format=date-time"`
	Old      string          `json:"old" mcp:"deprecated;optional"`
}

type place struct {
	Street string `json:"street" mcp:"min=1"`
	City   string `json:"city" mcp:"min=1"`
}

func (place) SchemaDescription() string { return "Where something is." }

type part struct {
	Name  string `json:"name"`
	Parts []part `json:"parts" mcp:"optional;max=3"`
}

// shapes has each type that holds others. A place stands in it several times, and a part in itself.
type shapes struct {
	Tags   []string                  `json:"tags" mcp:"min=1;max=5;unique;items.min=1;items.max=20"`
	Pair   [2]float64                `json:"pair"`
	Grid   [][]int                   `json:"grid" mcp:"items.max=3;items.items.max=9"`
	Days   []schema.Date             `json:"days" mcp:"len=2"`
	Totals map[string]schema.Decimal `json:"totals" mcp:"max=3;keys.pattern='^[a-z]+$'"`
	Labels map[string]string         `json:"labels" mcp:"values.max=10;keys.max=4"`
	Home   place                     `json:"home"`
	Work   *place                    `json:"work" desc:"Where the work is."`
	Others map[string]place          `json:"others"`
	Tree   part                      `json:"tree"`
	Box    struct {
		Wide int `json:"wide"`
		Lid  struct {
			Closed bool `json:"closed"`
		} `json:"lid"`
	} `json:"box"`
}

// status is a choice whose last value only some may make.
type status string

func (status) EnumValues() []status { return []status{"open", "closed", "void"} }

func (status) EnumGates() []schema.ValueGate {
	return []schema.ValueGate{schema.EnumGate(status("void"), schema.Gate{Pred: "requires", Arg: "audit"})}
}

// amendment has each way in which a member may be there or not.
type amendment struct {
	ID       string             `json:"id" mcp:"format=ticket"`
	Title    *string            `json:"title" mcp:"nullable;max=40"`
	Note     schema.Opt[string] `json:"note" mcp:"nullable"`
	Rank     schema.Opt[int]    `json:"rank"`
	Until    sql.Null[int64]    `json:"until" mcp:"nullable"`
	Owner    *string            `json:"owner" mcp:"present;nullable"`
	Where    *place             `json:"where" mcp:"nullable"`
	Status   *status            `json:"status" mcp:"nullable"`
	Next     status             `json:"next,omitempty"`
	Currency string             `json:"currency" mcp:"default=EUR;pattern='^[A-Z]{3}$'"`
	Locale   string             `json:"locale" mcp:"defaultFor=locale;default=en"`
	Limit    int                `json:"limit" mcp:"default=10;min=1;max=100"`
	Street   *string            `json:"street" mcp:"requiredWith=city"`
	City     *string            `json:"city"`
	Floor    *int               `json:"floor" mcp:"needs=street"`
	Password string             `json:"password" mcp:"writeOnly;optional"`
	Remark   *string            `json:"remark" mcp:"max=20" gate:"requires(audit)"`
	Signed   *bool              `json:"signed" gate:"requires(audit)&tier(gold)"`
	Reason   string             `json:"reason" mcp:"at=meta.reason;optional"`
	Level    int                `json:"level" mcp:"at=meta.level;optional"`
	Options  *options           `json:"options"`
}

// options takes what nobody declared.
type options struct {
	Color string         `json:"color"`
	Rest  map[string]any `mcp:"rest"`
}

// amended is what was understood.
type amended struct {
	ID       string             `json:"id"`
	Title    *string            `json:"title" mcp:"nullable"`
	Note     schema.Opt[string] `json:"note" mcp:"nullable"`
	Rank     schema.Opt[int]    `json:"rank"`
	Until    sql.Null[int64]    `json:"until" mcp:"nullable"`
	Where    *place             `json:"where" mcp:"nullable"`
	Status   *status            `json:"status" mcp:"nullable"`
	Currency string             `json:"currency"`
	Locale   string             `json:"locale"`
	Limit    int                `json:"limit"`
	Options  *options           `json:"options"`
	Reason   string             `json:"reason" mcp:"at=meta.reason"`
	Level    int                `json:"level" mcp:"at=meta.level"`
	Revision int                `json:"revision" mcp:"readOnly"`
	Cost     schema.Decimal     `json:"cost" gate:"requires(audit)"`
}

// A method is how something is paid.
type method interface{ pays() string }

type card struct {
	Last4 string `json:"last4" mcp:"len=4"`
}

type transfer struct {
	IBAN string `json:"iban"`
}

type voucher struct {
	Code string `json:"code"`
}

func (card) pays() string     { return "card" }
func (transfer) pays() string { return "transfer" }
func (voucher) pays() string  { return "voucher" }

// A payment has a choice of forms.
type payment struct {
	Amount schema.Decimal `json:"amount" mcp:"xmin=0"`
	Method method         `json:"method"`
	Also   []method       `json:"also" mcp:"optional"`
}

// An outcome is one of two, told apart by a bool.
type outcome interface{ good() bool }

type paid struct {
	By  string         `json:"by"`
	Fee schema.Decimal `json:"fee" gate:"requires(audit)"`
}

type unpaid struct {
	Reason string `json:"reason"`
}

func (paid) good() bool   { return true }
func (unpaid) good() bool { return false }

// cause and channel are choices with titles.
type cause string

func (cause) EnumValues() []cause { return []cause{"damaged", "late"} }

func (cause) EnumTitles() map[cause]string {
	return map[cause]string{"damaged": "It came damaged", "late": "It came late"}
}

type channel string

func (channel) EnumValues() []channel { return []channel{"mail", "phone", "letter"} }

func (channel) EnumTitles() map[channel]string {
	return map[channel]string{"mail": "By mail", "phone": "By phone", "letter": "By letter"}
}

// consent is a form with each kind of member.
type consent struct {
	Cause    cause       `json:"cause" mcp:"title=Why;default=damaged"`
	Channels []channel   `json:"channels" mcp:"min=1;max=2;optional"`
	Words    []string    `json:"words" mcp:"optional;items.enum=please|thanks"`
	Speed    string      `json:"speed" mcp:"enum=slow|fast;default=slow"`
	Name     string      `json:"name" mcp:"default='John Doe';min=1;max=20"`
	Mail     *string     `json:"mail" mcp:"format=email"`
	Copies   int         `json:"copies" mcp:"default=1;min=1;max=3"`
	Share    float64     `json:"share" mcp:"default=95.5;min=0;max=100"`
	Sure     bool        `json:"sure" mcp:"default=true"`
	Day      schema.Date `json:"day"`
}
