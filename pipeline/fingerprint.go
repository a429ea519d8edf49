package pipeline

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
)

// A Fingerprint identifies the structure of an operation and everything in it: operations, operands, attributes,
// types, successors, locations. It is comparable within one process.
type Fingerprint uint64

var fingerprintSeed = maphash.MakeSeed()

// FingerprintOf computes the fingerprint of an operation. Two pieces of IR that print the same with locations have
// the same one.
func FingerprintOf(op ir.Op) Fingerprint {
	h := &fingerprinter{values: make(map[ir.Value]uint64), blocks: make(map[ir.Block]uint64)}
	h.SetSeed(fingerprintSeed)
	h.number(op)
	h.op(op)
	return Fingerprint(h.Sum64())
}

type fingerprinter struct {
	maphash.Hash
	values map[ir.Value]uint64
	blocks map[ir.Block]uint64
}

// number gives values and blocks numbers by their place, since operands may refer to what is defined further on.
func (h *fingerprinter) number(op ir.Op) {
	for i := range op.NumResults() {
		h.values[op.Result(i)] = uint64(len(h.values) + 1)
	}
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			h.blocks[b] = uint64(len(h.blocks) + 1)
			for k := range b.NumArgs() {
				h.values[b.Arg(k)] = uint64(len(h.values) + 1)
			}
			for inner := range b.Ops() {
				h.number(inner)
			}
		}
	}
}

func (h *fingerprinter) op(op ir.Op) {
	h.WriteString(op.Name())
	h.object(op.Loc())
	h.num(op.NumOperands())
	for i := range op.NumOperands() {
		h.uint(h.values[op.Operand(i)])
	}
	h.num(op.NumResults())
	for i := range op.NumResults() {
		h.object(op.Result(i).Type())
	}
	for i := range op.Def().Attrs {
		if a := op.AttrAt(i); a != nil {
			h.num(i)
			h.object(a)
		}
	}
	for _, e := range op.DiscardableAttrs().Entries {
		if e.Name != contract.StateAttr { // says what happened to the IR, and is no part of what it is
			h.WriteString(e.Name)
			h.object(e.Value)
		}
	}
	h.num(op.NumSuccessors())
	for i := range op.NumSuccessors() {
		h.uint(h.blocks[op.Successor(i)])
	}
	h.num(op.NumRegions())
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			h.num(b.NumArgs())
			for k := range b.NumArgs() {
				h.object(b.Arg(k).Type())
			}
			for inner := range b.Ops() {
				h.op(inner)
			}
		}
		h.WriteString("region") // tells an operation after the region from one at its end
	}
}

func (h *fingerprinter) num(n int) { h.uint(uint64(n)) }

func (h *fingerprinter) uint(n uint64) {
	var buf [8]byte
	binary.LittleEndian.PutUint64(buf[:], n)
	h.Write(buf[:])
}

// object hashes the identity of a uniqued type or attribute.
func (h *fingerprinter) object(o any) { maphash.WriteComparable(&h.Hash, o) }
