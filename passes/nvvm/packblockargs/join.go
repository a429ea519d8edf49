package packblockargs

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// join makes each group one argument, and returns the number of groups.
func (f *finder) join() (n int) {
	j := &joiner{f: f, at: make(map[ir.Block][]*group)}
	var blocks []ir.Block
	for _, g := range f.all {
		if g.broken {
			continue
		}
		n++
		block := g.parts[0].Block()
		if j.at[block] == nil {
			blocks = append(blocks, block)
		}
		j.at[block] = append(j.at[block], g)
		g.word = block.AddArg(block.Arena().Context().Int(32))
		for _, op := range joins(g) {
			op.Result(0).ReplaceAllUsesWith(g.word)
			op.Erase()
		}
		if g.kind == predicate {
			f.test(g)
		} else {
			takeApart(g)
		}
	}
	var terms []ir.Op
	seen := make(map[ir.Op]bool)
	for _, b := range blocks {
		for term := range b.Preds() {
			if !seen[term] {
				seen[term] = true
				terms = append(terms, term)
			}
		}
	}
	// Branches change only when all new arguments exist: one branch may pass several groups, to blocks that pass
	// on others.
	for _, term := range terms {
		j.rewire(term)
	}
	for _, b := range blocks {
		// From the last one, so that erasing an argument does not change the numbers of those that follow.
		for i := b.NumArgs() - 1; i >= 0; i-- {
			if j.isPart(b.Arg(i)) {
				b.EraseArg(i)
			}
		}
	}
	for _, g := range f.all {
		if g.kind == predicate && !g.broken {
			j.unused = append(j.unused, g.chooseNumbers()...)
		}
	}
	ir.EraseUnused(j.unused...)
	// Splits whose results are unused now. A split may be in the list several times.
	gone := make(map[ir.Op]bool)
	for _, op := range j.splits {
		if !gone[op] && !slices.ContainsFunc(op.Results(), ir.Value.HasUses) {
			gone[op] = true
			op.Erase()
		}
	}
	return n
}

type joiner struct {
	f  *finder
	at map[ir.Block][]*group // the groups of a block, in the order of their new arguments
	// splits are those whose parts some branch does not pass any more.
	splits []ir.Op
	// unused are predicates that may have no users any more.
	unused []ir.Value
}

func (j *joiner) isPart(v ir.Value) bool {
	g := j.f.groups[v]
	return g != nil && !g.broken
}

// rewire makes a branch pass packed registers instead of their parts.
func (j *joiner) rewire(term ir.Op) {
	b := ir.BuilderBefore(term)
	b.SetLocOf(term)
	passed := func(s int) []ir.Value { return j.passed(b, term, s) }
	if term.Is(cf.Br) {
		cf.CreateBr(b, term.Successor(0), passed(0)...)
	} else {
		cf.CreateCondBr(b, term.Operand(0), term.Successor(0), passed(0), term.Successor(1), passed(1))
	}
	term.Erase()
}

// passed returns the new operands that a branch passes to a successor.
func (j *joiner) passed(b *ir.Builder, term ir.Op, s int) (out []ir.Value) {
	branch, _ := ir.BranchOp.Of(term)
	lo, hi := branch(term, s)
	block := term.Successor(s)
	for i := lo; i < hi; i++ {
		if !j.isPart(block.Arg(i - lo)) {
			out = append(out, term.Operand(i))
		}
	}
	for _, g := range j.at[block] {
		parts := g.from(term, s)
		switch from := j.f.groups[parts[0]]; {
		case from != nil && !from.broken:
			out = append(out, from.word)
		// The split and the pack cancel out.
		case wholeWord(parts):
			split := parts[0].DefiningOp()
			j.splits = append(j.splits, split)
			out = append(out, split.Operand(0))
		case g.kind == predicate:
			out = append(out, number(b, parts[0]))
			j.unused = append(j.unused, parts[0])
		default:
			out = append(out, b.Create(nvvm.Pack, parts, []ir.Type{g.word.Type()}).Result(0))
		}
	}
	return out
}

// joins returns the packs of a group.
func joins(g *group) (out []ir.Op) {
	for u := range g.parts[0].Uses() {
		if u.Owner().Is(nvvm.Pack) && slices.Equal(u.Owner().Operands(), g.parts) {
			out = append(out, u.Owner())
		}
	}
	return out
}

// takeApart gives the bytes of a word to those who use them by themselves: where they are, if that is one block.
func takeApart(g *group) {
	var block ir.Block
	for _, v := range g.parts {
		for u := range v.Uses() {
			if _, branches := ir.BranchOp.Of(u.Owner()); branches {
				continue
			}
			switch b := u.Owner().Block(); {
			case block.IsNil():
				block = b
			case block != b:
				block = g.parts[0].Block()
			}
		}
	}
	if block.IsNil() {
		return
	}
	types := make([]ir.Type, len(g.parts))
	for i, v := range g.parts {
		types[i] = v.Type()
	}
	b := ir.BuilderAtStart(block)
	split := b.Create(nvvm.Unpack, []ir.Value{g.word}, types)
	for i, v := range g.parts {
		v.ReplaceUsesIf(split.Result(i), func(u ir.Use) bool {
			_, branches := ir.BranchOp.Of(u.Owner())
			return !branches
		})
	}
}
