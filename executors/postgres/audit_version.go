package postgres

import "fmt"

// fixed are the minor versions from which on a server has the fixes of CVE-2023-2455 and CVE-2024-10976
// (policies planned for one user and run for another) and of CVE-2025-8713 (statistics of rows that policies
// hide). Older majors will not get them, younger ones were born with them.
var fixed = map[int]int{13: 22, 14: 19, 15: 14, 16: 10, 17: 6}

// leakyVersion says what is wrong with a server_version_num; nothing when nothing is known.
func leakyVersion(num int) string {
	const perMajor = 10_000
	major, minor := num/perMajor, num%perMajor
	least, known := fixed[major]
	switch {
	case known && minor < least:
		return fmt.Sprintf("PostgreSQL %d.%d lacks fixes that %d.%d has (CVE-2023-2455, CVE-2024-10976, CVE-2025-8713): update it", major, minor, major, least)
	case !known && major < 13:
		return fmt.Sprintf("PostgreSQL %d gets no more fixes (CVE-2025-8713): move to a release that does", major)
	default:
		return ""
	}
}
