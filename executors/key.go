package executors

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tenantry/tenantry/filtering"
	"github.com/tenantry/tenantry/resource"
)

// parseID types one key, given as a JSON string or number. A composite key is one string: its parts in
// key order joined by ":", each with "%", ":" and "/" percent-encoded.
func parseID(raw json.RawMessage, key []Column, path string) ([]string, error) {
	if len(key) == 1 {
		v, bad := filtering.Value(raw, key[0].Type, path)
		if bad != nil {
			bad.Code = resource.InvalidArgument
			return nil, bad
		}
		return []string{v}, nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, keyForm(key, path)
	}
	parts := strings.Split(s, ":")
	if len(parts) != len(key) {
		return nil, keyForm(key, path)
	}
	out := make([]string, len(key))
	for i, part := range parts {
		text, err := url.PathUnescape(part)
		if err != nil || !utf8.ValidString(text) {
			return nil, keyForm(key, path)
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			return nil, keyForm(key, path)
		}
		v, bad := filtering.Value(quoted, key[i].Type, path)
		if bad != nil { // its examples are for the part alone
			return nil, resource.Errorf(resource.InvalidArgument, path, "part %d of the key: %s", i+1, bad.Message)
		}
		out[i] = v
	}
	return out, nil
}

// parseGetID types the id of get. The decoder may have told that it is missing or no key.
func parseGetID(told resource.Errors, raw json.RawMessage, key []Column) ([]string, error) {
	const path = "/id"
	switch {
	case len(raw) > 0:
		return parseID(raw, key, path)
	case mention(told, path):
		return nil, nil
	default:
		return nil, resource.Errorf(resource.InvalidArgument, path, "id is required: send the key of one row, as a listing shows it")
	}
}

func isArray(raw []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte{'['}) }

func keyForm(key []Column, path string) *resource.Error {
	types := make([]string, len(key))
	for i, c := range key {
		types[i] = c.Type.Name
	}
	return resource.Errorf(resource.InvalidArgument, path,
		`the key has %d parts (%s): send them as one string joined by ":", each with %%, : and / percent-encoded`,
		len(key), strings.Join(types, ", "))
}

// parseIDs types the ids argument: an array of keys, or one string of them. A string is split at commas
// unless the key is text or composite, where it is one key.
func parseIDs(raw json.RawMessage, key []Column) ([][]string, error) {
	const path = "/ids"
	items, err := idItems(raw, len(key) > 1 || key[0].Type.Textual())
	if err != nil {
		return nil, resource.Errorf(resource.InvalidArgument, path, `ids is a list of keys: send ["…","…"]`)
	}
	if len(items) == 0 {
		return nil, resource.Errorf(resource.InvalidArgument, path, "ids names no key: name at least one, or leave ids away")
	}
	if len(items) > maxIDs {
		return nil, resource.Errorf(resource.LimitExceeded, path, "ids has %d keys, and a call takes %d: ask in several calls", len(items), maxIDs)
	}
	out := make([][]string, len(key))
	var errs resource.Errors
	for i, item := range items {
		at := path
		if isArray(raw) {
			at = resource.Pointer(path, strconv.Itoa(i))
		}
		parts, err := parseID(item, key, at)
		if err != nil {
			errs = errs.Add(err)
			continue
		}
		for k := range key {
			out[k] = append(out[k], parts[k])
		}
	}
	return out, errs.Err()
}

func idItems(raw json.RawMessage, whole bool) (items []json.RawMessage, err error) {
	raw = bytes.TrimSpace(raw)
	if isArray(raw) {
		return items, json.Unmarshal(raw, &items)
	}
	if len(raw) == 0 || raw[0] != '"' || whole {
		return []json.RawMessage{raw}, nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		quoted, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		items = append(items, quoted)
	}
	return items, nil
}
