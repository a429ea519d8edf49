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
	text   []string
	used   map[string]bool
	log    []string // used names, in order

	current ir.Op // whose results are being named
	result  func(v ir.Value, name string)
}

// nameFrom names the values that the text of op may mention: all of the arena it lives in.
func nameFrom(op ir.Op, opts PrintOptions) *arenaNames {
	for {
		parent := op.ParentOp()
		switch {
		case parent.IsNil():
			n := newArenaNames(op.Arena(), opts)
			n.op(op)
			n.nested(op)
			return n
		case parent.Arena() != op.Arena():
			return nameArena(parent, opts)
		}
		op = parent
	}
}

// nameArena names the values in the regions of an isolated operation.
func nameArena(owner ir.Op, opts PrintOptions) *arenaNames {
	n := newArenaNames(owner.InnerArena(), opts)
	for i := range owner.NumRegions() {
		n.subregion(owner, owner.Region(i))
	}
	return n
}

func newArenaNames(a *ir.Arena, opts PrintOptions) *arenaNames {
	n := &arenaNames{arena: a, hints: !opts.Generic, used: make(map[string]bool)}
	n.result = func(v ir.Value, name string) {
		if v.DefiningOp() == n.current && n.get(v).id == 0 {
			n.named(v, name)
		}
	}
	return n
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

func (n *arenaNames) set(v ir.Value, name valueName) {
	id := v.ID()
	if id >= len(n.values) {
		n.values = append(n.values, make([]valueName, max(id+1-len(n.values), 64))...)
	}
	n.values[id] = name
}

// subregion names what is in a region, with the state around it restored afterwards.
func (n *arenaNames) subregion(owner ir.Op, r ir.Region) {
	state, mark := n.nameState, len(n.log)
	n.region(owner, r)
	n.nameState = state
	for _, name := range n.log[mark:] {
		delete(n.used, name)
	}
	n.log = n.log[:mark]
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
		if id := b.ID(); id >= len(n.blocks) {
			n.blocks = append(n.blocks, make([]int32, max(id+1-len(n.blocks), 16))...)
		}
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
	name = sanitize(name)
	for base := name; n.used[name]; n.conflict++ {
		name = base + "_" + strconv.Itoa(int(n.conflict))
	}
	n.used[name] = true
	n.log = append(n.log, name)
	n.text = append(n.text, name)
	n.set(v, valueName{int32(-len(n.text)), -1})
}

// sanitize makes a name that can stand behind a percent sign.
func sanitize(name string) string {
	ok := charClass[name[0]]&classDigit == 0
	for i := range len(name) {
		ok = ok && charClass[name[i]]&classSuffix != 0
	}
	if ok {
		return name
	}
	const digits = "0123456789ABCDEF"
	var out []byte
	if charClass[name[0]]&classDigit != 0 {
		out = append(out, '_')
	}
	for i := range len(name) {
		switch c := name[i]; {
		case charClass[c]&classSuffix != 0:
			out = append(out, c)
		case c == ' ':
			out = append(out, '_')
		default:
			out = append(out, digits[c>>4], digits[c&15])
		}
	}
	return string(out)
}
