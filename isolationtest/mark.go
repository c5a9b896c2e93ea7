package isolationtest

import (
	"fmt"
	"strconv"
	"time"
)

// Mark writes values that show whose they are wherever they turn up: in a row, a cursor, an error or a
// header. A seeder fills a tenant's rows with those of one mark. The zero Mark is nobody's: for rows that
// every tenant may read.
type Mark struct{ n int }

// MarkOf returns the mark with a number from 1 to 999, or nobody's with 0. It panics at any other.
func MarkOf(n int) Mark {
	if n < 0 || n > 999 {
		panic("isolationtest: the numbers of marks are 0 to 999")
	}
	return Mark{n}
}

// Number returns the number of the mark. Run gives 1 to the first tenant and 2 to the second.
func (m Mark) Number() int { return m.n }

// Text returns "mark~001~" and the text: what every text of a row should begin with.
func (m Mark) Text(s string) string { return fmt.Sprintf("mark~%03d~%s", m.n, s) }

// Int returns a number of ten digits, 7001000000 and k: a key, or a quantity where there is room for it. k is
// less than a million.
func (m Mark) Int(k int) int64 { return 7_000_000_000 + int64(m.n)*1_000_000 + int64(k) }

// UUID returns an identifier such as 7e7a0001-0000-4000-8000-000000000007, for k = 7.
func (m Mark) UUID(k int) string { return fmt.Sprintf("7e7a0%03d-0000-4000-8000-%012x", m.n, k) }

// Time returns an hour of the year 2026 or later whose microseconds are 001777 for the mark 1.
func (m Mark) Time(k int) time.Time {
	at := time.Date(2026, time.January, 1, 0, 0, 0, (m.n*1000+777)*1000, time.UTC)
	return at.Add(time.Duration(k) * time.Hour)
}

// digits are the number of a mark as its values spell it.
func digits(s string) Mark {
	n, _ := strconv.Atoi(s) // three digits, as the pattern has found them
	return Mark{n}
}
