// Package lazy makes what costs nothing until it is used.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that returns a regular expression, which the first call compiles. It is for package-level
// variables: most programs use few of those that they have, and each takes some 20 microseconds to compile.
func Regexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
