package fuzz

import (
	"context"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// sound reports whether the result of a launch is defined. No CTA may store two elements to one place in one
// operation, or choose a row of a view twice to store to. A result of an atomic may be used only if each element has a
// place of its own, in a launch of one CTA. Kernels are generated so; those that were shrunk may be otherwise.
func sound(text []byte, req *launch.Request) bool {
	module, err := tileir.Read(tileir.NewContext(), "kernel", text)
	if err != nil {
		return false
	}
	stores := make(map[ir.Value]bool) // what must not hold an element twice
	ok := true
	module.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(cudatile.StorePtr):
			stores[op.Operand(0)] = true
		case op.Is(cudatile.StoreView):
			for _, v := range op.OperandsNamed("index") {
				if t, is := v.Type().(*cudatile.TileType); is && t.Rank() > 0 { // of a gather_scatter_view
					stores[v] = true
				}
			}
		case op.Is(cudatile.AtomicRMW), op.Is(cudatile.AtomicCAS):
			if op.Result(0).HasUses() || op.Is(cudatile.AtomicCAS) {
				stores[op.Operand(0)] = true
				ok = ok && req.Grid == [3]uint32{1, 1, 1}
			}
		}
		return ir.Advance
	})
	if !ok {
		return false
	}
	for y := range req.Grid[1] {
		for x := range req.Grid[0] {
			e := interp.New(module)
			e.MaxSteps = interpSteps
			e.TraceBlock = [3]uint32{x, y, 0}
			e.Trace = func(ev interp.Event) {
				for _, t := range ev.Tiles {
					if stores[t.Value] && repeats(t.Bits) {
						ok = false
					}
				}
			}
			if e.Run(context.Background(), req.Clone()) != nil || !ok {
				return false
			}
		}
	}
	return true
}

// repeats reports whether a value occurs twice.
func repeats(bits []uint64) bool {
	seen := make(map[uint64]bool, len(bits))
	for _, b := range bits {
		if seen[b] {
			return true
		}
		seen[b] = true
	}
	return false
}
