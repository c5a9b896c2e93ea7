package postgres

// Internal: no server answers that a setting is not as it was just set.

import (
	"encoding/binary"
	"testing"
)

func array(texts ...string) (out []byte) {
	for _, s := range texts {
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(s))), s...)
	}
	return out
}

func TestSettledTellsWhatDiffers(t *testing.T) {
	t.Parallel()
	with := func(edit map[int]string) []byte {
		texts := []string{"7", "on"}
		for _, s := range rarely {
			texts = append(texts, s[1])
		}
		for i, s := range edit {
			texts[i] = s
		}
		return array(texts...)
	}
	whole := with(nil)
	null := append([]byte{255, 255, 255, 255}, whole[5:]...)
	tests := []struct {
		name  string
		array []byte
		odd   oddities
		ok    bool
	}{
		{"as wanted", whole, 0, true},
		{"another tenant", with(map[int]string{0: "8"}), 0, false},
		{"a longer tenant", with(map[int]string{0: "77"}), 0, false},
		{"no tenant", null, 0, false},
		{"writing", with(map[int]string{1: "off"}), 0, false},
		{"a date style", with(map[int]string{2: "SQL, DMY"}), 1, true},
		{"two of them", with(map[int]string{3: "iso_8601", 5: "escape"}), 1<<1 | 1<<3, true},
		{"one too many", append(with(nil), array("x")...), 0, false},
		{"cut", whole[:len(whole)-1], 0, false},
		{"one too few", whole[:len(whole)-len(array("off"))], 0, false},
		{"nothing", nil, 0, false},
	}
	for _, tt := range tests {
		if odd, ok := settled(tt.array, "7", "on"); odd != tt.odd || ok != tt.ok {
			t.Errorf("%s: %b, %v, want %b, %v", tt.name, odd, ok, tt.odd, tt.ok)
		}
	}
}
