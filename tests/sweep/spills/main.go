// Command spills compares the code of kernels of the sweep with that of tileiras: spills -cu DIR [-kernels FIRST:END]
// [-gpu NAME,...]. DIR has tileiras, ptxas and nvdisasm. For each kernel that falls back, does not assemble, or accesses
// local memory more often than tileiras's code, it prints a row. The last line counts.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/tests/sweep"
)

func main() {
	cu := flag.String("cu", "", "the folder of NVIDIA's tools")
	kernels := flag.String("kernels", "0:20", "FIRST:END")
	gpus := flag.String("gpu", "sm_80,sm_90,sm_100,sm_120", "targets")
	flag.Parse()
	var first, end uint64
	if n, err := fmt.Sscanf(*kernels, "%d:%d", &first, &end); n != 2 {
		fmt.Fprintln(os.Stderr, "spills: -kernels:", err)
		os.Exit(2)
	}
	dir, err := os.MkdirTemp("", "spills")
	if err != nil {
		fmt.Fprintln(os.Stderr, "spills:", err)
		os.Exit(1)
	}
	defer os.RemoveAll(dir)
	os.Setenv("PATH", *cu+string(os.PathListSeparator)+os.Getenv("PATH")) // tileiras calls ptxas
	c := comparison{cu: *cu, dir: dir}
	for n := first; n < end; n++ {
		for gpu := range strings.SplitSeq(*gpus, ",") {
			if row := c.row(sweep.Draw(n), gpu); row != "" {
				fmt.Printf("%4d %-7s %s\n", n, gpu, row)
			}
		}
	}
	fmt.Printf("%d of %d level or ahead; %d more spills, %d fallbacks, %d without code; tileiras rejects %d\n", c.level, c.tried, c.worse, c.fallbacks, c.failed, c.rejected)
}

// A comparison counts rows.
type comparison struct {
	cu, dir                                          string
	tried, level, worse, fallbacks, failed, rejected int
}

// row compares one kernel for one target, and says where it falls short.
func (c *comparison) row(k sweep.Kernel, gpu string) string {
	c.tried++
	ours, fallbacks, err := c.ours(k, gpu)
	if err != nil {
		c.failed++
		return fmt.Sprintf("no code: %v: %s", err, k.Name)
	}
	if fallbacks > 0 {
		c.fallbacks++
		return fmt.Sprintf("%d fallbacks: %s", fallbacks, k.Name)
	}
	theirs, err := c.theirs(k, gpu)
	switch {
	case err != nil:
		c.rejected++
		return fmt.Sprintf("tileiras: %.100v: %s", err, k.Name)
	case ours > theirs:
		c.worse++
		return fmt.Sprintf("spills %d/%d: %s", ours, theirs, k.Name)
	default:
		c.level++
	}
	return ""
}

func read(k sweep.Kernel) (ir.Op, error) {
	return tileir.Read(tileir.NewContext(), "k.mlir", []byte(k.Text))
}

// ours returns how many instructions of our code access local memory.
func (c *comparison) ours(k sweep.Kernel, gpu string) (spills, fallbacks int, err error) {
	module, err := read(k)
	if err != nil {
		return 0, 0, err
	}
	code, err := compile.To(context.Background(), module, compile.Options{GPU: gpu, OptLevel: 3, Fallback: true})
	if err != nil {
		return 0, 0, err
	}
	tool := ptxas.Tool{Path: filepath.Join(c.cu, "ptxas")}
	r, err := tool.Assemble(context.Background(), code.PTX, ptxas.Options{Arch: code.Launch.Target, OptLevel: 3})
	if err != nil {
		return 0, 0, err
	}
	file := filepath.Join(c.dir, "ours.cubin")
	if err := os.WriteFile(file, r.Cubin, 0o600); err != nil {
		return 0, 0, err
	}
	spills, err = c.count(file)
	return spills, len(code.Fallbacks), err
}

// theirs returns how many of tileiras's do.
func (c *comparison) theirs(k sweep.Kernel, gpu string) (int, error) {
	module, err := read(k)
	if err != nil {
		return 0, err
	}
	module.Walk(func(op ir.Op) ir.WalkResult { // what stands in the builtin module
		if op.Is(cudatile.Module) {
			module = op
			return ir.Interrupt
		}
		return ir.Advance
	})
	data, err := bytecode.Encode(module, bytecode.Options{})
	if err != nil {
		return 0, err
	}
	in, out := filepath.Join(c.dir, "k.tileirbc"), filepath.Join(c.dir, "theirs.cubin")
	if err := os.WriteFile(in, data, 0o600); err != nil {
		return 0, err
	}
	if said, err := exec.Command(filepath.Join(c.cu, "tileiras"), "--gpu-name", gpu, in, "-o", out).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, said)
	}
	return c.count(out)
}

// local finds the opcodes of accesses to local memory.
var local = regexp.MustCompile(`\b(LDL|STL)\b`)

func (c *comparison) count(cubin string) (int, error) {
	cmd := exec.Command(filepath.Join(c.cu, "nvdisasm"), "-c", cubin)
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("nvdisasm: %w: %s", err, &said)
	}
	return len(local.FindAll(text, -1)), nil
}
