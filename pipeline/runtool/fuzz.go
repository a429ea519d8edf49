package runtool

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tilewright/tilewright/pipeline/fuzz"
	"github.com/tilewright/tilewright/pipeline/generate"
	"github.com/tilewright/tilewright/target/npy"
)

// fuzzReport is after how many kernels the tool says how far it is.
const fuzzReport = 100

// shrinkTests bounds how many modules are tried to shrink a finding.
const shrinkTests = 4000

// runFuzz tries random kernels and reports whether nothing was found.
func (c *config) runFuzz(ctx context.Context, stdout, stderr io.Writer) (bool, error) {
	opts := fuzz.Options{GPU: c.gpu, OptLevel: c.optLevel}
	dir := "."
	if len(c.out) > 0 {
		dir = c.out[0]
	}
	known := make(map[string]int)
	found := 0
	for i := range c.fuzz {
		seed := c.seed + i
		text, req := generate.Kernel(seed, generate.Options{})
		f, err := fuzz.Check(ctx, text, req, opts)
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
	fmt.Fprintf(stdout, "%d kernels for %s from seed %d: %d findings, %d of them different\n", c.fuzz, c.gpu, c.seed, found, len(known))
	return found == 0, nil
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
	command, err := c.fuzzCommand(f, stem)
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
func (c *config) fuzzCommand(f *fuzz.Finding, stem string) (string, error) {
	g := f.Launch.Grid
	words := []string{name, stem + ".mlir", "--entry=" + f.Launch.Entry, fmt.Sprintf("--grid=%d,%d,%d", g[0], g[1], g[2]), "--diff-engines=interp,ptx",
		"--gpu-name=" + c.gpu, fmt.Sprintf("-O%d", c.optLevel)}
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
	return strings.Join(words, " "), nil
}

// checkFuzz checks that the flags go together.
func (c *config) checkFuzz() error {
	if len(c.inputs) > 0 {
		return fmt.Errorf("--fuzz makes its own kernels, but got '%s'", c.inputs[0])
	}
	for _, f := range launchFlags {
		if c.flags.Changed(f) {
			return fmt.Errorf("--%s describes the launch of a module, but --fuzz makes its own", f)
		}
	}
	if len(c.out) > 1 || len(c.out) == 1 && strings.Contains(c.out[0], "=") {
		return fmt.Errorf("--out names one folder for what --fuzz finds, but got '%s'", strings.Join(c.out, "' and '"))
	}
	return nil
}
