package nvvm

import (
	"github.com/tilewright/tilewright/dialects/contract"
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

	"ctaid.x": below(ctas(maxGridX)), "ctaid.y": below(ctas(maxGridYZ)), "ctaid.z": below(ctas(maxGridYZ)),
	"nctaid.x": upTo(ctas(maxGridX)), "nctaid.y": upTo(ctas(maxGridYZ)), "nctaid.z": upTo(ctas(maxGridYZ)),
	"clusterid.x": below(blocks(maxGridX)), "clusterid.y": below(blocks(maxGridYZ)), "clusterid.z": below(blocks(maxGridYZ)),
	"nclusterid.x": upTo(blocks(maxGridX)), "nclusterid.y": upTo(blocks(maxGridYZ)), "nclusterid.z": upTo(blocks(maxGridYZ)),
	"laneid": below(always(lanes)), "cluster_ctarank": below(always(maxCluster)),
}

// A limit is a number that an operation's function bounds.
type limit func(op ir.Op) uint64

func always(n uint64) limit { return func(ir.Op) uint64 { return n } }

func below(n limit) func(ir.Op) (lo, hi uint64) {
	return func(op ir.Op) (uint64, uint64) { return 0, n(op) - 1 }
}

func upTo(n limit) func(ir.Op) (lo, hi uint64) {
	return func(op ir.Op) (uint64, uint64) { return 1, n(op) }
}

// blocks is the limit of tile blocks along an axis: of a kernel of Tile IR there are fewer than a launch may have.
func blocks(launch uint64) limit {
	return func(op ir.Op) uint64 {
		if fn := funcOf(op); !fn.IsNil() && fn.Attr(contract.AttrKernelSpec) != nil {
			return min(launch, contract.MaxGrid)
		}
		return launch
	}
}

// ctas is the limit of CTAs: a tile block may be a cluster of them.
func ctas(launch uint64) limit {
	return func(op ir.Op) uint64 {
		n := blocks(launch)(op)
		fn := funcOf(op)
		if fn.IsNil() {
			return n
		}
		if d, ok := fn.Attr(AttrClusterDim).(*ir.DenseArrayAttr); ok {
			for _, k := range d.Values {
				n *= uint64(k)
			}
		}
		return min(launch, n)
	}
}

// funcOf returns the kernel around an operation.
func funcOf(op ir.Op) ir.Op {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if p.Is(Func) {
			return p
		}
	}
	return ir.Op{}
}

// blockSize returns how many threads along x the block of the kernel around op has at most.
func blockSize(op ir.Op) uint64 {
	if fn := funcOf(op); !fn.IsNil() {
		if d, ok := fn.Attr(AttrReqntid).(*ir.DenseArrayAttr); ok && len(d.Values) > 0 {
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

// StoreInstead replaces a store by one that stores other values to the same place.
func StoreInstead(op ir.Op, values []ir.Value) {
	b := ir.BuilderBefore(op)
	st := b.NewState(St, op.Loc())
	var predicate []ir.Value
	if p := op.OperandNamed("predicate"); !p.IsNil() {
		predicate = []ir.Value{p}
	}
	st.Attrs = append(st.Attrs, op.InherentAttrs()...)
	st.OperandGroups([]ir.Value{op.OperandNamed("addr")}, values, predicate)
	b.Insert(st)
	op.Erase()
}
