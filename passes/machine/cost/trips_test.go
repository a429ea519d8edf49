package cost_test

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes/machine/cost"
)

const loops = `nv_tileas.func @k(%n: i64) {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %7 = arith.constant 7 : i64
  %most = arith.constant 4294967296 : i64
  scf.for %i = %0 to %7 step %1 : i64 { scf.continue }
  scf.for %i = %1 to %0 step %1 : i64 { scf.continue }
  scf.for %i = %0 to %n step %1 : i64 { scf.continue }
  scf.for %i = %0 to %most step %1 : i64 { scf.continue }
  scf.for %i = %0 to %n step %1 : i64 { scf.continue } {nv_tileaa.trips = 4 : i64}
  scf.for %i = %0 to %n step %1 : i64 { scf.continue } {nv_tileaa.trips = 4 : i64, nv_tileaa.rest}
  nv_tileas.return
}`

// TestTimes: a loop counts by its constant bounds, the first version by those of its loop, else as assumed, and other
// versions once. Nothing counts more than 2^24 times.
func TestTimes(t *testing.T) {
	t.Parallel()
	c := ir.NewContext(tileas.Dialect)
	module, err := asm.Parse(c, "k.mlir", []byte(loops), asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var of []ir.Op
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(scf.For) || op.Is(tileas.Level.Return) {
			of = append(of, op)
		}
		return ir.Advance
	})
	want := []struct{ n, times int64 }{{3, 21}, {3, 0}, {3, 3 * cost.AssumedTrips}, {1 << 10, 1 << 24}, {3, 12}, {3, 3}, {5, 5}}
	if len(of) != len(want) {
		t.Fatalf("%d operations", len(of))
	}
	for i, w := range want {
		if got := cost.Times(w.n, of[i]); got != w.times {
			t.Errorf("%v: %d times, want %d", of[i], got, w.times)
		}
	}
}
