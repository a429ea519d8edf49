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

// warpRoles are the ways to part warps that ForSeed chooses from. Whether it pays, which auto asks, is never so in kernels as small as random ones.
var warpRoles = []string{"always", "pingpong", "auto", "none"}

// ForSeed completes options so that consecutive seeds cover targets, levels of optimisation, ways to have tensor maps and roles of warps: an empty target, a negative level, and maps and roles that are left open, are chosen by
// the seed.
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

// BulkOptions are options of tileas-plan-copies under which short loops have bulk tensor copies too, products that threads compute, and tiles that no product takes: loops of random kernels are short, and a target has one kind of products or the other.
const BulkOptions = "anything=true short=true synchronous=true"

// ClusterOptions are options of tileaa-distribute under which CTAs tell each other whatever lets them share a tile block: random kernels are too small for that to pay.
const ClusterOptions = "exchange=0"

// passOptions returns the options of passes that belong to roles and to a way to have tensor maps: a kernel is tried as users have it, or with as many bulk copies as there can be.
func (o Options) passOptions() map[string]string {
	out := make(map[string]string)
	if o.TensorMaps == contract.TensorMapsDevice {
		out["tileas-plan-copies"] = BulkOptions
	}
	out["tileaa-distribute"] = ClusterOptions
	tileir.WarpRoles(out, o.WarpRoles)
	return out
}

// hasProducts reports whether the kernel of a seed is one of large products: the seeds of one in eight rounds over targets and levels.
func hasProducts(seed uint64) bool { return seed/16%8 == 1 }

// Generate returns the kernel of a seed for the target of the options, which has what the kernel needs.
func Generate(seed uint64, opts Options) (*generate.Kernel, error) {
	arch, err := sm.Lookup(opts.GPU)
	if err != nil {
		return nil, err
	}
	return generate.New(seed, generate.Options{NoBF16Atomics: !arch.Has(sm.AtomBF16), Loops: opts.Loops, Products: opts.Products || hasProducts(seed)}), nil
}
