package mma

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// targets are those of them that multiply its types there.
func (p threadProduct) targets(t *testing.T) (list []string) {
	for _, gpu := range kerneltest.TensorMemoryTargets {
		arch, err := sm.Lookup(gpu)
		if err != nil {
			t.Fatal(err)
		}
		if p.elem != "i8" || arch.Has(sm.Tcgen05MmaI8) {
			list = append(list, gpu)
		}
	}
	return list
}

// tensorProducts are products that such targets compute there.
var tensorProducts = []threadProduct{
	{name: "one", m: 128, n: 64, k: 64, elem: "f16"},
	{name: "a loop", m: 128, n: 64, k: 32, elem: "f16", turns: 5},
	{name: "a loop of one turn", m: 128, n: 32, k: 64, elem: "f16", turns: 1},
	{name: "A by columns", m: 128, n: 64, k: 32, elem: "f16", turns: 3, columns: true},
	{name: "B by rows of N", m: 128, n: 128, k: 16, elem: "f16", turns: 4, rows: true},
	{name: "ragged", m: 128, n: 64, k: 32, elem: "f16", turns: 3, ragged: true},
	{name: "two along M", m: 256, n: 64, k: 32, elem: "f16", turns: 3},
	{name: "computed factors", m: 128, n: 64, k: 32, elem: "f16", turns: 3, computed: true},
	{name: "64 rows", m: 64, n: 64, k: 64, elem: "f16", turns: 3},
	{name: "64 rows, once", m: 64, n: 128, k: 64, elem: "f16"},
	{name: "64 rows, A by columns", m: 64, n: 32, k: 32, elem: "f16", turns: 3, columns: true},
	{name: "64 rows, B by rows, ragged", m: 64, n: 256, k: 32, elem: "f16", turns: 3, rows: true, ragged: true},
	{name: "64 rows, few columns", m: 64, n: 8, k: 64, elem: "f16", turns: 2},
	{name: "64 rows of bytes", m: 64, n: 64, k: 64, elem: "i8", sum: "i32", turns: 3, rows: true},
	{name: "64 rows of words", m: 64, n: 16, k: 32, elem: "i8", sum: "i32", turns: 3},
	{name: "batches", batch: 2, m: 128, n: 32, k: 32, elem: "f16", turns: 3},
	{name: "batches of 64 rows", batch: 4, m: 64, n: 32, k: 32, elem: "f16", turns: 2},
	{name: "batches, both the other way", batch: 2, m: 64, n: 64, k: 32, elem: "f16", turns: 2, columns: true, rows: true},
}

// TestTcgen05: MMAs into TMEM are right on every engine, at every level of optimisation, whatever
// the machine leaves for last.
func TestTcgen05(t *testing.T) {
	t.Parallel()
	for i, p := range tensorProducts {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			targets := p.targets(t)
			for level := range 4 {
				if !tier.Try(level+1+i, 12) {
					continue
				}
				p.inTensorMemory(t, targets[(i+level)%len(targets)], level)
			}
		})
	}
}

func (p threadProduct) inTensorMemory(t *testing.T, gpu string, level int) {
	t.Helper()
	check := func(engine string, e launch.Engine) {
		t.Helper()
		want, a, b := p.request(t, exact)
		p.sums(t, want, a, b)
		got, _, _ := p.request(t, exact)
		kerneltest.RunAndCompare(t, fmt.Sprintf("%s, -O%d, %s", gpu, level, engine), e, got, 0, want.Args[0].Buffer)
	}
	var said bytes.Buffer
	m := kerneltest.Read(t, &said, "k.mlir", []byte(p.text()))
	w := kerneltest.AtTileAS{Seen: func(m ir.Op) {
		for _, late := range []bool{false, true} {
			e := interp.New(m)
			e.Adversarial, e.Threads = late, true
			check(fmt.Sprintf("tileas, late %v", late), e)
		}
	}}
	result, err := compile.To(context.Background(), m, compile.Options{GPU: gpu, OptLevel: level, Instruments: []pipeline.Instrument{w}})
	if err != nil {
		t.Fatalf("%s, -O%d: %v\n%s", gpu, level, err, &said)
	}
	if !strings.Contains(string(result.PTX), "tcgen05.mma") {
		t.Fatalf("%s, -O%d: the MMA is not one into TMEM\n%s", gpu, level, result.PTX)
	}
	for seed := range uint64(3) {
		e := kerneltest.Emulator(t, result, "k")
		e.Adversarial, e.Seed = seed > 0, seed
		check(fmt.Sprintf("ptx, seed %d", seed), e)
	}
}

// TestAccumulatorStaysInTMEM: a sum over a loop is in TMEM from its beginning to its end: it is loaded once, behind
// the loop, and in the loop there are products and waits alone.
func TestAccumulatorStaysInTMEM(t *testing.T) {
	t.Parallel()
	for level := range 4 {
		p := threadProduct{name: "a loop", m: 128, n: 64, k: 32, elem: "f16", turns: 5}
		moves := make(map[string]int)
		w := kerneltest.AtTileAS{Seen: func(m ir.Op) {
			m.Walk(func(op ir.Op) ir.WalkResult {
				if (op.Is(tileas.TMEMLoad) || op.Is(tileas.TMEMStore)) && ir.InLoop(op) {
					moves[op.Name()]++
				}
				return ir.Advance
			})
		}}
		var said bytes.Buffer
		m := kerneltest.Read(t, &said, "k.mlir", []byte(p.text()))
		if _, err := compile.To(context.Background(), m, compile.Options{GPU: "sm_100", OptLevel: level, Instruments: []pipeline.Instrument{w}}); err != nil {
			t.Fatalf("-O%d: %v\n%s", level, err, &said)
		}
		if level > 0 && len(moves) > 0 { // -O0 waits for each product, and takes its sum
			t.Errorf("-O%d: the loop has %v", level, moves)
		}
	}
}

// TestPtxasTcgen05 assembles them for all targets with TMEM.
func TestPtxasTcgen05(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for i, p := range tensorProducts {
		for j, gpu := range kerneltest.TensorMemoryTargets {
			if !tier.Try(i+j, 12) {
				continue
			}
			level := (i + j/4) % 4
			var said bytes.Buffer
			m := kerneltest.Read(t, &said, "k.mlir", []byte(p.text()))
			result, err := compile.To(context.Background(), m, compile.Options{GPU: gpu, OptLevel: level})
			if err != nil {
				t.Fatalf("%s, %s, -O%d: %v\n%s", p.name, gpu, level, err, &said)
			}
			out, err := tool.Assemble(context.Background(), result.PTX, ptxas.Options{Arch: result.Launch.Target, OptLevel: 3})
			if err != nil {
				t.Fatalf("%s, %s, -O%d: %v", p.name, gpu, level, err)
			}
			for _, w := range out.Warnings {
				t.Errorf("%s, %s: %v", p.name, gpu, w)
			}
		}
	}
}
