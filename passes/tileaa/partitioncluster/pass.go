package partitioncluster

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/target/sm"
)

// Options are the options of the pass.
type Options struct {
	CTAs     int `opt:"ctas" help:"CTAs of a tile block, whatever hints say; 0: as these ask for"`
	Exchange int `opt:"exchange" help:"cost of an exchange between CTAs, in steps of arithmetic on an element"`
}

var (
	numPartitioned = passes.NewStatistic("num-partitioned", "kernels whose tile blocks are partitioned among CTAs")
	numParts       = passes.NewStatistic("num-parts", "operations that are partitioned among CTAs")
)

// Pass is tileaa-partition-cluster.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileaa-partition-cluster",
	Formerly: []string{"tileaa-distribute"},
	Summary:  "partition tile blocks among the CTAs of a cluster",
	Doc: `Follows the hints num_cta_in_cga, tt.num_ctas and tt.cluster_dim: every CTA of a cluster computes its subtiles
of the tiles that are stored, and what these need. A tile block whose exchanges would cost
more than they save keeps one CTA, with a remark that says why.`,
	Options:  func() any { return &Options{Exchange: perExchange} },
	Requires: []*passes.Property{property.TileAA},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 0}},
	After: []passes.Edge{
		{Pass: "tileaa-attach-facts", Reason: "accesses of parts get the facts of the tile's"},
		{Pass: "tileaa-attach-objects", Reason: "what cannot overlap needs no order between CTAs"},
		{Pass: "tileaa-eliminate-loads", Reason: "a load that is gone is not in the way"},
		{Pass: "tileaa-eliminate-dead-stores", Reason: "a store that is gone is not in the way"},
		{Pass: "tileaa-prune-tokens", Reason: "an order that no conflict needs is not in the way"},
		{Pass: "licm#tileaa", Reason: "what is loop-invariant is computed once"},
	},
	Before: []passes.Edge{
		{Pass: "tileaa-hoist-addresses", Reason: "addresses of parts are sums, too"},
		{Pass: "tileaa-strip-mine", Reason: "parts may fit the registers where tiles do not"},
		{Pass: "tileaa-version-loops", Reason: "facts are tested of the parts"},
		{Pass: "tileaa-narrow-integers", Reason: "offsets of parts are integers that fit, too"},
		{Pass: "convert-tileaa-to-tileas", Reason: "warps are chosen by what a CTA computes"},
	},
	Statistics: []*passes.Statistic{numPartitioned, numParts},
	Uses:       []*passes.Analysis{alias.Analysis.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	spec := contract.KernelSpecOf(r.Op)
	n := spec.Cluster
	o := passes.OptionsOf[Options](r)
	if o.CTAs > 0 {
		n = o.CTAs
	}
	// The shape that the program fixes holds even for a kernel that no hint wants partitioned: it is launched
	// that way.
	explicit := fixedShape(r.Op)
	if n <= 1 && explicit <= 1 || spec.NumCTAs > 1 {
		return nil
	}
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	if n, err = allowed(r, arch, n, explicit); err != nil {
		return err
	}
	spec.Cluster = 0
	if n > 1 {
		switch parts, reason := partition(r, arch, n, o.Exchange); {
		case reason == "":
			spec.NumCTAs = n
			r.Add(numPartitioned, 1)
			r.Add(numParts, parts)
			remark.ClusterPartitioned.At(r, r.Op.Loc(), "tile blocks of '%s' are partitioned among %d CTAs each", r.Op.SymbolName(), n).Report()
		case explicit > 1:
			spec.NumCTAs = n
			firstOnly(r.Op)
			unpartitioned(r, reason, "tile blocks of '%s' are computed by the first of %d CTAs each: %s", r.Op.SymbolName(), n, reason)
		default:
			unpartitioned(r, reason, "tile blocks of '%s' have one CTA each, not %d as hints ask: %s", r.Op.SymbolName(), n, reason)
		}
	}
	r.Op.SetAttr(contract.AttrKernelSpec, contract.NewKernelSpec(r.Op.Context(), tileaa.Dialect, spec))
	return nil
}

// unpartitioned says that the tile blocks of a kernel are not partitioned among the CTAs of a cluster, which the
// program asked for.
func unpartitioned(r *passes.Run, reason, format string, args ...any) {
	remark.ClusterNotPartitioned.At(r, r.Op.Loc(), format, args...).Arg(remark.ReasonKey, reason).Warn()
}

// fixedShape returns how many CTAs the clusters have that the program says it will be launched in; 1 if it does not
// say.
func fixedShape(kernel ir.Op) int64 {
	module := kernel.ParentOp()
	for _, name := range []string{contract.ClusterDim, contract.ClusterSize} {
		if a := module.Attr(name); !module.IsNil() && a != nil {
			return contract.CTAs(a)
		}
	}
	return 1
}

// allowed returns how many CTAs a tile block can have on the target, of n that are asked for. A shape that the
// program fixes is that or an error.
func allowed(r *passes.Run, arch *sm.Arch, n int, explicit int64) (int, error) {
	// More than arch.Cluster.Portable need an attribute of the launch, which docs/launch.md names.
	most := arch.Cluster.Max
	rank, ranked := r.Op.IntAttr(contract.MaxClusterRank)
	if ranked {
		most = min(most, int(rank))
	}
	if explicit > 1 {
		switch limit := arch.Cluster.Max; {
		case explicit > int64(limit):
			return 0, r.Op.Errorf("is to be launched in clusters of %d CTAs ('%s'), but %s has at most %d in a cluster", explicit, contract.ClusterDim, arch, limit)
		case explicit&(explicit-1) != 0:
			return 0, r.Op.Errorf("is to be launched in clusters of %d CTAs ('%s'), which is no power of two", explicit, contract.ClusterDim)
		case ranked && explicit > rank:
			return 0, r.Op.Errorf("is to be launched in clusters of %d CTAs ('%s'), but '%s' allows %d", explicit, contract.ClusterDim, contract.MaxClusterRank, rank)
		}
		return int(explicit), nil
	}
	given := n
	// Halved, so that the number stays a power of two if the hint is one.
	for n > most {
		n /= 2
	}
	if n = max(n, 1); n < given {
		r.Warnf(r.Op.Loc(), "'%s' asks for %d CTAs for a tile block and gets %d: %s has clusters of at most %d", r.Op.SymbolName(), given, n, arch, most)
	}
	return n, nil
}

// firstOnly makes all CTAs but the first return at once. Each does the entire tile block otherwise, and stores
// would race.
func firstOnly(kernel ir.Op) {
	b := ir.BuilderBefore(kernel.Body().First())
	b.SetLocOf(kernel)
	other := arith.NewCmpI(b, "ne", rank(b), arith.NewInt(b, b.Context().Int(32), 0))
	branch := scf.CreateIf(b, other, nil)
	ir.BuilderAtEnd(branch.Region(0).First()).Create(tileaa.Level.Return, nil, nil)
	ir.BuilderAtEnd(branch.Region(1).First()).Create(scf.Yield, nil, nil)
}

// rank reads the number of the CTA.
func rank(b *ir.Builder) ir.Value {
	return b.Create(tileaa.Level.CTARank, nil, []ir.Type{b.Context().Int(32)}).Result(0)
}
