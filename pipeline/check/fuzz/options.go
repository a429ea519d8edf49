package fuzz

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/check/exact"
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
	k := generate.New(seed, generate.Options{NoBF16Atomics: !arch.Has(sm.AtomBF16), Loops: opts.Loops, Products: opts.Products || hasProducts(seed)})
	if opts.Exact {
		return madeExact(k, seed)
	}
	return k, nil
}

// madeExact rewrites a kernel and its launch such that no float is rounded.
func madeExact(k *generate.Kernel, seed uint64) (*generate.Kernel, error) {
	var said bytes.Buffer
	module, err := read(k.Text, &said)
	if err == nil {
		err = exact.Module(context.Background(), module)
	}
	if err != nil {
		return nil, fmt.Errorf("seed %d: %s", seed, first(said.String(), reason(err)))
	}
	var text bytes.Buffer
	if err := asm.Print(&text, module, asm.PrintOptions{}); err != nil {
		return nil, err
	}
	req := k.Launch.Clone()
	exact.Redraw(req, seed)
	return &generate.Kernel{Text: text.Bytes(), Launch: req}, nil
}
