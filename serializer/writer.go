package serializer

import "github.com/tenantry/tenantry/resource"

// Writer appends one value that is not NULL to dst as JSON and returns the extended slice. It keeps
// neither slice, allocates nothing beyond growing dst, and is safe for concurrent use. Whatever the
// bytes of raw, it appends one valid JSON value of one line: what is not of the writer's type becomes
// a string of its text, with U+FFFD for bytes that are not UTF-8.
type Writer func(dst, raw []byte) []byte

// TextWriter returns the writer for the text a database prints for the type. For PostgreSQL that is
// its text format in a session with DateStyle ISO, time zone UTC and bytea_output hex. For another
// database the text must be PostgreSQL's or the contract's own form, with infinite floats spelled
// Infinity and -Infinity and bytes as \x and hexadecimal digits.
//
// JSON documents are trusted to be valid, as PostgreSQL's are; see [CheckedTextWriter].
func TextWriter(t resource.Type) Writer { return textWriter(t, appendDocument) }

// CheckedTextWriter is [TextWriter] for databases that store any text in a JSON column, such as SQLite: a
// document that is not valid JSON becomes a string.
func CheckedTextWriter(t resource.Type) Writer { return textWriter(t, appendCheckedDocument) }

func textWriter(t resource.Type, document Writer) Writer {
	switch t.Kind {
	case resource.SmallInt:
		return appendSmallInt
	case resource.Integer:
		return appendInteger
	case resource.BigInt:
		return appendBigInt
	case resource.Real, resource.Double:
		return appendFloatText
	case resource.Boolean:
		return appendBoolText
	case resource.Char:
		return appendChar
	case resource.UUID:
		return appendUUIDText
	case resource.Timestamp:
		return appendTimestampText
	case resource.TimestampTZ:
		return appendTimestampTZText
	case resource.Bytea:
		return appendHexAsBase64
	case resource.JSON, resource.JSONB:
		return document
	case resource.Array:
		return arrayWriter(t, document)
	case resource.Numeric, resource.Text, resource.VarChar, resource.CIText, resource.Enum,
		resource.Date, resource.XML, resource.Printed:
		return appendString
	default:
		return appendString
	}
}

// BinaryWriter returns the writer for PostgreSQL's binary format of the type, which appends the very
// bytes that [TextWriter] appends for the same value. It reports false for a type that must be read as
// text. Bytes of a wrong length become a string of their hexadecimal form.
func BinaryWriter(t resource.Type) (w Writer, ok bool) {
	switch t.Kind {
	case resource.SmallInt, resource.Integer, resource.BigInt:
		return appendBinaryInteger(t.Kind), true
	case resource.Numeric:
		return appendBinaryNumeric, true
	case resource.Real:
		return appendBinaryReal, true
	case resource.Double:
		return appendBinaryDouble, true
	case resource.Boolean:
		return appendBinaryBool, true
	case resource.UUID:
		return appendBinaryUUID, true
	case resource.Date:
		return appendBinaryDate, true
	case resource.Timestamp:
		return appendBinaryTimestamp, true
	case resource.TimestampTZ:
		return appendBinaryTimestampTZ, true
	case resource.Text, resource.VarChar, resource.CIText, resource.Char, resource.Enum,
		resource.Bytea, resource.XML, resource.JSON, resource.JSONB, resource.Array, resource.Printed:
		return nil, false
	default:
		return nil, false
	}
}
