package asm

import (
	"strconv"

	"github.com/tilewright/tilewright/ir"
)

// Values are named as the reference printer does it. The values of a region are named first, in order, then those of each nested region,
// which goes on counting from where the region around it ended; what is isolated from above starts anew. A value has, in this order,
// the name that the text gave it, the hint of its row, or a number (arguments of entry blocks: arg and a number). A name that is taken in
// the region or around it gets a suffix _N from a counter of conflicts. Results form groups, %0:2, unless the row names more than the
// first.

// A valueName says how a value is written. The zero valueName is that of a value that was not named.
type valueName struct {
	id  int32 // n+1 for %n, -n-1 for text[n]
	sub int32 // place in a group of results; -1: in none
}

// A nameState is what a nested region inherits from the one around it.
type nameState struct{ value, arg, conflict int32 }

// arenaNames holds the names of the values and blocks of one arena.
type arenaNames struct {
	nameState
	arena  *ir.Arena
	hints  bool
	values []valueName // by value number
	blocks []int32     // by block number: position in its region
	table  nameTable
	busy   int // greater than 0: in use, not to be given to another arena

	current ir.Op // whose results are being named
	result  func(v ir.Value, name string)
}

// nameFrom names the values that the text of op may mention: all of the arena it lives in.
func (p *printer) nameFrom(op ir.Op) *arenaNames {
	for {
		parent := op.ParentOp()
		switch {
		case parent.IsNil():
			n := p.newNames(op.Arena())
			n.op(op)
			n.nested(op)
			return n
		case parent.Arena() != op.Arena():
			return p.nameArena(parent)
		}
		op = parent
	}
}

// nameArena names the values in the regions of an isolated operation.
func (p *printer) nameArena(owner ir.Op) *arenaNames {
	n := p.newNames(owner.InnerArena())
	for i := range owner.NumRegions() {
		n.subregion(owner, owner.Region(i))
	}
	return n
}

// newNames returns names for an arena, of which none is given yet.
func (p *printer) newNames(a *ir.Arena) *arenaNames {
	n := p.spare
	if n == nil {
		n = &arenaNames{}
		n.result = func(v ir.Value, name string) {
			if v.DefiningOp() == n.current && n.get(v).id == 0 {
				n.named(v, name)
			}
		}
	}
	p.spare = nil
	n.arena, n.hints, n.nameState = a, !p.opts.Generic, nameState{}
	n.values = resized(n.values, a.NumValues())
	n.blocks = resized(n.blocks, a.NumBlocks())
	n.table.reset()
	return n
}

// resized returns a slice of n zeros, with the memory of s if that suffices.
func resized[T any](s []T, n int) []T {
	if n > cap(s) {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (n *arenaNames) get(v ir.Value) valueName {
	if id := v.ID(); id < len(n.values) && v.Arena() == n.arena {
		return n.values[id]
	}
	return valueName{}
}

func (n *arenaNames) block(b ir.Block) int {
	if id := b.ID(); id < len(n.blocks) {
		return int(n.blocks[id])
	}
	return -1
}

func (n *arenaNames) set(v ir.Value, name valueName) { n.values[v.ID()] = name }

// subregion names what is in a region, with the state around it restored afterwards.
func (n *arenaNames) subregion(owner ir.Op, r ir.Region) {
	state, mark := n.nameState, len(n.table.used)
	n.region(owner, r)
	n.nameState = state
	n.table.forget(mark)
}

func (n *arenaNames) region(owner ir.Op, r ir.Region) {
	if hint := owner.Def().ArgNames; hint != nil && n.hints {
		propose(hint, owner, func(v ir.Value, name string) {
			if v.Arena() == n.arena && v.IsBlockArg() && v.Name() == "" && v.Block().Region() == r && n.get(v).id == 0 {
				n.named(v, name)
			}
		})
	}
	hasNested := false
	order := int32(0)
	for b := range r.Blocks() {
		n.blocks[b.ID()] = order
		order++
		n.args(b)
		for op := b.First(); !op.IsNil(); op = op.Next() {
			n.op(op)
			hasNested = hasNested || op.NumRegions() > 0
		}
	}
	if !hasNested {
		return
	}
	for b := range r.Blocks() {
		for op := b.First(); !op.IsNil(); op = op.Next() {
			n.nested(op)
		}
	}
}

// nested names what is in the regions of op, unless they have an arena of their own.
func (n *arenaNames) nested(op ir.Op) {
	for i := range op.NumRegions() {
		if r := op.Region(i); r.Arena() == n.arena {
			n.subregion(op, r)
		}
	}
}

func (n *arenaNames) args(b ir.Block) {
	entry := b.IsEntry()
	for i := range b.NumArgs() {
		v := b.Arg(i)
		switch {
		case n.get(v).id != 0:
		case v.Name() != "":
			n.named(v, v.Name())
		case entry:
			n.named(v, "arg"+strconv.Itoa(int(n.arg)))
			n.arg++
		default:
			n.numbered(v)
		}
	}
}

// op names the results of an operation.
func (n *arenaNames) op(op ir.Op) {
	results := op.NumResults()
	if results == 0 {
		return
	}
	if !n.textNames(op, results) && n.hints {
		if hint := op.Def().ResultNames; hint != nil {
			n.current = op
			propose(hint, op, n.result)
		}
	}
	first := op.Result(0)
	if n.get(first).id == 0 {
		n.numbered(first)
	}
	if results > 1 {
		n.group(op, results)
	}
}

// propose calls a naming hook, which may trip over an operation that does not verify; it has then no more to propose.
func propose(hook func(ir.Op, func(ir.Value, string)), op ir.Op, name func(ir.Value, string)) {
	defer func() { _ = recover() }()
	hook(op, name)
}

// textNames applies the names that the text gave, and reports whether there were any.
func (n *arenaNames) textNames(op ir.Op, results int) bool {
	found := false
	for i := range results {
		v := op.Result(i)
		if name := v.Name(); name != "" {
			n.named(v, name)
			found = true
		}
	}
	return found
}

// group gives the results that have no name of their own the name of the last one before that has.
func (n *arenaNames) group(op ir.Op, results int) {
	head, at := valueName{}, 0
	for i := range results {
		v := op.Result(i)
		if own := n.get(v); own.id != 0 {
			head, at = own, i
			continue
		}
		if i == at+1 {
			n.set(op.Result(at), valueName{head.id, 0})
		}
		n.set(v, valueName{head.id, int32(i - at)})
	}
}

func (n *arenaNames) numbered(v ir.Value) {
	n.value++
	n.set(v, valueName{n.value, -1})
}

// named gives v a name that is free.
func (n *arenaNames) named(v ir.Value, name string) {
	if name == "" {
		n.numbered(v)
		return
	}
	n.set(v, valueName{int32(-1 - n.table.add(name, &n.conflict)), -1})
}
