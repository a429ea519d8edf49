package access

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
)

// Threads and bulk copies access global memory through different proxies (PTX ISA, async proxy). A bulk copy sees what
// threads stored only after a fence_global.

func init() { core.Define(core.Table{tileas.FenceGlobal: {Run: fenceGlobal}}) }

// Proxy makes a cell one of the async proxy.
func Proxy(d *core.Decoder, c *Cell) {
	c.weak, c.bulk, d.Program.Bulk = true, true, true
}

// throughProxy notes a store of a thread, and rejects an access of a bulk copy to bytes stored since the last fence.
func (c Cell) throughProxy(m *core.Machine, addr, n uint64, write bool) error {
	switch {
	case c.bulk:
		if by := m.Mem.Stored.In(addr, n); !by.IsNil() {
			return fmt.Errorf("'%s' has stored to address 0x%x, with no fence_global in between", by.Name(), addr)
		}
	case write:
		m.Mem.Stored.Mark(addr, n, c.op)
	}
	return nil
}

func fenceGlobal(*core.Decoder, ir.Op) (core.Action, error) {
	return func(m *core.Machine) error { clear(m.Mem.Stored); return nil }, nil
}
