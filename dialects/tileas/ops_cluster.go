package tileas

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
)

// AttrCluster is a unit attribute of operations on mbarriers that have to do with all CTAs of a cluster.
const AttrCluster = "cluster"

// ClusterBarrier makes the CTAs of a cluster wait for each other.
//
// A CTA may use the shared memory of another one, by multicast copies or arrivals, behind one of these only, since the other one may not have begun; and none may end in front of the last, since its
// memory ends with it.
var ClusterBarrier = Dialect.Op(ir.OpDef{
	Name: "cluster_barrier", Summary: "Waits for all threads of all CTAs that share the tile block, and makes their memory accesses visible.",
	Doc:    "CTAs that have ended count as having come. It is a barrier of the tile block too. All warps come to it, so that it stands in no role.",
	Syntax: "attr-dict",
	Verify: func(op ir.Op) error {
		if r, ok := RoleOf(op); ok {
			return op.Errorf("stands in role \"%s\", and all warps of a tile block meet there", r.Name)
		}
		return verifyClustered(op, "")
	},
})

// verifyClustered reports an operation, or what an attribute says of it, in a kernel whose tile blocks have one CTA.
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

// IsClustered reports whether an operation has to do with other CTAs of the cluster.
func IsClustered(op ir.Op) bool {
	return op.Is(ClusterBarrier) || op.Is(TMALoad) && op.HasUnitAttr(AttrMulticast) || (op.Is(MbarrierArrive) || op.Is(MbarrierWait)) && op.HasUnitAttr(AttrCluster)
}
