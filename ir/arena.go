package ir

import "fmt"

// An Arena holds the operations inside one isolated operation (or a detached top-level operation). An arena is used
// by one goroutine at a time; different arenas may be used in parallel.
type Arena struct {
	ctx   *Context
	owner Op       // the isolated operation whose regions these are; nil for a top-level arena
	roots []uint32 // the regions of owner

	ops      table[opRec]
	operands table[useRec]
	values   table[valueRec]
	blocks   table[blockRec]
	regions  table[regionRec]
	succs    table[succRec]
	words    table[uint32] // attribute slots, block argument lists and region lists

	children []*Arena      // arenas of isolated operations in this one; opRec.regions is an index + 1
	names    table[uint32] // by value: 1 + the offset in nameText, where the name follows its length; 0: none
	nameText []byte

	live    int    // operations that are not erased
	changes uint64 // how often something has changed (Op.Changes)
}

// NewArena returns an empty arena.
func (c *Context) NewArena() *Arena { return &Arena{ctx: c} }

// Context returns the context that the arena's types and attributes belong to.
func (a *Arena) Context() *Context { return a.ctx }

// NumOps returns how many operations live in the arena, not counting those in the arenas of isolated operations within.
func (a *Arena) NumOps() int { return a.live }

// Changes returns a number that grows with each change of an operation: of what is nested in it, and of its attributes and
// location. Whoever compares two such numbers knows whether something has changed in between.
func (op Op) Changes() uint64 { return op.InnerArena().allChanges() }

func (a *Arena) allChanges() uint64 {
	n := a.changes
	for _, child := range a.children {
		if child != nil {
			n += child.allChanges()
		}
	}
	return n
}

// touch counts a change of the operation itself. One that is isolated counts it inside: different goroutines may work on
// its neighbours.
func (op Op) touch() { op.InnerArena().changes++ }

// Reserve makes room for about so many operations in an empty arena.
func (a *Arena) Reserve(ops int) {
	n := uint32(min(ops, pageSize))
	a.ops.reserve(n)
	a.operands.reserve(n)
	a.values.reserve(n)
	a.words.reserve(n)
	a.names.reserve(n)
}

// Bytes returns how much memory the records of the arena take, not counting those in the arenas of isolated
// operations within.
func (a *Arena) Bytes() int {
	return tableBytes(&a.ops) + tableBytes(&a.operands) + tableBytes(&a.values) + tableBytes(&a.blocks) + tableBytes(&a.regions) +
		tableBytes(&a.succs) + tableBytes(&a.words) + tableBytes(&a.names) + cap(a.nameText)
}

// The records. An index of 0 means "none"; runs are consecutive records.

type opRec struct {
	def        uint32 // 0: erased
	loc        uint32
	block      uint32
	prev, next uint32
	order      uint32 // grows along the block, when the block says so
	operands   uint32 // run of useRec
	nOperands  uint32
	results    uint32 // run of valueRec
	nResults   uint32
	attrs      uint32 // run of words: inherent attributes by slot
	dict       uint32 // discardable attributes, a DictAttr; 0: none
	regions    uint32 // run of words: region ids; for an isolated op index+1 of its child arena
	succs      uint32 // run of succRec
	nRegions   uint32
	nSuccs     uint32
}

type useRec struct {
	value      uint32
	owner      uint32 // op
	next, prev uint32 // use list of value
}

type valueRec struct {
	typ      uint32
	firstUse uint32
	owner    uint32 // op or block
	index    uint32 // result or argument number; the top bit marks a block argument
}

const blockArgBit = 1 << 31

type blockRec struct {
	region      uint32
	prev, next  uint32
	first, last uint32 // ops
	args        uint32 // run of words: value ids
	nArgs       uint32
	capArgs     uint32
	firstPred   uint32 // list of succRec
	ordered     bool
}

type regionRec struct {
	op          uint32 // parent op in this arena; rootRegion for one of the arena's owner, 0 while detached
	index       uint32
	first, last uint32 // blocks
}

const rootRegion = 1<<32 - 1

type succRec struct {
	block      uint32
	owner      uint32
	next, prev uint32
}

// What panics with one of these makes no text of it, so that it can be inlined.
type (
	staleOp   uint32 // the number of an erased operation that is used
	noOperand Op     // an operation that has fewer operands than it is asked for
	noResult  Op
)

func (id staleOp) Error() string {
	return fmt.Sprintf("ir: use of an erased operation (#%d)", uint32(id))
}
func (op noOperand) Error() string { return "ir: operand number out of range in " + Op(op).Name() }
func (op noResult) Error() string  { return "ir: result number out of range in " + Op(op).Name() }
