package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/contract"
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
	together int     // from which role on all are in one group of warps, the last; 0: each role has groups of its own
}

// budgetOf returns the budget of the roles of a kernel of so many warps, of which an SM is to run so many tile blocks. Targets without setmaxnreg have none: there what roles ask for is advice.
func budgetOf(op ir.Op, arch *sm.Arch, warps, blocks int) (b budget, err error) {
	list, ok := op.Attr(tileas.AttrRegs).(*ir.DenseArrayAttr)
	if !ok || !arch.Has(sm.SetMaxNReg) {
		return b, nil
	}
	b.launched = int64(arch.RegistersPerThread(warps, max(1, blocks))) / regsStep * regsStep
	b.regs = list.Values
	first, total := int64(0), int64(0)
	for i, n := range b.regs {
		role := tileas.RoleAt(op, i)
		if n != 0 && (role.Warps%warpgroup != 0 || first%warpgroup != 0) && !b.lastGroup(op, i, first) {
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

// lastGroup reports whether a role is in a group of warps with all those behind it, which have the same number of registers.
func (b *budget) lastGroup(op ir.Op, i int, first int64) bool {
	if b.together > 0 {
		return true
	}
	warps := int64(0)
	for k := i; k < op.NumRegions(); k++ {
		if b.regs[k] != b.regs[i] {
			return false
		}
		warps += tileas.RoleAt(op, k).Warps
	}
	if i == 0 || first%warpgroup != 0 || warps != warpgroup {
		return false
	}
	b.together = i
	return true
}

// launchedWith returns the registers that a kernel must start with; 0: no role asks for others.
func launchedWith(fn ir.Op, arch *sm.Arch, warps int) (n int64) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.WarpSpecialize) {
			if b, err := budgetOf(op, arch, warps, contract.KernelSpecOf(fn).Occupancy); err == nil { // else its lowering says so
				n = max(n, b.launched)
			}
		}
		return ir.Advance
	})
	return n
}

// setRegisters makes what a role begins with, or several that are one group of warps, if it gets another number.
func (b *budget) setRegisters(at *ir.Builder, role int) {
	if b.launched == 0 || b.regs[role] == 0 || b.regs[role] == b.launched {
		return
	}
	c := at.Context()
	attrs := []ir.NamedAttr{{Name: nvvm.AttrCount, Value: c.IntAttr(c.Int(32), b.regs[role])}}
	if b.regs[role] > b.launched {
		attrs = append(attrs, ir.NamedAttr{Name: nvvm.AttrMore, Value: c.Unit()})
	}
	at.Create(nvvm.SetMaxNReg, nil, nil, attrs...)
}

// own reports whether a role sets its registers itself.
func (b *budget) own(role int) bool { return b.together == 0 || role < b.together }
