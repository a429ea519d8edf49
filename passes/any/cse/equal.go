package cse

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/tilewright/tilewright/ir"
)

// canCompare reports whether hash and equal understand an operation: it has no successors, and no region with several
// blocks.
//
// A region of several blocks would have to be matched block by block; bodies of structured operations have one.
func canCompare(op ir.Op) bool {
	if op.NumSuccessors() > 0 {
		return false
	}
	for i := range op.NumRegions() {
		r := op.Region(i)
		if r.Empty() {
			continue
		}
		if !r.HasOneBlock() {
			return false
		}
		for inner := range r.First().Ops() {
			if !canCompare(inner) {
				return false
			}
		}
	}
	return true
}

// Another one in each process, so that no input can be made to collide. Results do not depend on it: equal decides,
// and nothing iterates over the table.
var seed = maphash.MakeSeed()

// hash returns a number that equal operations share. Operations that read are equal only within a block.
func hash(op ir.Op, reads bool) uint64 {
	h := &hasher{}
	h.SetSeed(seed)
	if reads {
		h.num(uint64(op.Block().ID()))
	}
	h.op(op)
	return h.Sum64()
}

type hasher struct {
	maphash.Hash
	local map[ir.Value]uint64 // numbers of values that are defined inside the operation that is hashed
}

func (h *hasher) op(op ir.Op) {
	def := op.Def()
	maphash.WriteComparable(&h.Hash, def)
	h.num(uint64(op.NumOperands()))
	// A sum does not depend on the order, and unlike sorting needs no list. It is one of hashes: of the numbers
	// themselves, or of multiples of them, it would be the same for (1, 4) as for (2, 3), and n operations on such
	// pairs would all be compared.
	if def.HasTrait(ir.Commutative) {
		sum := uint64(0)
		for i := range op.NumOperands() {
			sum += maphash.Comparable(seed, h.value(op.Operand(i)))
		}
		h.num(sum)
	} else {
		for i := range op.NumOperands() {
			h.num(h.value(op.Operand(i)))
		}
	}
	for i := range op.NumResults() {
		h.object(op.Result(i).Type())
	}
	for i := range def.Attrs {
		if a := op.AttrAt(i); a != nil {
			h.num(uint64(i))
			h.object(a)
		}
	}
	h.object(op.DiscardableAttrs())
	for i := range op.NumRegions() {
		if r := op.Region(i); !r.Empty() {
			h.block(r.First())
		}
	}
	for i := range op.NumResults() {
		if h.local != nil {
			h.define(op.Result(i))
		}
	}
}

func (h *hasher) block(b ir.Block) {
	if h.local == nil {
		h.local = make(map[ir.Value]uint64)
	}
	h.num(uint64(b.NumArgs()))
	for i := range b.NumArgs() {
		h.object(b.Arg(i).Type())
		h.define(b.Arg(i))
	}
	for op := range b.Ops() {
		h.op(op)
	}
}

const localBit = 1 << 40 // above the numbers of values

func (h *hasher) define(v ir.Value) { h.local[v] = localBit + uint64(len(h.local)) }

// value returns the number of a value. Two operations with a use before its definition inside, in a graph region, do
// not look equal.
func (h *hasher) value(v ir.Value) uint64 {
	if n, ok := h.local[v]; ok {
		return n
	}
	return uint64(v.ID())
}

func (h *hasher) num(n uint64) {
	var buf [8]byte
	binary.LittleEndian.PutUint64(buf[:], n)
	h.Write(buf[:])
}

func (h *hasher) object(o any) { maphash.WriteComparable(&h.Hash, o) }

// equal reports whether two operations of one arena compute the same. It is exact where hash is not.
//
// Types and attributes are uniqued, so that each comparison is one of pointers.
func equal(a, b ir.Op) bool { return (&comparison{}).op(a, b) }

// A comparison maps values defined inside the first operation to those of the second.
type comparison struct{ inner map[ir.Value]ir.Value }

func (c *comparison) op(a, b ir.Op) bool {
	def := a.Def()
	if def != b.Def() || a.NumOperands() != b.NumOperands() || a.NumResults() != b.NumResults() || a.NumRegions() != b.NumRegions() ||
		a.DiscardableAttrs() != b.DiscardableAttrs() {
		return false
	}
	for i := range def.Attrs {
		if a.AttrAt(i) != b.AttrAt(i) {
			return false
		}
	}
	for i := range a.NumResults() {
		if a.Result(i).Type() != b.Result(i).Type() {
			return false
		}
	}
	if !c.operands(a, b, def.HasTrait(ir.Commutative)) {
		return false
	}
	for i := range a.NumRegions() {
		ra, rb := a.Region(i), b.Region(i)
		if ra.Empty() != rb.Empty() || !ra.Empty() && !c.block(ra.First(), rb.First()) {
			return false
		}
	}
	for i := range a.NumResults() {
		if c.inner != nil {
			c.inner[a.Result(i)] = b.Result(i)
		}
	}
	return true
}

func (c *comparison) operands(a, b ir.Op, commutative bool) bool {
	n := a.NumOperands()
	same := true
	for i := range n {
		same = same && c.value(a.Operand(i)) == b.Operand(i)
	}
	if same || !commutative {
		return same
	}
	// Commutative operations have few operands: look for each in the rest.
	rest := b.Operands()
	for i := range n {
		found := false
		for k, v := range rest {
			if c.value(a.Operand(i)) == v {
				rest[k] = rest[len(rest)-1]
				rest = rest[:len(rest)-1]
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func (c *comparison) value(v ir.Value) ir.Value {
	if w, ok := c.inner[v]; ok {
		return w
	}
	return v
}

func (c *comparison) block(a, b ir.Block) bool {
	if c.inner == nil {
		c.inner = make(map[ir.Value]ir.Value)
	}
	if a.NumArgs() != b.NumArgs() {
		return false
	}
	for i := range a.NumArgs() {
		if a.Arg(i).Type() != b.Arg(i).Type() {
			return false
		}
		c.inner[a.Arg(i)] = b.Arg(i)
	}
	oa, ob := a.First(), b.First()
	for !oa.IsNil() && !ob.IsNil() {
		if !c.op(oa, ob) {
			return false
		}
		oa, ob = oa.Next(), ob.Next()
	}
	return oa.IsNil() && ob.IsNil()
}
