package confirm

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/tilewright/tilewright/pipeline/check/fuzz"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Random kernels of each kind. They are exact: floats are small integers, so that no rounding differs.
const (
	plainKernels   = 24
	loopKernels    = 16
	productKernels = 16
	firstSeed      = 1 // of each kind
)

// numericProbes run kernels compiled from Tile IR: random ones, at all levels of optimization, as the seed chooses.
func numericProbes() (out []*Probe) {
	for _, kind := range []struct {
		name string
		n    int
		opts fuzz.Options
	}{{"random", plainKernels, fuzz.Options{}}, {"random with loops", loopKernels, fuzz.Options{Loops: true}}, {"random with MMAs", productKernels, fuzz.Options{Products: true}}} {
		for i := range kind.n {
			seed := uint64(firstSeed + i)
			made := func(ctx context.Context, t Target) (*generate.Kernel, fuzz.Options, error) {
				opts := kind.opts
				opts.GPU, opts.Exact, opts.OptLevel, opts.Seed = t.Arch.Name, true, int(seed%4), seed
				opts = fuzz.ForSeed(seed, opts)
				k, err := fuzz.Generate(seed, opts)
				return k, opts, err
			}
			out = append(out, &Probe{ID: name(Numeric, fmt.Sprintf("%s, seed %d", kind.name, seed)), Kind: Numeric, Look: "docs/no-gpu.md (tile-run --fuzz --exact repeats the kernel), then the forms that disagree",
				Means: "A compiled kernel gives another result on hardware than in the emulator, the same PTX: one of its instructions or orders is not as the emulator believes.",
				make: once(func(ctx context.Context, t Target) (*Launch, error) {
					k, opts, err := made(ctx, t)
					if err != nil {
						return nil, err
					}
					return compiled(ctx, k.Text, k.Launch, t, opts)
				}),
				second: func(ctx context.Context, t Target) (*launch.Request, error) {
					k, _, err := made(ctx, t)
					if err != nil {
						return nil, err
					}
					module, err := tileir.Read(tileir.NewContext(), "kernel", k.Text)
					if err != nil {
						return nil, err
					}
					req := k.Launch.Clone()
					e := interp.New(module)
					e.MaxSteps = steps
					return req, e.Run(ctx, req)
				}})
		}
	}
	return out
}

// once keeps what was made for the latest target: compiling takes longer than comparing.
func once(make func(ctx context.Context, t Target) (*Launch, error)) func(ctx context.Context, t Target) (*Launch, error) {
	var mu sync.Mutex
	var made *Launch
	var of Target
	return func(ctx context.Context, t Target) (*Launch, error) {
		mu.Lock()
		defer mu.Unlock()
		if made != nil && of == t {
			return made, nil
		}
		l, err := make(ctx, t)
		if err == nil {
			made, of = l, t
		}
		return l, err
	}
}

// compiled makes the launch of a kernel. Every buffer is an answer.
func compiled(ctx context.Context, text []byte, req *launch.Request, t Target, opts fuzz.Options) (*Launch, error) {
	var said bytes.Buffer
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(&said))
	module, err := tileir.Read(c, "kernel", text)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, &said)
	}
	options := compile.Options{GPU: t.Arch.Name, OptLevel: opts.OptLevel, TensorMaps: opts.TensorMaps, PassOptions: make(map[string]string)}
	tileir.WarpRoles(options.PassOptions, opts.WarpRoles)
	result, err := compile.To(ctx, module, options)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, &said)
	}
	k := result.Kernel(req.Entry)
	if k == nil {
		return nil, fmt.Errorf("no kernel '%s'", req.Entry)
	}
	l := &Launch{PTX: result.PTX, Shared: uint32(k.DynamicShared), Maps: k.TensorMaps, Request: req, Digest: true}
	for i := range min(len(k.Block), len(l.Block)) {
		l.Block[i] = uint32(k.Block[i])
	}
	for i := range l.Block {
		l.Block[i] = max(1, l.Block[i])
	}
	seen := make(map[*launch.Buffer]bool)
	for i, a := range req.Args {
		if b := a.Buffer; b != nil && !seen[b] {
			seen[b] = true
			l.Answers = append(l.Answers, i)
			l.Fields = append(l.Fields, Field{Name: fmt.Sprintf("checksum of %d bytes of argument %d", blockBytes, i), Type: launch.U32, Count: (len(b.Data) + blockBytes - 1) / blockBytes})
		}
	}
	return l, nil
}

// sides says which of our engines agrees with the device.
func (p *Probe) sides(ctx context.Context, t Target, l *Launch, got []byte) string {
	if p.second == nil {
		return ""
	}
	req, err := p.second(ctx, t)
	if err != nil {
		return "; the interpreter fails: " + strings.TrimSpace(err.Error())
	}
	if d, err := p.compare(l.Fields, got, l.Answer(req)); err == nil && d == nil {
		return "; the interpreter agrees with the device, so the emulator or the compiler is wrong"
	}
	return "; the interpreter does not agree with the device"
}
