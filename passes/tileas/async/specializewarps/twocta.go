package specializewarps

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Two-CTA MMAs are issued by the MMA warp of the even CTA of a pair (PTX ISA, tcgen05, .cta_group::2; CUTLASS's
// PipelineTmaUmmaAsync for two SMs):
//
//	role "load"       acquires a stage of its own CTA, and loads its operands there. The even CTA counts the bytes of both.
//	role "product"    in the even CTA alone waits for these, and issues. Both CTAs hear when an MMA is done.
//	role "compute"    waits for the accumulator in its own CTA, and releases it to the even CTA.
//
// The pipes are of two CTAs. Roles are as for one CTA otherwise.

// inEvenCTA lets what f creates execute in the even CTA only.
func (w *writer) inEvenCTA(f func()) {
	i32 := w.b.Context().Int(32)
	rank := w.b.Create(tileas.Level.CTARank, nil, []ir.Type{i32}).Result(0)
	odd := arith.New(w.b, arith.AndI, rank, arith.NewInt(w.b, i32, 1))
	w.when(arith.NewCmpI(w.b, "eq", odd, arith.NewInt(w.b, i32, 0)), w.fn, f)
}
