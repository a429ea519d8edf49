package runtool

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/pipeline/check/fuzz"
	"github.com/tilewright/tilewright/target/engine/npy"
)

// fuzzReport is after how many kernels the tool says how far it is.
const fuzzReport = 100

// shrinkTests bounds how many modules are tried to shrink a finding.
const shrinkTests = 4000

// runFuzz tries random kernels and reports whether nothing was found.
func (c *config) runFuzz(ctx context.Context, stdout, stderr io.Writer) (bool, error) {
	dir := "."
	if len(c.out) > 0 {
		dir = c.out[0]
	}
	known := make(map[string]int)
	found := 0
	for i := range c.fuzz {
		seed := c.seed + i
		opts := c.fuzzOptions(seed)
		k, err := fuzz.Generate(seed, opts)
		if err != nil {
			return false, err
		}
		f, err := fuzz.Check(ctx, k, opts)
		if err != nil {
			return false, err
		}
		if f != nil {
			found++
			known[f.Signature()]++
			fmt.Fprintf(stderr, "%s: seed %d: %s: %s\n", name, seed, f.Kind, f.Message)
			if known[f.Signature()] == 1 { // the others are likely the same
				if err := c.keep(ctx, f, seed, dir, opts, stdout); err != nil {
					return false, err
				}
			}
		}
		if (i+1)%fuzzReport == 0 {
			fmt.Fprintf(stderr, "%s: %d kernels, %d findings\n", name, i+1, found)
		}
	}
	fmt.Fprintf(stdout, "%d kernels for %s from seed %d: %d findings, %d of them different\n", c.fuzz, cmp.Or(c.asked(c.gpus[0]), "several targets"), c.seed, found, len(known))
	return found == 0, nil
}

// fuzzOptions returns what the command line says, and what the seed chooses where it says nothing.
func (c *config) fuzzOptions(seed uint64) fuzz.Options {
	opts := fuzz.Options{GPU: c.asked(c.gpus[0]), OptLevel: -1, Adversarial: c.adversarial, Seed: seed, Loops: c.fuzzLoops, Products: c.fuzzProducts, Exact: c.exact, TensorMaps: c.tensorMaps, WarpRoles: c.warpRoles}
	if c.flags.Changed("opt-level") {
		opts.OptLevel = c.optLevel
	}
	if c.diff != nil {
		for _, e := range c.diff[1:] {
			opts.Engines = append(opts.Engines, fuzz.Engine(e))
		}
	}
	return fuzz.ForSeed(seed, opts)
}

// keep shrinks a finding and writes it, with the command that repeats it.
func (c *config) keep(ctx context.Context, f *fuzz.Finding, seed uint64, dir string, opts fuzz.Options, stdout io.Writer) error {
	f, err := fuzz.Shrink(ctx, f, opts, shrinkTests)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	stem := filepath.Join(dir, fmt.Sprintf("fuzz-%d", seed))
	command, err := c.fuzzCommand(f, stem, opts)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("// %s: %s\n// %s\n%s", f.Kind, strings.ReplaceAll(f.Message, "\n", "\n// "), command, f.Text)
	if err := os.WriteFile(stem+".mlir", []byte(text), 0o666); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "seed %d: %s\n  %s\n", seed, f.Message, command)
	return nil
}

// fuzzCommand returns the command that repeats a finding. It writes the buffers that cannot be said on a command line.
func (c *config) fuzzCommand(f *fuzz.Finding, stem string, opts fuzz.Options) (string, error) {
	g := f.Launch.Grid
	words := []string{name, stem + ".mlir", "--entry=" + f.Launch.Entry, fmt.Sprintf("--grid=%d,%d,%d", g[0], g[1], g[2]),
		"--diff-engines=interp," + string(cmp.Or(f.Engine, fuzz.PTX)), "--gpu-name=" + opts.GPU, fmt.Sprintf("-O%d", opts.OptLevel), "--tensor-maps=" + opts.TensorMaps.String(), "--warp-roles=" + opts.WarpRoles}
	if opts.TensorMaps == contract.TensorMapsDevice {
		words = append(words, "--copies='"+fuzz.BulkOptions+"'")
	}
	words = append(words, "--clusters='"+fuzz.ClusterOptions+"'")
	if opts.Adversarial {
		words = append(words, "--adversarial", fmt.Sprintf("--seed=%d", opts.Seed))
	}
	for i, a := range f.Launch.Args {
		arg := fmt.Sprintf("%v:%s", a.DType(), a.DType().FormatValue(a.Scalar.Bits))
		if b := a.Buffer; b != nil {
			if v, ok := fuzz.Uniform(b); ok {
				arg = fmt.Sprintf("%v[%d]=%s", b.DType, b.Len(), b.DType.FormatValue(v))
			} else {
				file := fmt.Sprintf("%s-arg%d.npy", stem, i)
				if err := npy.WriteFile(file, b.Array()); err != nil {
					return "", err
				}
				arg = fmt.Sprintf("%v:%s", b.DType, file)
			}
		}
		words = append(words, "--arg='"+arg+"'")
	}
	for i, a := range f.Launch.Args { // what the interpreter gave is what is expected, within bounds
		if t, ok := f.Tolerance[i]; ok && f.Want != nil && a.Buffer != nil {
			file := fmt.Sprintf("%s-want%d.npy", stem, i)
			if err := npy.WriteFile(file, f.Want.Args[i].Buffer.Array()); err != nil {
				return "", err
			}
			words = append(words, fmt.Sprintf("--check='%d=%s,rtol=%g,atol=%g'", i, file, t.Relative, t.Absolute))
		}
	}
	return strings.Join(words, " "), nil
}

// checkFuzz checks that the flags go together.
func (c *config) checkFuzz() error {
	if c.fuzz == 0 {
		return fmt.Errorf("--fuzz=0 compares nothing")
	}
	if err := c.oneGPU("fuzz"); err != nil {
		return err
	}
	if len(c.inputs) > 0 {
		return fmt.Errorf("--fuzz makes its own kernels, but got '%s'", c.inputs[0])
	}
	if c.diff != nil && c.diff[0] != "interp" {
		return fmt.Errorf("--fuzz compares with engine interp, which --diff-engines must name first, but got '%s'", c.diff[0])
	}
	if slices.Contains(c.diff, "cuda") {
		return fmt.Errorf("--fuzz does not compare with engine cuda")
	}
	if err := c.only("fuzz", "exact", "fuzz-loops", "fuzz-products", "tensor-maps", "warp-roles", "seed", "gpu-name", "opt-level", "diff-engines", "adversarial", "out"); err != nil {
		return err
	}
	if len(c.out) > 1 || len(c.out) == 1 && strings.Contains(c.out[0], "=") {
		return fmt.Errorf("--out names one folder for what --fuzz finds, but got '%s'", strings.Join(c.out, "' and '"))
	}
	return nil
}
