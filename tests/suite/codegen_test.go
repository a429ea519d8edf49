package suite

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// codegenTargets are those whose code the files of suite/codegen pin: one of each generation with instructions of its
// own.
var codegenTargets = tier.Generations

// ptxCounts is the tool of suite/codegen: it compiles the kernel of a file for each target and prints a table of what
// the code consists of, as far as it moves data, waits or multiplies. The tables are goldens (-update rewrites them),
// so that the review of a change sees how code changes, and where: a number in parentheses is how many of the
// instructions are in loops.
func ptxCounts(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(stderr, "usage: ptx-counts FILE")
		return 2
	}
	table := make(map[string]map[string]string) // by class and target
	for _, gpu := range codegenTargets {
		counts, err := countsOf(args[0], gpu)
		if err != nil {
			fmt.Fprintln(stderr, "ptx-counts:", err)
			return 1
		}
		for class, n := range counts {
			if table[class] == nil {
				table[class] = make(map[string]string)
			}
			table[class][gpu] = n
		}
	}
	fmt.Fprintf(stdout, "%-64s", "instructions (in loops)")
	for _, gpu := range codegenTargets {
		fmt.Fprintf(stdout, " %12s", gpu)
	}
	fmt.Fprintln(stdout)
	for _, class := range slices.SortedFunc(maps.Keys(table), compareClasses) {
		fmt.Fprintf(stdout, "%-64s", class)
		for _, gpu := range codegenTargets {
			fmt.Fprintf(stdout, " %12s", cmp.Or(table[class][gpu], "-"))
		}
		fmt.Fprintln(stdout)
	}
	return 0
}

// Rows that are about the kernel as a whole stand first.
const (
	rowThreads = "threads"
	rowShared  = "shared memory, bytes"
	rowAll     = "all instructions"
)

func compareClasses(a, b string) int {
	rank := func(s string) int {
		return slices.Index([]string{rowThreads, rowShared, rowAll}, s) // -1 for a class
	}
	if rank(a) >= 0 && rank(b) >= 0 {
		return cmp.Compare(rank(a), rank(b))
	}
	if c := cmp.Compare(rank(b), rank(a)); rank(a) >= 0 || rank(b) >= 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// counted are the beginnings of the opcodes that a table lists, each with all its modifiers. The rest is arithmetic
// and control.
var counted = []string{"ld.global", "ld.shared", "st.global", "st.shared", "cp.", "ldmatrix", "stmatrix", "atom", "red", "multimem", "bar.", "barrier.",
	"mbarrier", "fence", "membar", "mma", "wgmma", "tcgen05", "shfl", "redux", "vote", "elect", "prefetch", "call", "trap"}

var (
	instruction = regexp.MustCompile(`^\t(?:@!?%p\d+ )?([a-z][\w.:]*)`)
	label       = regexp.MustCompile(`^(\$L\d+):`)
	branch      = regexp.MustCompile(`^\t(?:@!?%p\d+ )?bra(?:\.uni)? (\$L\d+);`)
)

// countsOf compiles the kernel of a file and counts.
func countsOf(file, gpu string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	module, err := tileir.Read(tileir.NewContext(), file, text)
	if err != nil {
		return nil, err
	}
	r, err := compile.To(context.Background(), module, compile.Options{GPU: gpu, OptLevel: 3})
	if err != nil {
		return nil, err
	}
	if len(r.Launch.Kernels) != 1 {
		return nil, fmt.Errorf("%s has %d kernels, expected one", file, len(r.Launch.Kernels))
	}
	k := r.Launch.Kernels[0]
	out := map[string]string{rowThreads: fmt.Sprint(k.Block[0]), rowShared: fmt.Sprint(k.StaticShared + k.DynamicShared)}
	all, looped := countPTX(r.PTX)
	for class, n := range all {
		out[class] = fmt.Sprint(n)
		if l := looped[class]; l > 0 {
			out[class] += fmt.Sprintf(" (%d)", l)
		}
	}
	return out, nil
}

// A ptxBlock is a basic block of the text.
type ptxBlock struct {
	label   string
	classes []string // of its instructions
	to      []string // labels of the blocks behind it
}

// blocksOf cuts PTX into basic blocks, kernel after kernel; a block that is entered by falling through has a label too.
func blocksOf(ptx []byte) (blocks []*ptxBlock) {
	next := func(name string) *ptxBlock {
		if name == "" {
			name = fmt.Sprintf("#%d", len(blocks))
		}
		b := &ptxBlock{label: name}
		if n := len(blocks); n > 0 && (len(blocks[n-1].to) == 0 || strings.HasPrefix(blocks[n-1].to[0], "?")) {
			blocks[n-1].to = append(blocks[n-1].to, name)
		}
		blocks = append(blocks, b)
		return b
	}
	b := next("")
	for _, line := range bytes.Split(ptx, []byte("\n")) {
		if m := label.FindSubmatch(line); m != nil {
			b = next(string(m[1]))
			continue
		}
		m := instruction.FindSubmatch(line)
		if m == nil {
			continue
		}
		b.classes = append(b.classes, rowAll)
		op := string(m[1])
		if slices.ContainsFunc(counted, func(p string) bool { return strings.HasPrefix(op, p) }) {
			b.classes = append(b.classes, op)
		}
		to := branch.FindSubmatch(line)
		switch {
		case to != nil && bytes.HasPrefix(line, []byte("\t@")):
			b.to = []string{"?", string(to[1])} // or what follows
			b = next("")
		case to != nil:
			b.to = []string{string(to[1])}
			b = next("")
		case op == "ret":
			b.to = []string{"."}
			b = next("")
		}
	}
	return blocks
}

// countPTX counts instructions by class, all of them and those in loops: in blocks that control can come back to.
// Blocks need not stand in the order of control, so that a branch backwards alone tells nothing.
func countPTX(ptx []byte) (all, looped map[string]int) {
	blocks := blocksOf(ptx)
	at := make(map[string]*ptxBlock)
	for _, b := range blocks {
		at[b.label] = b
	}
	all, looped = make(map[string]int), make(map[string]int)
	for _, b := range blocks {
		seen := make(map[string]bool)
		for work := slices.Clone(b.to); len(work) > 0; {
			l := work[len(work)-1]
			work = work[:len(work)-1]
			if next := at[l]; next != nil && !seen[l] {
				seen[l] = true
				work = append(work, next.to...)
			}
		}
		for _, c := range b.classes {
			all[c]++
			if seen[b.label] {
				looped[c]++
			}
		}
	}
	return all, looped
}
