package tileasprop

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/target/sm"
)

// threadsFixed asks for the number of warps, without which no layout fits.
func threadsFixed(fn ir.Op, _ *passes.Target) *ir.Diagnostic {
	n := contract.KernelSpecOf(fn).NumWarps
	if n == 0 {
		return fn.Errorf("has no num_warps in its '%s', which layouts distribute tensors among", contract.AttrKernelSpec)
	}
	if n&(n-1) != 0 && !partsInRoles(fn) { // the warps of all roles need not add up to a power of two: there are then no tensors before the roles
		return fn.Errorf("has %d warps, but layouts distribute tensors among a power of two of them", n)
	}
	return nil
}

func partsInRoles(fn ir.Op) bool {
	return !fn.Walk(func(op ir.Op) ir.WalkResult {
		if _, ok := ir.ConcurrentRegions.Of(op); ok {
			return ir.Interrupt
		}
		return ir.Advance
	})
}

// layoutsAssigned checks the layouts of the values that an operation defines, and how the layouts of its operands
// relate to them (transfers). An operand's own layout is checked where it is defined, so each value is looked at
// once.
func layoutsAssigned(fn ir.Op, _ *passes.Target) func(ir.Op) *ir.Diagnostic {
	c := &layoutCheck{kernel: int64(contract.KernelSpecOf(fn).NumWarps), fits: make(map[misfitKey]string)}
	return func(op ir.Op) *ir.Diagnostic {
		if err := c.enter(op); err != nil {
			return err
		}
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				if inReduce(op) {
					continue // works on elements
				}
				for k := range b.NumArgs() {
					if why := c.misfit(b.Arg(k).Type()); why != "" {
						return op.Errorf("has argument #%d of a block that %s", k, why)
					}
				}
			}
		}
		for i := range op.NumResults() {
			if why := c.misfit(op.Result(i).Type()); why != "" {
				return op.Errorf("has result #%d that %s", i, why)
			}
		}
		return transfers(op)
	}
}

func inReduce(op ir.Op) bool { return op.Is(tileas.Level.Reduce) || op.Is(tileas.Level.Scan) }

// A layoutCheck remembers the types that it has seen, of which a kernel has few.
type layoutCheck struct {
	kernel int64 // warps
	roles  bool  // an operation with roles has come by
	warps  int64 // that run the current operation
	fits   map[misfitKey]string
}

type misfitKey struct {
	t     ir.Type
	warps int64
}

// enter finds out which warps run an operation, and reports a tensor of other warps that it uses.
func (c *layoutCheck) enter(op ir.Op) *ir.Diagnostic {
	c.warps = c.kernel
	// RoleOf walks up the regions, so it is asked only after an operation with roles.
	if c.roles {
		role, in := tileas.RoleOf(op)
		if in {
			c.warps = role.Warps
			if err := usesOfFront(op, role); err != nil {
				return err
			}
		}
	}
	c.roles = c.roles || op.Is(tileas.WarpSpecialize)
	return nil
}

// usesOfFront reports a tensor from before the roles. Its layout is over all warps of the kernel, and a role has
// only some: a thread of the role would hold another part of it.
func usesOfFront(op ir.Op, role tileas.Role) *ir.Diagnostic {
	for i := range op.NumOperands() {
		v := op.Operand(i)
		if _, ok := v.Type().(*ir.TensorType); ok && !role.Op.Region(role.Index).IsAncestorOf(v.Block().Region()) {
			return op.Errorf("has operand #%d that is distributed among the warps before the roles, but stands in role \"%s\": what roles share goes through buffers", i, role.Name)
		}
	}
	return nil
}

// misfit says what is wrong with the layout of a type; "" when nothing is.
func (c *layoutCheck) misfit(t ir.Type) string {
	tensor, ok := t.(*ir.TensorType)
	if !ok {
		return ""
	}
	key := misfitKey{t, c.warps}
	why, seen := c.fits[key]
	// Types are uniqued, so a type is looked at once for each number of warps.
	if !seen {
		why = c.look(tensor)
		c.fits[key] = why
	}
	return why
}

// look checks a layout. Each of these mistakes would make the lowering compute something else, or nothing: an
// element that no thread holds (not surjective) would never be stored. Copies are allowed.
func (c *layoutCheck) look(t *ir.TensorType) string {
	l, ok := tileas.LayoutOf(t)
	switch {
	case !ok:
		return "is a tensor without a layout"
	case !slices.Equal(l.Shape(), extents(t)):
		return "has a layout of another shape"
	case l.Bits(linear.Offset) != 0 || l.Bits(linear.Element) != 0:
		return "has a layout of a buffer, which has no threads"
	case l.Size(linear.Lane) != sm.WarpSize:
		return "has a layout over lanes of which a warp has another number"
	case int64(l.Size(linear.Warp)) != c.warps:
		if c.warps != c.kernel {
			return "has a layout over another number of warps than its role has"
		}
		return "has a layout over another number of warps than the kernel has"
	case l.Size(linear.Block) != 1:
		return "has a layout over several blocks, but a CTA is one"
	case !l.IsSurjective():
		return "has a layout in which no thread holds some of its elements"
	}
	return ""
}

func extents(t *ir.TensorType) []int {
	out := make([]int, len(t.Shape))
	for i, n := range t.Shape {
		out[i] = int(n)
	}
	return out
}
