package filtering

import "strconv"

// appendOperand appends an operand so that no two give the same bytes and none is the beginning of
// another: strings carry their length, lists their count.
func appendOperand(dst []byte, operand any) []byte {
	switch v := operand.(type) {
	case string:
		return appendText(dst, v)
	case []string:
		dst = appendCount(dst, '[', len(v))
		for _, s := range v {
			dst = appendText(dst, s)
		}
		return dst
	case Nested:
		dst = appendCount(dst, '{', len(v))
		for _, item := range v {
			dst = appendOperand(dst, item)
		}
		return dst
	default: // a null inside an array
		return append(dst, '-')
	}
}

func appendText(dst []byte, s string) []byte {
	return append(appendCount(dst, '=', len(s)), s...)
}

func appendCount(dst []byte, mark byte, n int) []byte {
	dst = append(dst, mark)
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, ':')
}
