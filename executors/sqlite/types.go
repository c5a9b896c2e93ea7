package sqlite

import (
	"regexp"
	"strings"

	"github.com/tenantry/tenantry/resource"
)

// kinds are the declared types that have rules of their own, in capitals, without what stands in
// parentheses. An integer of any name has 64 bits.
var kinds = map[string]resource.Kind{
	"INT": resource.BigInt, "INTEGER": resource.BigInt, "TINYINT": resource.BigInt, "SMALLINT": resource.BigInt,
	"MEDIUMINT": resource.BigInt, "BIGINT": resource.BigInt, "BIG INT": resource.BigInt, "INT2": resource.BigInt,
	"INT4": resource.BigInt, "INT8": resource.BigInt, "SERIAL": resource.BigInt, "BIGSERIAL": resource.BigInt,

	"REAL": resource.Double, "DOUBLE": resource.Double, "DOUBLE PRECISION": resource.Double, "FLOAT": resource.Double,
	"FLOAT4": resource.Double, "FLOAT8": resource.Double, "NUMERIC": resource.Double, "DECIMAL": resource.Double,

	"BOOLEAN": resource.Boolean, "BOOL": resource.Boolean, "UUID": resource.UUID,

	"TEXT": resource.Text, "CLOB": resource.Text, "TINYTEXT": resource.Text, "MEDIUMTEXT": resource.Text,
	"LONGTEXT": resource.Text, "VARCHAR": resource.VarChar, "NVARCHAR": resource.VarChar,
	"CHARACTER VARYING": resource.VarChar, "VARYING CHARACTER": resource.VarChar, "CITEXT": resource.CIText,
	"CHAR": resource.Char, "CHARACTER": resource.Char, "NCHAR": resource.Char, "NATIVE CHARACTER": resource.Char,

	"DATE": resource.Date, "TIMESTAMP": resource.Timestamp, "DATETIME": resource.Timestamp,
	"TIMESTAMP WITHOUT TIME ZONE": resource.Timestamp, "TIMESTAMPTZ": resource.TimestampTZ,
	"TIMESTAMP WITH TIME ZONE": resource.TimestampTZ,

	"BLOB": resource.Bytea, "BYTEA": resource.Bytea, "BINARY": resource.Bytea, "VARBINARY": resource.Bytea,
	"JSON": resource.JSON, "JSONB": resource.JSON, "XML": resource.XML,
}

var (
	parentheses = regexp.MustCompile(`\([^)]*\)`)
	plainName   = regexp.MustCompile(`^[a-z_][a-z0-9_ ]*$`)
)

// typeOf reads a declared type. One without rules of its own is shown and compared as the text that SQLite
// prints, under its own name unless that name promises what SQLite does not have.
func typeOf(declared string) resource.Type {
	name := strings.Join(strings.Fields(strings.ToUpper(parentheses.ReplaceAllString(declared, " "))), " ")
	plain := strings.TrimSuffix(strings.TrimPrefix(name, "UNSIGNED "), " UNSIGNED")
	if k, ok := kinds[plain]; ok {
		return resource.Plain(k)
	}
	name = strings.ToLower(name)
	if !plainName.MatchString(name) || name == string(resource.Enum) || name == string(resource.Array) {
		name = "any"
	}
	return resource.Type{Kind: resource.Printed, Name: name}
}

// long reports whether values can exceed what one page shows. The length in a declared type binds no
// value.
func long(t resource.Type) bool {
	switch t.Kind {
	case resource.Bytea, resource.JSON, resource.XML, resource.Printed:
		return true
	default:
		return textKind(t)
	}
}
