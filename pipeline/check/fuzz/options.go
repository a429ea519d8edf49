package fuzz

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/sm"
)

// targets are those that ForSeed chooses from: one of each generation with instructions of its own.
var targets = []string{"sm_80", "sm_90", "sm_100", "sm_120"}

// tensorMaps are the ways that ForSeed chooses from.
var tensorMaps = []contract.TensorMaps{contract.TensorMapParams, contract.TensorMapsDevice, contract.TensorMapParams, contract.TensorMapsDevice, contract.NoTensorMaps}

// warpRoles are the ways to specialize warps that ForSeed chooses from. With auto it is never profitable in kernels as
// small as random ones.
var warpRoles = []string{"always", "pingpong", "auto", "none"}

// ForSeed completes options by the seed. It chooses a target, a level of optimization, a source of tensor maps and a
// kind of warp specialization where they are left open. Consecutive seeds cover all of these.
func ForSeed(seed uint64, opts Options) Options {
	n := uint64(len(targets))
	if opts.GPU == "" {
		opts.GPU = targets[seed%n]
	}
	if opts.OptLevel < 0 {
		opts.OptLevel = int(seed / n % 4)
	}
	if opts.TensorMaps == contract.AutoTensorMaps {
		opts.TensorMaps = tensorMaps[seed/3%uint64(len(tensorMaps))]
	}
	if opts.WarpRoles == "" {
		opts.WarpRoles = warpRoles[seed/5%uint64(len(warpRoles))]
	}
	return opts
}

// BulkOptions are options of tileas-plan-copies that use TMA where it is not profitable: in short loops, for
// synchronous MMAs, and for tiles that no MMA reads. Loops of random kernels are short, and a target has either
// synchronous or asynchronous MMAs.
const BulkOptions = "anything=true short=true synchronous=true"

// ClusterOptions are options of tileaa-partition-cluster under which CTAs tell each other whatever lets them share
// a CTA: random kernels are too small for that to pay.
const ClusterOptions = "exchange=0"

// passOptions returns the options of passes for warp specialization and for the source of tensor maps. A kernel is
// compiled with the default options, or with as many TMA copies as there can be.
func (o Options) passOptions() map[string]string {
	out := make(map[string]string)
	if o.TensorMaps == contract.TensorMapsDevice {
		out["tileas-plan-copies"] = BulkOptions
	}
	out["tileaa-partition-cluster"] = ClusterOptions
	tileir.WarpRoles(out, o.WarpRoles)
	return out
}

// hasProducts reports whether the kernel of a seed is one of large products: the seeds of one in eight rounds over
// targets and levels.
func hasProducts(seed uint64) bool { return seed/16%8 == 1 }

// Generate returns the kernel of a seed for the target of the options, which has what the kernel needs.
func Generate(seed uint64, opts Options) (*generate.Kernel, error) {
	arch, err := sm.Lookup(opts.GPU)
	if err != nil {
		return nil, err
	}
	return generate.New(seed, generate.Options{NoBF16Atomics: !arch.Has(sm.AtomBF16), Loops: opts.Loops, Products: opts.Products || hasProducts(seed)}), nil
}
