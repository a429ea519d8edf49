package packblockargs

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/loops"
	"github.com/tilewright/tilewright/passes/property"
)

var numWords = passes.NewStatistic("words", "32-bit registers that cross blocks instead of their parts")

// Pass is nvvm-pack-block-args.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-pack-block-args",
	Formerly: []string{"nvvm-carry-words"},
	Summary:  "pack sub-word block arguments into 32-bit registers",
	Doc:      "Merges block arguments into one of 32 bits where all users join them to one, or where four are the bytes of a loaded word. Where a block takes more predicates than a thread holds, each becomes a number.",
	Requires: []*passes.Property{property.NVVM},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "canonicalize#nvvm", Reason: "what is split and joined in one block is gone"},
		{Pass: "nvvm-legalize-arith", Reason: "its sequences split and join too"},
	},
	Before: []passes.Edge{
		{Pass: "nvvm-reduce-strength", Reason: "it counts the registers that a loop carries"},
		{Pass: "nvvm-sink", Reason: "so does it"},
	},
	Statistics: []*passes.Statistic{numWords},
	Run:        run,
})

func run(r *passes.Run) error {
	f := &finder{groups: make(map[ir.Value]*group), nest: loops.Find(r.Op.Region(0), ir.NewDominance())}
	for b := range r.Op.Region(0).Blocks() {
		for op := range b.Ops() {
			if op.Is(nvvm.Pack) && ir.BitWidth(op.Result(0).Type()) == 32 {
				f.add(op.Operands(), joined)
			}
		}
	}
	f.spread()
	for b := range r.Op.Region(0).Blocks() {
		f.addLoaded(b.Terminator())
	}
	f.spread()
	for b := range r.Op.Region(0).Blocks() {
		f.addPredicates(b)
	}
	f.prune()
	n := 0
	// One question for all groups of a function: they pass registers to each other, so a part of them cannot
	// change alone.
	if r.May("join-arguments", r.Op) {
		n = f.join()
	}
	r.Add(numWords, n)
	return nil
}

// A group is arguments of one block that are the parts of a register, the lowest first.
type group struct {
	parts  []ir.Value
	broken bool
	kind   kind
	word   ir.Value // that takes their place
	tested ir.Value // the predicate that it stands for
}

// A kind is why values are a group.
type kind int

const (
	joined    kind = iota // some operation packs them
	left                  // a loop passes such values to the code after it, where users may take them apart
	loaded                // bytes of words that were loaded, which users may take apart
	predicate             // one of more predicates than a thread holds, which is a number
)

type finder struct {
	all    []*group
	groups map[ir.Value]*group // by each of the parts
	nest   *loops.Nest
}

// add makes a group of values, if they may be one.
func (f *finder) add(parts []ir.Value, k kind) {
	b := parts[0].Block()
	for i, v := range parts {
		// Arguments of the entry block are parameters of the function, whose types are fixed.
		if !v.IsBlockArg() || v.Block() != b || b.IsEntry() || f.groups[v] != nil || slices.Contains(parts[:i], v) {
			return
		}
	}
	g := &group{parts: slices.Clone(parts), kind: k}
	f.all = append(f.all, g)
	for _, v := range parts {
		f.groups[v] = g
	}
}

// spread makes groups of what branches pass to groups.
// f.all grows in the loop: a group of a predecessor may have predecessors of its own.
func (f *finder) spread() {
	for n := 0; n < len(f.all); n++ {
		g := f.all[n]
		g.edges(func(_ ir.Op, passed []ir.Value) bool {
			if g.kind != left {
				f.add(passed, g.kind)
			}
			return true
		})
		f.addPassed(g)
	}
}

// addLoaded makes groups of the arguments that a branch passes the bytes of a loaded word to.
func (f *finder) addLoaded(term ir.Op) {
	branch, ok := ir.BranchOp.Of(term)
	if !ok {
		return
	}
	operands := term.Operands()
	for s := range term.NumSuccessors() {
		lo, hi := branch(term, s)
		args := term.Successor(s).Args()
		for i := lo; i+bytesOfWord <= hi; i++ {
			if loadedWord(operands[i : i+bytesOfWord]) {
				f.add(args[i-lo:i-lo+bytesOfWord], loaded)
				i += bytesOfWord - 1
			}
		}
	}
}

// addPassed makes groups of the arguments that branches pass a group to, complete and in order: all such arguments for
// loaded bytes, else those outside of its loop.
func (f *finder) addPassed(g *group) {
	n := len(g.parts)
	for u := range g.parts[0].Uses() {
		branch, ok := ir.BranchOp.Of(u.Owner())
		if !ok {
			continue
		}
		for s := range u.Owner().NumSuccessors() {
			lo, hi := branch(u.Owner(), s)
			i, to := u.Index(), u.Owner().Successor(s)
			if i < lo || i+n > hi || !slices.Equal(u.Owner().Operands()[i:i+n], g.parts) {
				continue
			}
			switch {
			case g.kind == loaded:
				f.add(to.Args()[i-lo:i-lo+n], loaded)
			case f.leaves(g, to):
				f.add(to.Args()[i-lo:i-lo+n], left)
			}
		}
	}
}

// leaves reports whether a block is in fewer loops than that of a group.
func (f *finder) leaves(g *group, to ir.Block) bool {
	return f.nest.Depth(to) < f.nest.Depth(g.parts[0].Block())
}

const bytesOfWord = 4

// loadedWord reports whether values are the bytes of a word that is loaded for a branch alone.
func loadedWord(parts []ir.Value) bool {
	def := parts[0].DefiningOp()
	if def.IsNil() || !def.Is(nvvm.Ld) || ir.BitWidth(parts[0].Type()) != 8 {
		return false
	}
	first := parts[0].Index()
	for i, v := range parts {
		if v.DefiningOp() != def || v.Index() != first+i || !v.HasOneUse() {
			return false
		}
	}
	return first%bytesOfWord == 0
}

// edges calls yield for each branch to the block of a group, with what it passes to the group, until yield returns
// false. It returns whether all returned true.
func (g *group) edges(yield func(term ir.Op, passed []ir.Value) bool) bool {
	for term, s := range g.parts[0].Block().Preds() {
		// Other terminators pass arguments in ways that rewire does not rebuild.
		if !term.Is(cf.Br) && !term.Is(cf.CondBr) || !yield(term, g.from(term, s)) {
			return false
		}
	}
	return true
}

// from returns what a branch passes to a group in its block, one of the successors.
func (g *group) from(term ir.Op, succ int) []ir.Value {
	branch, _ := ir.BranchOp.Of(term)
	lo, _ := branch(term, succ)
	passed := make([]ir.Value, len(g.parts))
	for i, v := range g.parts {
		passed[i] = term.Operand(lo + v.Index())
	}
	return passed
}

// mostRounds bounds how far the removal of one group may spread along chains of blocks. Real programs need far
// fewer rounds; after the last one, all remaining groups are removed.
const mostRounds = 64

// prune removes the groups that violate a condition, and those that depend on them.
func (f *finder) prune() {
	changed := true
	for round := 0; changed; round++ {
		changed = false
		for _, g := range f.all {
			if !g.broken && (round == mostRounds || !f.usedWhole(g) || !f.madeWhole(g)) {
				g.broken, changed = true, true
			}
		}
	}
}

// usedWhole reports whether all uses of a group pack it, or pass it on to another group. Users after its loop may take it
// apart, as the end of a GEMM does with sums of 16 bits.
func (f *finder) usedWhole(g *group) bool {
	if g.kind == predicate {
		return true
	}
	for _, v := range g.parts {
		for u := range v.Uses() {
			op := u.Owner()
			_, branches := ir.BranchOp.Of(op)
			if !branches && (g.kind != joined || f.leaves(g, op.Block())) || op.Is(nvvm.Pack) && slices.Equal(op.Operands(), g.parts) {
				continue
			}
			to, passed := f.passes(op, u.Index())
			if to == nil || to.broken || !slices.Equal(passed, g.parts) {
				return false
			}
		}
	}
	return true
}

// passes returns the group that a branch passes an operand to, or nil, and all that it passes to that.
func (f *finder) passes(op ir.Op, operand int) (to *group, passed []ir.Value) {
	branch, ok := ir.BranchOp.Of(op)
	if !ok {
		return nil, nil
	}
	for s := range op.NumSuccessors() {
		if lo, hi := branch(op, s); lo <= operand && operand < hi {
			if to = f.groups[op.Successor(s).Arg(operand-lo)]; to != nil {
				passed = to.from(op, s)
			}
			return to, passed
		}
	}
	return nil, nil
}

// madeWhole reports whether each branch passes one register to a group: a loaded word, the parts of one split, or another
// group.
// Other parts are packed before the branch, which is as cheap as in the block, unless the branch also leads to
// other blocks.
func (f *finder) madeWhole(g *group) bool {
	return g.edges(func(term ir.Op, passed []ir.Value) bool {
		from := f.groups[passed[0]]
		return g.kind == predicate || term.NumSuccessors() == 1 && g.kind != loaded || loadedWord(passed) || wholeWord(passed) || from != nil && !from.broken && slices.Equal(from.parts, passed)
	})
}

// wholeWord reports whether values are the parts of one split, in order.
func wholeWord(parts []ir.Value) bool {
	def := parts[0].DefiningOp()
	return !def.IsNil() && def.Is(nvvm.Unpack) && slices.Equal(def.Results(), parts)
}
