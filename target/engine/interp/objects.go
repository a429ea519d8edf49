package interp

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// An access that names its memory objects (attribute objects of nv_tileaa and nv_tileas) is held to them: what an object is at run time is known here, so a name that is wrong is
// an error at the first access that shows it, and not a wrong result of some pass that believed it.

// A claim is the objects that an access names.
type claim struct {
	attr *tile.ObjectsAttr
	args []int // the parameters among them
}

// claimOf returns what an access names, or nil if it does not say all.
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

// objectOf returns the number of the object that an alloca makes, or -1.
func objectOf(op ir.Op) int {
	if n, ok := op.IntAttr(tile.AttrObject); ok {
		return int(n)
	}
	return -1
}

// seen notes an access of b, and returns an error if the operation does not name the object.
func (c cell) seen(m *machine, b *buffer, addr, size uint64, write bool) error {
	if f := m.run.engine.Access; f != nil {
		f(Access{Op: c.op, Block: m.number, Addr: addr, Size: size, Allocation: b.serial, Write: write})
	}
	if c.claim == nil || c.claim.holds(m, b) {
		return nil
	}
	return fmt.Errorf("address 0x%x is in %s, which is none of the objects that the access names: %s", addr, b.name, ir.AttrString(c.claim.attr))
}

func (c *claim) holds(m *machine, b *buffer) bool {
	for _, i := range c.args {
		if i < len(m.run.args) {
			if to := m.bufferAt(m.run.args[i]); to == b {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.attr.Objects, func(o tile.ObjectRef) bool {
		switch o.Kind {
		case tile.ObjectGlobal:
			addr, ok := m.mem.globals[o.Name]
			return ok && addr == b.addr
		case tile.ObjectAlloca:
			return b.alloca && b.object == o.Index
		}
		return false
	})
}
