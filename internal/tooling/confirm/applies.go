package confirm

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/tilewright/tilewright/target/sm"
)

// appliesText lists forms that not exactly the architectures from their first one on have, with those that do. ptxas
// says so: TestApplies asks it, and writes the file.
//
//go:embed applies.txt
var appliesText string

var applies = sync.OnceValue(func() map[string][]string {
	out := make(map[string][]string)
	for line := range strings.Lines(appliesText) {
		if archs, form, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " | "); ok {
			out[form] = strings.Fields(archs)
		}
	}
	return out
})

// from are the architectures from that of a target on.
func from(target string) []string {
	names := sm.Names()
	return names[max(0, slices.Index(names, strings.TrimRight(target, "af"))):]
}

// hasForm reports whether an architecture has a form, whose first target is known.
func hasForm(a *sm.Arch, form, target string) bool {
	if list, ok := applies()[form]; ok {
		return slices.Contains(list, a.Name)
	}
	return slices.Contains(from(target), a.Name)
}
