package sm

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a version of the PTX ISA, as in the `.version` directive. Versions compare with < and >; the zero value
// is older than every version.
type Version uint16

// V returns version major.minor.
func V(major, minor uint8) Version { return Version(major)<<8 | Version(minor) }

// Major returns the part before the dot.
func (v Version) Major() int { return int(v >> 8) }

// Minor returns the part after the dot.
func (v Version) Minor() int { return int(v & 0xff) }

// String prints the version as the `.version` directive spells it.
func (v Version) String() string { return string(v.Append(nil)) }

// Append appends the text of the version to buf.
func (v Version) Append(buf []byte) []byte {
	buf = strconv.AppendInt(buf, int64(v.Major()), 10)
	buf = append(buf, '.')
	return strconv.AppendInt(buf, int64(v.Minor()), 10)
}

// ParseVersion reads a version such as "8.6".
func ParseVersion(text string) (Version, error) {
	major, minor, ok := strings.Cut(text, ".")
	if ok {
		a, errA := strconv.ParseUint(major, 10, 8)
		b, errB := strconv.ParseUint(minor, 10, 8)
		if errA == nil && errB == nil {
			return V(uint8(a), uint8(b)), nil
		}
	}
	return 0, fmt.Errorf("expected a PTX ISA version such as 8.6, got %q", text)
}
