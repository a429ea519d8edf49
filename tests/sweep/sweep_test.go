package sweep

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

var (
	kernels  = flag.String("kernels", "", "FIRST:END, the numbers of the kernels to compile, for all targets; empty: as many as the tier has time for")
	gpus     = flag.String("gpu", "", "the only target to compile for")
	levels   = flag.String("levels", "3", "the levels of optimization, as in 03")
	assemble = flag.Bool("ptxas", true, "assemble the code of chosen kernels")
)

// The short tier compiles a sample of the kernels, for one target each, in turn. The long one compiles more. With -kernels,
// or in the exhaustive tier, each kernel is compiled for all targets.
const sample, more, most = 16, 96, 200

// TestSweep compiles kernels in one attempt, so that none needs a fallback.
func TestSweep(t *testing.T) {
	t.Parallel()
	first, end, share := uint64(0), uint64(sample), uint64(len(sm.Names()))
	if tier.All() {
		end = more
	}
	if tier.Exhaustive() {
		end, share = most, 1
	}
	if *kernels != "" {
		share = 1
		if n, err := fmt.Sscanf(*kernels, "%d:%d", &first, &end); n != 2 {
			t.Fatalf("-kernels=%s: %v", *kernels, err)
		}
	}
	var tool *ptxas.Tool
	if (tier.All() || *kernels != "") && *assemble {
		tool = &ptxas.Tool{Path: judges.Ptxas(t)}
	}
	for n := first; n < end; n++ {
		k := Draw(n)
		targets := []string{*gpus}
		if *gpus == "" {
			targets = nil
			for i, gpu := range sm.Names() {
				if uint64(i)%share == n%share {
					targets = append(targets, gpu)
				}
			}
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			for _, gpu := range targets {
				for _, level := range *levels {
					try(t, k, gpu, int(level-'0'), tool)
				}
			}
		})
	}
}

// try compiles a kernel, and assembles it where there is an assembler.
func try(t *testing.T, k Kernel, gpu string, level int, tool *ptxas.Tool) {
	t.Helper()
	var said bytes.Buffer
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(&said))
	module, err := tileir.Read(c, t.Name(), []byte(k.Text))
	if err != nil {
		t.Fatalf("%s: %v\n%s", k.Name, err, &said)
	}
	start := time.Now()
	code, err := compile.To(context.Background(), module, compile.Options{GPU: gpu, OptLevel: level})
	if err != nil {
		t.Errorf("%s: %s -O%d: %v\n%s", k.Name, gpu, level, err, &said)
		return
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Logf("%s: %s -O%d: compiled in %v", k.Name, gpu, level, d)
	}
	if tool == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if _, err := tool.Assemble(ctx, code.PTX, ptxas.Options{Arch: code.Launch.Target, OptLevel: level}); err != nil {
		t.Errorf("%s: %s -O%d: %v", k.Name, gpu, level, err)
	}
}
