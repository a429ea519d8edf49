package ir

import "fmt"

// A Version says since when a serialised form has an item. The zero Version means "always" for a field and "has no
// serialised form" for an operation.
type Version struct{ Major, Minor uint8 }

// Less reports whether v is older than w.
func (v Version) Less(w Version) bool {
	return v.Major < w.Major || v.Major == w.Major && v.Minor < w.Minor
}

// IsZero reports whether v is the zero Version.
func (v Version) IsZero() bool { return v == Version{} }

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }
