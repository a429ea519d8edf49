package tilemmak

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
)

// An operand that a loop does not change is loaded before it, and keeps its registers. Where the loop lacks registers,
// steps load their parts again in each iteration:
//
//	%q = local_load %buf : 16x512                  for %i {
//	for %i {                                         %q0 = local_load %buf from [0, 0] : 16x16
//	  %s = dot %q, %k, 0                             %s0 = dot %q0, %k0, 0 ; ... 31 more steps
//
// Each of four warps that share the columns has all of a Q of 16x576: 144 registers beside 64 of an accumulator of
// 16x512. ptxas spills 70 of them, which costs as much as to load the parts, and more instructions.

// reload lets the steps of an MMA load their parts of such an operand, where its loop lacks registers.
func (c *cutter) reload(op ir.Op, f *operand) {
	loop := ir.LoopAround(op, false)
	if !f.load.IsNil() || loop.IsNil() {
		return
	}
	v, renamed := unconverted(f.value, op)
	if f.load = v.DefiningOp(); loadsWhole(f.load) && !loop.IsAncestorOf(f.load) && f.loadsSteps() && c.fits(loop, f.load) {
		if _, known := c.missing[loop]; !known {
			c.missing[loop] = registersOf(loop) - c.tensors
		}
		if c.missing[loop] > 0 {
			c.missing[loop] -= schedule.Registers(f.value)
			f.taken = renamed
			return
		}
	}
	f.load = ir.Op{}
}

// registersOf returns the registers of a thread for what a loop carries or does not change, and for accumulators that
// begin in it. What repeats or reshapes another tensor takes the registers of that one. What is converted in the loop to
// another layout will be converted before it (licm).
func registersOf(loop ir.Op) int {
	n, seen := schedule.Registers(loop.Region(0).First().Args()...), make(map[ir.Value]bool)
	for op := range loop.All() {
		if tileas.IsMMA(op) && layouts.IsCheap(op.Operand(2)) {
			n += schedule.Registers(op.Result(0))
		}
		for _, v := range op.Operands() {
			v = transfer.Source(v)
			if op != loop && !op.Is(tileas.ConvertLayout) && !seen[v] && unchanged(v, loop) && !layouts.IsCheap(v) {
				seen[v] = true
				n += schedule.Registers(v)
			}
		}
	}
	return n
}

// unchanged reports whether a value is from outside of a loop, but for its layout.
func unchanged(v ir.Value, loop ir.Op) bool {
	for def := v.DefiningOp(); !def.IsNil() && def.Is(tileas.ConvertLayout); def = v.DefiningOp() {
		v = def.Operand(0)
	}
	return !loop.IsAncestorOf(v.Block().ParentOp())
}

// fits reports whether a buffer may stay through a loop, and the loop still has two stages, or as many as it had. A buffer
// that a loop around reads stays anyway.
func (c *cutter) fits(loop, load ir.Op) bool {
	buffer := tileas.RootOf(load.Operand(0)).Result(0)
	around := loop
	for p := loop; !p.IsNil() && !p.IsAncestorOf(load); p = p.ParentOp() {
		around = p
	}
	if ir.Any(tileas.UsesOf(buffer), func(u ir.Use) bool { return around.IsAncestorOf(u.Owner()) }) {
		return true
	}
	const stages = 2
	return c.limits.StagesIn(loop, buffer.Type().(*tileas.BufferType).Bytes()) >= min(stages, c.limits.StagesIn(loop, 0))
}
