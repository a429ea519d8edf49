package tileas

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// AttrCluster is a unit attribute of operations on mbarriers that have to do with all CTAs of a cluster.
const AttrCluster = "cluster"

var mbarrierOrParity = ir.TypeConstraint{Desc: "buffer of one mbarrier or i32", Check: func(t ir.Type) bool { return anMbarrier.Check(t) || i32.Check(t) }}

// ClusterBarrier makes the CTAs of a cluster wait for each other.
//
// A CTA may access the shared memory of another one, by multicast copies or arrivals, only after such a barrier, since
// the other CTA may not have begun. No CTA may end before the last barrier, since its memory ends with it.
//
// Inside a role the warps of the role meet, in all CTAs. Each warp arrives at an mbarrier of every CTA.
var ClusterBarrier = Dialect.Op(ir.OpDef{
	Name: "cluster_barrier", Summary: "Waits for all threads of all CTAs of the cluster, and makes their memory accesses visible.",
	Doc: "CTAs that have ended count as arrived. It is a barrier of the CTA too. All warps execute it, so it is " +
		"not inside a warp_specialize. With an mbarrier the warps of a role meet there, in all CTAs. A phase takes an " +
		"arrival from each of them, and the parity is that of the current phase.",
	Operands: []ir.Field{{Name: "at", Arity: ir.Variadic, Doc: "an mbarrier and an i32", Type: mbarrierOrParity}},
	Syntax:   "(`at` $at^ `:` type($at))? attr-dict",
	Verify: func(op ir.Op) error {
		r, in := RoleOf(op)
		switch n := op.NumOperands(); {
		case in && n == 0:
			return op.Errorf("stands in role \"%s\", and all warps of a CTA meet there", r.Name)
		case n > 0 && (!in || n != 2 || !anMbarrier.Check(op.Operand(0).Type()) || !i32.Check(op.Operand(1).Type())):
			return op.Errorf("has an mbarrier and a parity if the warps of a role meet there, and neither otherwise")
		}
		return verifyClustered(op, "")
	},
})

// MeetAround makes the CTAs of a cluster meet before the roles of a kernel and after them, where they do not yet.
// Before, all mbarriers are initialized. After, remote arrivals may be in flight, and later buffers reuse the memory.
func MeetAround(roles ir.Op) {
	meet := func(there, at ir.Op) {
		if there.IsNil() || !there.Is(ClusterBarrier) {
			b := ir.BuilderBefore(at)
			b.Loc = at.Loc()
			b.Create(ClusterBarrier, nil, nil)
		}
	}
	meet(roles.Prev(), roles)
	meet(roles.Next(), roles.Next())
}

// RemoteLoad loads from the buffer of another CTA.
//
// A CTA reads the memory of others and never writes it. So its hazards are those of a load from its own buffer, since
// all CTAs execute one program.
var RemoteLoad = Dialect.Op(ir.OpDef{
	Name: "remote_load", Summary: "Loads a tensor from the same buffer of another CTA of the cluster.",
	Doc: "A cluster_barrier must separate the load from earlier stores of that CTA. Another one must separate it " +
		"from the next store to the memory, and from the end of that CTA.",
	Operands: []ir.Field{{Name: "buffer", Type: tiles}, {Name: "cta", Type: i32, Doc: "rank of the CTA in the cluster"}}, Results: []ir.Field{{Name: "result", Type: tile.Tensor}},
	Syntax: "$buffer `of` $cta attr-dict `:` type($buffer) `->` type($result)",
	Verify: func(op ir.Op) error {
		if err := verifyClustered(op, ""); err != nil {
			return err
		}
		n := int64(contract.CTAsOf(op))
		if c, ok := ir.ConstantValue(op.Operand(1)).(*ir.IntegerAttr); ok && (c.Value < 0 || c.Value >= n) {
			return op.Errorf("number of a CTA must be from 0 to %d, but got %d", n-1, c.Value)
		}
		return verifyLocal(op)
	},
	Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
		add(ir.Effect{Kind: ir.Read, Value: op.Operand(0), Resource: SharedMemory})
	})},
})

// verifyClustered reports an operation, or what an attribute says of it, in a kernel whose CTAs have one CTA.
func verifyClustered(op ir.Op, attr string) error {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if !p.Is(Level.Func) || contract.CTAsOf(p) > 1 {
			continue
		}
		if attr == "" {
			return op.Errorf("needs a tile block that several CTAs share, but it has one")
		}
		return op.Errorf("'%s' needs a tile block that several CTAs share, but it has one", attr)
	}
	return nil
}

// verifyPaired reports an operation of two CTAs where no CTA has another one.
func verifyPaired(op ir.Op) error {
	if !op.HasUnitAttr(tile.AttrTwoCTAs) {
		return nil
	}
	return verifyClustered(op, tile.AttrTwoCTAs)
}

// IsClustered reports whether an operation has to do with other CTAs of the cluster.
func IsClustered(op ir.Op) bool {
	return op.Is(ClusterBarrier) || op.HasUnitAttr(tile.AttrTwoCTAs) || op.Is(PipeCreate) && op.Result(0).Type().(*PipeType).TwoCTAs || op.Is(Level.AllGather) || op.Is(Level.ClusterSync) || op.Is(RemoteLoad) || op.Is(TMALoad) && op.HasUnitAttr(AttrMulticast) || (op.Is(MbarrierArrive) || op.Is(MbarrierWait) || op.Is(TMEMDot) || op.Is(MMACommit)) && op.HasUnitAttr(AttrCluster)
}
