package shop_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// shown is what the contract makes of a text that the database prints, written a second time and simply.
func (c column) shown(t *testing.T, text string) any {
	t.Helper()
	switch c.depth {
	case 0:
		return c.single(t, text)
	case 1:
		return c.list(t, text, c.single)
	default:
		return c.list(t, text, func(_ *testing.T, text string) any { return text })
	}
}

func (c column) single(t *testing.T, text string) any {
	t.Helper()
	switch c.rule {
	case asNumber:
		return json.Number(text)
	case asBigInt:
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n > 1<<53-1 || n < -(1<<53-1) {
			return text
		}
		return json.Number(text)
	case asFloat:
		if strings.ContainsAny(text, "NI") {
			return text
		}
		return json.Number(text)
	case asBoolean:
		return text == "t"
	case asTrimmed:
		return strings.TrimRight(text, " ")
	case asTimestamp:
		return timestamp(text, "")
	case asInstant:
		return timestamp(text, "+00")
	case asBase64:
		raw, err := hex.DecodeString(strings.TrimPrefix(text, `\x`))
		if err != nil {
			t.Fatal(err)
		}
		return base64.StdEncoding.EncodeToString(raw)
	case asDocument:
		return parsed(t, json.RawMessage(text))
	default:
		return text
	}
}

// timestamp gives six decimals to a moment in a year of four digits.
func timestamp(text, zone string) string {
	if strings.Contains(text, "infinity") || strings.HasSuffix(text, "BC") || strings.Index(text, "-") > 4 {
		return text
	}
	text = strings.TrimSuffix(text, zone)
	whole, decimals, _ := strings.Cut(text, ".")
	text = strings.Replace(whole, " ", "T", 1) + "." + (decimals + "000000")[:6]
	if zone != "" {
		text += "Z"
	}
	return text
}

// list reads the text of an array (PostgreSQL manual, 8.15.6), element by element.
func (c column) list(t *testing.T, text string, element func(*testing.T, string) any) any {
	t.Helper()
	if text[0] == '[' {
		_, text, _ = strings.Cut(text, "=")
	}
	stack := [][]any{nil}
	var word strings.Builder
	quotes, began := false, false
	end := func() {
		top := len(stack) - 1
		if w := word.String(); began && !quotes && w == "NULL" {
			stack[top] = append(stack[top], nil)
		} else if began {
			stack[top] = append(stack[top], element(t, w))
		}
		word.Reset()
		quotes, began = false, false
	}
	inside := false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '\\':
			i++
			word.WriteByte(text[i])
			began = true
		case b == '"':
			inside, quotes, began = !inside, true, true
		case inside:
			word.WriteByte(b)
		case b == '{':
			stack = append(stack, []any{})
		case b == '}':
			end()
			top := len(stack) - 1
			stack[top-1] = append(stack[top-1], stack[top])
			stack = stack[:top]
		case b == ',' && c.base.name != "box" || b == ';' && c.base.name == "box":
			end()
		default:
			word.WriteByte(b)
			began = true
		}
	}
	return stack[0][0]
}
