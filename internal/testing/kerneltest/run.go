package kerneltest

import (
	"context"
	"math"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// SharedWavefronts returns how many wavefronts the accesses to shared memory take, and how many they would take without
// bank conflicts.
func SharedWavefronts(r *emu.Report) (taken, ideal uint64) {
	c := &r.Total.Counters
	for _, a := range machine.Accesses() {
		if a.Unit == machine.WavefrontUnit {
			taken += c[a.First+1]
			ideal += c[a.First+2]
		}
	}
	return taken, ideal
}

// Emulator returns an emulator for compiled code, with the shared memory that its kernel asks for.
func Emulator(t *testing.T, code *compile.Result, kernel string) *emulate.Engine {
	t.Helper()
	e, err := code.Emulator("k.ptx", kernel)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// RunAndCompare runs a launch and compares the buffer that is its argument arg with want. A difference ends the test
// and names the run.
func RunAndCompare(t *testing.T, name string, e launch.Engine, req *launch.Request, arg int, want *launch.Buffer) {
	t.Helper()
	if err := e.Run(context.Background(), req); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	d, err := launch.Compare(req.Args[arg].Buffer, want, launch.Tolerance{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !d.OK() {
		t.Fatalf("%s: %d of %d elements differ, first element %d: %s", name, d.Mismatches, d.Elements, d.First, d.FirstPair)
	}
}

// Types are element types by the names that Tile IR gives them.
var Types = map[string]launch.DType{"f16": launch.F16, "f32": launch.F32, "i32": launch.I32, "i8": launch.I8, "i64": launch.I64}

// Buffer returns an argument of n elements.
func Buffer(t *testing.T, d launch.DType, n int, value func(i int) int64) launch.Arg {
	t.Helper()
	b := &launch.Buffer{DType: d, Shape: []int{n}, Data: make([]byte, d.Bytes(n))}
	for i := range n {
		d.Store(b.Data, i, Bits(t, d, value(i)))
	}
	return launch.Arg{Buffer: b}
}

// Bits returns the bits of a number as an element of a type. Tests fill buffers of many elements with it.
func Bits(t *testing.T, d launch.DType, v int64) uint64 {
	f, ok := d.Format()
	if !ok {
		return uint64(v) & (1<<(8*d.Size()-1)<<1 - 1)
	}
	bits := f.Encode(float64(v), numeric.Env{})
	if math.IsInf(f.Decode(bits), 0) {
		t.Fatalf("%d is out of range for %s", v, d)
	}
	return bits
}

// TensorMemoryTargets are the targets with TMEM.
var TensorMemoryTargets = []string{"sm_100", "sm_103", "sm_107", "sm_110"}

// An AtTileAS sees the module after the last pass at nv_tileas.
type AtTileAS struct{ Seen func(module ir.Op) }

func (w AtTileAS) Serial() bool { return true }

func (w AtTileAS) BeforePass(*pipeline.Event) {}

func (w AtTileAS) AfterPass(ev *pipeline.Event) {
	if ev.Err == nil && ev.Item.Pass.Name == "tileas-insert-barriers" {
		w.Seen(ev.Root)
	}
}
