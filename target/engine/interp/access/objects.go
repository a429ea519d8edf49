package access

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
)

// An access may name its memory objects (attribute objects of nv_tileaa and nv_tileas). At run time the object is
// known. So a wrong name is an error at the first access that shows it, and not a wrong result of a pass that believed
// it.

// A claim is the objects that an access names.
type claim struct {
	attr *tile.ObjectsAttr
	args []int // the parameters among them
}

// claimOf returns the objects that an access names, or nil if it may access others.
func claimOf(op ir.Op) *claim {
	a := tile.ObjectsOf(op)
	if a == nil || a.Unknown {
		return nil
	}
	c := &claim{attr: a}
	for _, o := range a.Objects {
		if o.Kind == tile.ObjectArg {
			c.args = append(c.args, o.Index)
		}
	}
	return c
}

// objectOf returns the object number of an alloca, or -1.
func objectOf(op ir.Op) int {
	if n, ok := op.IntAttr(tile.AttrObject); ok {
		return int(n)
	}
	return -1
}

// seen reports an access of b to Options.Access. It returns an error if the operation does not name the object.
func (c Cell) seen(m *core.Machine, b *memory.Buffer, addr, size uint64, write bool) error {
	if f := m.Launch.Options.Access; f != nil {
		f(core.Access{Op: c.op, Block: m.Number, Addr: addr, Size: size, Allocation: b.Serial, Write: write})
	}
	if c.claim == nil || c.claim.holds(m, b) {
		return nil
	}
	return fmt.Errorf("address 0x%x is in %s, which is none of the objects that the access names: %s", addr, b.Name, ir.AttrString(c.claim.attr))
}

func (c *claim) holds(m *core.Machine, b *memory.Buffer) bool {
	for _, i := range c.args {
		if i < len(m.Launch.Args) {
			if to := m.Mem.BufferAt(m.Launch.Args[i]); to == b {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.attr.Objects, func(o tile.ObjectRef) bool {
		switch o.Kind {
		case tile.ObjectGlobal:
			addr, ok := m.Mem.Globals[o.Name]
			return ok && addr == b.Addr
		case tile.ObjectAlloca:
			return b.Alloca && b.Object == o.Index
		}
		return false
	})
}
