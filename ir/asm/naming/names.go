package naming

import (
	"strconv"

	"github.com/tilewright/tilewright/ir"
)

// Values are named as the reference printer does it. The values of a region are named first, in order, then those of
// each nested region, which goes on counting from where the region around it ended; what is isolated from above
// starts again at zero. A value has, in this order, the name that the text gave it, the hint of its row, or a number
// (arguments of entry blocks: arg and a number). A name that is taken in the region or around it gets a suffix _N
// from a counter of conflicts. Results form groups, %0:2, unless the row names more than the first.

// A Name says how a value is written. The zero Name is that of a value that was not named.
type Name struct {
	ID  int32 // n+1 for %n, -n-1 for text[n]
	Sub int32 // place in a group of results; -1: in none
}

// A nameState is what a nested region inherits from the one around it.
type nameState struct{ value, arg, conflict int32 }

// Names holds the names of the values and blocks of one arena.
type Names struct {
	nameState
	Arena  *ir.Arena
	hints  bool
	values []Name  // by value number
	blocks []int32 // by block number: position in its region
	table  nameTable
	Busy   int // greater than 0: in use, not to be given to another arena

	current ir.Op // whose results are being named
	result  func(v ir.Value, name string)
}

// Around names the values that the text of op may mention: all of the arena it lives in. With hints, rows propose
// names.
func Around(op ir.Op, hints bool) *Names {
	for {
		parent := op.ParentOp()
		switch {
		case parent.IsNil():
			n := newNames(op.Arena(), hints, nil)
			n.op(op)
			n.nested(op)
			return n
		case parent.Arena() != op.Arena():
			return Inside(parent, hints, nil)
		}
		op = parent
	}
}

// Inside names the values in the regions of an isolated operation. It takes the memory of spare, which may be nil.
func Inside(owner ir.Op, hints bool, spare *Names) *Names {
	n := newNames(owner.InnerArena(), hints, spare)
	for i := range owner.NumRegions() {
		n.subregion(owner, owner.Region(i))
	}
	return n
}

// newNames returns names for an arena, of which none is given yet.
func newNames(a *ir.Arena, hints bool, spare *Names) *Names {
	n := spare
	if n == nil {
		n = &Names{}
		n.result = func(v ir.Value, name string) {
			if v.DefiningOp() == n.current && n.Get(v).ID == 0 {
				n.named(v, name)
			}
		}
	}
	n.Arena, n.hints, n.nameState = a, hints, nameState{}
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

// Get returns the name of a value; the zero Name for a value of another arena.
func (n *Names) Get(v ir.Value) Name {
	if id := v.ID(); id < len(n.values) && v.Arena() == n.Arena {
		return n.values[id]
	}
	return Name{}
}

// Block returns the position of a block in its region, or -1.
func (n *Names) Block(b ir.Block) int {
	if id := b.ID(); id < len(n.blocks) {
		return int(n.blocks[id])
	}
	return -1
}

func (n *Names) set(v ir.Value, name Name) { n.values[v.ID()] = name }

// subregion names what is in a region, with the state around it restored afterwards.
func (n *Names) subregion(owner ir.Op, r ir.Region) {
	state, mark := n.nameState, len(n.table.used)
	n.region(owner, r)
	n.nameState = state
	n.table.forget(mark)
}

func (n *Names) region(owner ir.Op, r ir.Region) {
	if hint := owner.Def().ArgNames; hint != nil && n.hints {
		propose(hint, owner, func(v ir.Value, name string) {
			if v.Arena() == n.Arena && v.IsBlockArg() && v.Name() == "" && v.Block().Region() == r && n.Get(v).ID == 0 {
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
func (n *Names) nested(op ir.Op) {
	for i := range op.NumRegions() {
		if r := op.Region(i); r.Arena() == n.Arena {
			n.subregion(op, r)
		}
	}
}

func (n *Names) args(b ir.Block) {
	entry := b.IsEntry()
	for i := range b.NumArgs() {
		v := b.Arg(i)
		switch {
		case n.Get(v).ID != 0:
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
func (n *Names) op(op ir.Op) {
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
	if n.Get(first).ID == 0 {
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
func (n *Names) textNames(op ir.Op, results int) bool {
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
func (n *Names) group(op ir.Op, results int) {
	head, at := Name{}, 0
	for i := range results {
		v := op.Result(i)
		if own := n.Get(v); own.ID != 0 {
			head, at = own, i
			continue
		}
		if i == at+1 {
			n.set(op.Result(at), Name{head.ID, 0})
		}
		n.set(v, Name{head.ID, int32(i - at)})
	}
}

func (n *Names) numbered(v ir.Value) {
	n.value++
	n.set(v, Name{n.value, -1})
}

// named gives v a name that is free.
func (n *Names) named(v ir.Value, name string) {
	if name == "" {
		n.numbered(v)
		return
	}
	n.set(v, Name{int32(-1 - n.table.add(name, &n.conflict)), -1})
}

// Append appends %name, without the number in a group of results.
func (n *Names) Append(buf []byte, name Name) []byte {
	buf = append(buf, '%')
	switch {
	case name.ID == 0:
		return append(buf, "<<UNKNOWN SSA VALUE>>"...)
	case name.ID > 0:
		return strconv.AppendInt(buf, int64(name.ID-1), 10)
	}
	return append(buf, n.table.get(int(-name.ID-1))...)
}
