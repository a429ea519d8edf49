package control

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/target/sm"
)

// Registers of roles. A kernel is launched with one number of registers for all threads. By setmaxnreg a
// warpgroup releases some, and another one takes them. The assembler follows it only if it knows the number at
// launch, so .maxnreg states it (ptxas 13.5: "setmaxnreg ignored; unable to determine register count at entry").

// moves are how registers move where roles begin.
type moves struct {
	launched int64   // with which the kernel starts; 0: none move
	regs     []int64 // of each role; 0: as launched
	together int     // the roles from this one on are in one warpgroup, the last; 0: each role has its own warpgroups
}

// movesOf returns the moves of a kernel with these roles. Targets without setmaxnreg have none: there what roles ask for
// is advice.
func movesOf(op ir.Op, k budget.Kernel) (m moves, err error) {
	list, ok := op.Attr(tileas.AttrRegs).(*ir.DenseArrayAttr)
	if !ok || !k.Arch.Has(sm.SetMaxNReg) {
		return m, nil
	}
	m.launched = k.AtLaunch()
	m.regs = list.Values
	first, total := int64(0), int64(0)
	for i, n := range m.regs {
		role := tileas.RoleAt(op, i)
		if n != 0 && (role.Warps%budget.Warpgroup != 0 || first%budget.Warpgroup != 0) && !m.lastGroup(op, i, first) {
			return m, op.Errorf("gives %d registers to each thread of role \"%s\", which has warps %d to %d: only a warpgroup, %d warps, can have its own number", n, role.Name, first, first+role.Warps-1, budget.Warpgroup)
		}
		if n == 0 {
			n = m.launched
		}
		first, total = first+role.Warps, total+n*role.Warps
	}
	if most := m.launched * first; total > most {
		return m, op.Errorf("asks for %d registers in all lanes of its %d warps together, of which there are %d: roles that take more would wait for ever", total*sm.WarpSize, first, most*sm.WarpSize)
	}
	return m, nil
}

// lastGroup reports whether a role is in one warpgroup with all roles after it, with the same number of registers.
func (m *moves) lastGroup(op ir.Op, i int, first int64) bool {
	if m.together > 0 {
		return true
	}
	warps := int64(0)
	for k := i; k < op.NumRegions(); k++ {
		if m.regs[k] != m.regs[i] {
			return false
		}
		warps += tileas.RoleAt(op, k).Warps
	}
	if i == 0 || first%budget.Warpgroup != 0 || warps != budget.Warpgroup {
		return false
	}
	m.together = i
	return true
}

// LaunchedWith returns the registers that a kernel must start with; 0: no role asks for others.
func LaunchedWith(fn ir.Op, arch *sm.Arch, warps int) (n int64) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.WarpSpecialize) {
			if m, err := movesOf(op, budget.Of(fn, arch).WithWarps(warps)); err == nil { // else its lowering says so
				n = max(n, m.launched)
			}
		}
		return ir.Advance
	})
	return n
}

// setRegisters writes setmaxnreg where a role begins, or the roles of one warpgroup, if it gets another number.
func (m *moves) setRegisters(at *ir.Builder, role int) {
	if m.launched == 0 || m.regs[role] == 0 || m.regs[role] == m.launched {
		return
	}
	c := at.Context()
	attrs := []ir.NamedAttr{{Name: nvvm.AttrCount, Value: c.IntAttr(c.Int(32), m.regs[role])}}
	if m.regs[role] > m.launched {
		attrs = append(attrs, ir.NamedAttr{Name: nvvm.AttrMore, Value: c.Unit()})
	}
	at.Create(nvvm.SetMaxNReg, nil, nil, attrs...)
}

// own reports whether a role sets its registers itself.
func (m *moves) own(role int) bool { return m.together == 0 || role < m.together }
