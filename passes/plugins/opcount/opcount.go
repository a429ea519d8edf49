package opcount

import (
	"fmt"
	"sort"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// Options are the options of the pass, with the names and help that users see.
type Options struct {
	Top     int    `opt:"top" help:"how many kinds of operations the remark names, the most frequent first; 0: all"`
	Dialect string `opt:"dialect" help:"count only the operations of this dialect"`
}

var numOps = passes.NewStatistic("num-operations", "operations counted")

// Pass is the pass. Registering returns it, so that other code can refer to it.
var Pass = passes.Register(&passes.Pass{
	Name:       "op-count",
	Summary:    "count operations by name",
	Doc:        "Reports a remark that says how often each kind of operation occurs inside the operation that the pass runs on.",
	Options:    func() any { return &Options{} },
	Statistics: []*passes.Statistic{numOps},
	Run:        run,
})

func run(r *passes.Run) error {
	opts := passes.OptionsOf[Options](r)
	counts := make(map[string]int)
	total := 0
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op != r.Op && (opts.Dialect == "" || strings.HasPrefix(op.Name(), opts.Dialect+".")) {
			counts[op.Name()]++
			total++
		}
		return ir.Advance
	})
	r.Add(numOps, total)
	r.Remarkf(r.Op.Loc(), "%d operations%s", total, list(counts, opts.Top))
	return nil
}

// list spells the counts, the greatest first, equal ones by name.
func list(counts map[string]int, top int) string {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	// Maps have no order, so equal counts are sorted by name: a remark must not differ between runs.
	sort.Slice(names, func(i, j int) bool {
		if counts[names[i]] != counts[names[j]] {
			return counts[names[i]] > counts[names[j]]
		}
		return names[i] < names[j]
	})
	var sb strings.Builder
	for i, name := range names {
		if top > 0 && i == top {
			fmt.Fprintf(&sb, ", and %d other kinds", len(names)-top)
			break
		}
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		fmt.Fprintf(&sb, "%s%d %s", sep, counts[name], name)
	}
	return sb.String()
}
