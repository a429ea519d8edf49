package nvvm

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

// AddressBits implements divisibility.Addressed.
func (t *PtrType) AddressBits() int {
	if t.Space.short() {
		return 32
	}
	return 64
}

// PointeeBytes implements divisibility.Addressed: addresses are counted in bytes.
func (t *PtrType) PointeeBytes() int { return 1 }

// Limits of a launch (CUDA C++ Programming Guide, compute capabilities).
const (
	maxGridX  = 1<<31 - 1
	maxGridYZ = 1<<16 - 1
	lanes     = 32
)

// registerRanges says what the special registers can be.
var registerRanges = map[string]func(op ir.Op) (lo, hi uint64){
	"tid.x": func(op ir.Op) (lo, hi uint64) { return 0, blockSize(op) - 1 },

	"ctaid.x": below(maxGridX), "ctaid.y": below(maxGridYZ), "ctaid.z": below(maxGridYZ),
	"nctaid.x": upTo(maxGridX), "nctaid.y": upTo(maxGridYZ), "nctaid.z": upTo(maxGridYZ),
	"clusterid.x": below(maxGridX), "clusterid.y": below(maxGridYZ), "clusterid.z": below(maxGridYZ),
	"nclusterid.x": upTo(maxGridX), "nclusterid.y": upTo(maxGridYZ), "nclusterid.z": upTo(maxGridYZ),
	"laneid": below(lanes), "cluster_ctarank": below(maxCluster),
}

func below(n uint64) func(ir.Op) (lo, hi uint64) {
	return func(ir.Op) (uint64, uint64) { return 0, n - 1 }
}

func upTo(n uint64) func(ir.Op) (lo, hi uint64) {
	return func(ir.Op) (uint64, uint64) { return 1, n }
}

// blockSize returns how many threads along x the block of the kernel around op has at most.
func blockSize(op ir.Op) uint64 {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if d, ok := p.Attr(AttrReqntid).(*ir.DenseArrayAttr); ok && p.Is(Func) && len(d.Values) > 0 {
			return uint64(d.Values[0])
		}
	}
	return maxThreads
}

func init() {
	for name, def := range Sreg {
		if limits := registerRanges[name]; limits != nil {
			def.Attach(intrange.Infer.Is(func(op ir.Op, _ []intrange.Range) []intrange.Range {
				lo, hi := limits(op)
				return []intrange.Range{intrange.Unsigned(32, lo, hi)}
			}))
		}
	}
	PtrAdd.Attach(divisibility.Infer.Is(func(op ir.Op, in []divisibility.Operand) []divisibility.Fact {
		return []divisibility.Fact{divisibility.Address(in[0], in[1], op.Result(0).Type())}
	}))
	same := divisibility.Infer.Is(func(_ ir.Op, in []divisibility.Operand) []divisibility.Fact { return []divisibility.Fact{in[0].Fact} })
	PtrToInt.Attach(same)
	IntToPtr.Attach(same)
}
