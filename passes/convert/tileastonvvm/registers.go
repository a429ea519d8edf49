package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// Registers of roles. A kernel is launched with one number of registers for all threads; setmaxnreg lets a group of four warps give some back, and another one take them. ptxas follows it only where it knows the
// number that the kernel is launched with (13.5: "setmaxnreg ignored; unable to determine register count at entry"), so .maxnreg says it.

const (
	// warpgroup is how many warps setmaxnreg is for, all of which must execute it (PTX ISA, setmaxnreg).
	warpgroup = 4
	regsStep  = 8 // what its operand is a multiple of
)

// A budget is how registers move where roles begin.
type budget struct {
	launched int64   // with which the kernel starts; 0: none move
	regs     []int64 // of each role; 0: it keeps those
}

// budgetOf returns the budget of the roles of a kernel of so many warps. Targets without setmaxnreg have none: there what roles ask for is advice.
func budgetOf(op ir.Op, arch *sm.Arch, warps int) (b budget, err error) {
	list, ok := op.Attr(tileas.AttrRegs).(*ir.DenseArrayAttr)
	if !ok || !arch.Has(sm.SetMaxNReg) {
		return b, nil
	}
	b.launched = int64(arch.RegistersPerThread(warps, 1)) / regsStep * regsStep
	b.regs = list.Values
	first, total := int64(0), int64(0)
	for i, n := range b.regs {
		role := tileas.RoleAt(op, i)
		if n != 0 && (role.Warps%warpgroup != 0 || first%warpgroup != 0) {
			return b, op.Errorf("gives %d registers to each thread of role \"%s\", which has warps %d to %d: only groups of %d warps can have a number of their own", n, role.Name, first, first+role.Warps-1, warpgroup)
		}
		if n == 0 {
			n = b.launched
		}
		first, total = first+role.Warps, total+n*role.Warps
	}
	if most := b.launched * first; total > most {
		return b, op.Errorf("asks for %d registers in all lanes of its %d warps together, of which there are %d: roles that take more would wait for ever", total*sm.WarpSize, first, most*sm.WarpSize)
	}
	return b, nil
}

// launchedWith returns the registers that a kernel must start with; 0: no role asks for others.
func launchedWith(fn ir.Op, arch *sm.Arch, warps int) (n int64) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.WarpSpecialize) {
			if b, err := budgetOf(op, arch, warps); err == nil { // else its lowering says so
				n = max(n, b.launched)
			}
		}
		return ir.Advance
	})
	return n
}

// setRegisters makes what a role begins with, if it gets another number.
func (b *budget) setRegisters(front *ir.Builder, role int) {
	if b.launched == 0 || b.regs[role] == 0 || b.regs[role] == b.launched {
		return
	}
	c := front.Context()
	attrs := []ir.NamedAttr{{Name: nvvm.AttrCount, Value: c.IntAttr(c.Int(32), b.regs[role])}}
	if b.regs[role] > b.launched {
		attrs = append(attrs, ir.NamedAttr{Name: nvvm.AttrMore, Value: c.Unit()})
	}
	front.Create(nvvm.SetMaxNReg, nil, nil, attrs...)
}
