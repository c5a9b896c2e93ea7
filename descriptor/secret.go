package descriptor

import (
	"fmt"
	"log/slog"
)

// Secret is text that no fmt verb, JSON encoder or log handler shows: a token, a key, a database URL.
// Convert it to string where the text itself is meant.
type Secret string

const hidden = "(hidden)"

// Format writes a placeholder whatever the verb.
func (Secret) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(hidden)) }

// MarshalText returns a placeholder, for encoders.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// LogValue returns a placeholder, for log handlers.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }
