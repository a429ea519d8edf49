package tileas

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

// Attributes of warp_specialize, with an element for each role.
const (
	AttrRoles = "roles" // array of strings: the names
	AttrWarps = "warps" // i32 array: how many warps carry it out
	AttrRegs  = "regs"  // i32 array: how many registers each of its threads gets; 0: as many as the kernel was started with
)

// What setmaxnreg can ask for (PTX ISA, setmaxnreg): multiples of 8 in this range.
const (
	minRegs, maxRegs, regsStep = 24, 256, 8
)

const roleEnd = "end_role"

// Roles: the warps of a CTA part, each group runs a region of its own, and they meet again after.
var (
	// WarpSpecialize runs its regions at the same time.
	WarpSpecialize = Dialect.Op(ir.OpDef{
		Name: "warp_specialize", Summary: "Splits the warps of the CTA into roles, such as producer and consumer warps; each role runs its own " +
			"region.",
		Doc: "All regions run at the same time. The first role has the first warps, and together they have all warps " +
			"of the kernel. Inside a region the code is uniform for the warps of its role, and layouts distribute " +
			"tiles over those warps only.\n\nAll threads meet at the start and at the end of the operation. So accesses " +
			"before it are visible inside, and accesses inside are visible after it. Between those points only " +
			"barriers order the accesses of two roles. No group of asynchronous accesses may be in flight at the " +
			"start of the operation or at the end of a role.",
		Attrs: []ir.Field{{Name: AttrRoles, Kind: ir.ArrayKind, Doc: "names"}, {Name: AttrWarps, Kind: ir.I32ArrayKind, Doc: "warps of each role"},
			{Name: AttrRegs, Arity: ir.Optional, Kind: ir.I32ArrayKind, Doc: "registers of each thread of a role; 0 leaves the number unchanged"}},
		Regions: []ir.Field{{Name: "bodies", Arity: ir.Variadic}},
		Traits:  ir.RecursiveEffects | ir.SingleBlock,
		Parse:   parseRoles, Print: printRoles, Verify: verifyRoles, VerifyRegions: verifyRoleBodies,
		Caps: []ir.CapImpl{
			ir.RegionBranch.Is(roleEdges), ir.ConcurrentRegions.Is(struct{}{}),
			// A constant tensor has the layout of the role, which before the roles means nothing.
			rewrite.KeepsConstants.Is(func(ir.Op) bool { return true }),
			// It synchronises, and may wait for ever, whatever is inside.
			ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) { add(ir.Effect{Kind: ir.Write}) }),
			ir.Speculatable.Is(func(ir.Op) bool { return false }),
			ir.ImpliedTerminator.Is(hidesRoleEnd),
		},
	})
	// EndRole ends a region of warp_specialize; text leaves it out.
	EndRole = Dialect.Op(ir.OpDef{
		Name: roleEnd, Summary: "Ends a role.", Traits: ir.Terminator | ir.Pure, Syntax: "attr-dict", Parents: []string{"nv_tileas.warp_specialize"},
		Caps: []ir.CapImpl{tile.ByOneLane},
	})
)

// A Role is one region of a warp_specialize.
type Role struct {
	Op    ir.Op // the warp_specialize
	Index int
	Name  string
	Warps int64
}

// RoleAt returns a role of a warp_specialize.
func RoleAt(op ir.Op, i int) Role {
	r := Role{Op: op, Index: i}
	if names, ok := op.Attr(AttrRoles).(*ir.ArrayAttr); ok && i < len(names.Elems) {
		if s, ok := names.Elems[i].(*ir.StringAttr); ok {
			r.Name = s.Value
		}
	}
	if warps, ok := op.Attr(AttrWarps).(*ir.DenseArrayAttr); ok && i < len(warps.Values) {
		r.Warps = warps.Values[i]
	}
	return r
}

// FirstWarp returns the number of the role's first warp in the CTA: roles have their warps one after the other.
func (r Role) FirstWarp() (first int) {
	for i := range r.Index {
		first += int(RoleAt(r.Op, i).Warps)
	}
	return first
}

// RoleOf returns the role that an operation stands in.
func RoleOf(op ir.Op) (Role, bool) {
	for !op.IsNil() && !op.Block().IsNil() {
		parent := op.ParentOp()
		if isRoles(parent) {
			for i := range parent.NumRegions() {
				if parent.Region(i) == op.ParentRegion() {
					return RoleAt(parent, i), true
				}
			}
		}
		op = parent
	}
	return Role{}, false
}

// WaitsForRoles reports whether a loop is one of a role that waits for another role.
func WaitsForRoles(loop ir.Op) bool {
	_, in := RoleOf(loop)
	return in && loop.Contains(MbarrierWait.Is)
}

// WarpsAt returns how many warps run an operation: those of its role, or all of the kernel.
func WarpsAt(op ir.Op, kernel int) int {
	if r, ok := RoleOf(op); ok {
		return int(r.Warps)
	}
	return kernel
}

// isRoles compares by name, because the rows refer to what uses it.
func isRoles(op ir.Op) bool {
	return !op.IsNil() && op.Dialect() == Dialect && op.Def().Name == "warp_specialize"
}

func roleEdges(op, from ir.Op, add func(ir.RegionEdge)) {
	if !from.IsNil() {
		add(ir.RegionEdge{From: from, To: op, Region: ir.RegionExit})
		return
	}
	for i := range op.NumRegions() {
		add(ir.RegionEdge{From: op, To: op, Region: i})
	}
}

func verifyRoles(op ir.Op) error {
	n := op.NumRegions()
	names, warps := op.Attr(AttrRoles).(*ir.ArrayAttr), op.Attr(AttrWarps).(*ir.DenseArrayAttr)
	regs, _ := op.Attr(AttrRegs).(*ir.DenseArrayAttr)
	if n == 0 || len(names.Elems) != n || len(warps.Values) != n || regs != nil && len(regs.Values) != n {
		return op.Errorf("must have a name, a number of warps and perhaps of registers for each of its roles, and at least one role, but has %d regions", n)
	}
	if outer, ok := RoleOf(op); ok {
		return op.Errorf("stands in role \"%s\", whose warps cannot part again", outer.Name)
	}
	seen := make(map[string]bool)
	total := int64(0)
	for i := range n {
		name, ok := names.Elems[i].(*ir.StringAttr)
		switch {
		case !ok || name.Value == "":
			return op.Errorf("role #%d has no name", i)
		case seen[name.Value]:
			return op.Errorf("has two roles \"%s\"", name.Value)
		case warps.Values[i] < 1 || warps.Values[i]&(warps.Values[i]-1) != 0 && !idles(op.Region(i)):
			return op.Errorf("role \"%s\" must have a power of two of warps, or do nothing, but got %d", name.Value, warps.Values[i])
		}
		seen[name.Value] = true
		total += warps.Values[i]
		if regs == nil || regs.Values[i] == 0 {
			continue
		}
		if r := regs.Values[i]; r < minRegs || r > maxRegs || r%regsStep != 0 {
			return op.Errorf("registers of role \"%s\" must be a multiple of %d from %d to %d, but got %d", name.Value, regsStep, minRegs, maxRegs, r)
		}
	}
	if all, ok := warpsOfKernel(op); ok && total != all {
		return op.Errorf("has %d warps in its roles together, but the kernel has %d", total, all)
	}
	return nil
}

// idles reports whether a role does nothing: its warps are there to make a group of four, which have registers
// together.
func idles(r ir.Region) bool { return !r.Empty() && r.First().First() == r.First().Last() }

// verifyRoleBodies asks that control leaves a role at its end only: warps that leave the kernel, or a loop around,
// would be missed by the others.
func verifyRoleBodies(op ir.Op) error {
	for i := range op.NumRegions() {
		if r := op.Region(i); r.Empty() || r.First().NumArgs() > 0 {
			return op.Errorf("role \"%s\" must have a body without arguments", RoleAt(op, i).Name)
		}
	}
	var wrong ir.Op
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if inner == op || !inner.HasTrait(ir.Terminator) || inner.NumSuccessors() > 0 {
			return ir.Advance
		}
		if t := ir.ExitTarget(inner); t.IsNil() || !op.IsAncestorOf(t) {
			wrong = inner
			return ir.Interrupt
		}
		return ir.Advance
	})
	if !wrong.IsNil() {
		return wrong.Errorf("leaves a role before its end, where the other roles wait for it")
	}
	return nil
}
