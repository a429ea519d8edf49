package access

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func init() {
	core.Define(core.Table{cudatile.Alloca: {Run: alloca, Allocates: true}, cudatile.GetGlobal: {Run: getGlobal}})
	for _, l := range core.Levels {
		core.Define(core.Table{
			l.GetGlobal: {Run: func(d *core.Decoder, op ir.Op) (core.Action, error) {
				return globalNamed(d, op, op.StringAttr(tile.AttrName), l.Global)
			}},
			l.Alloca: {Run: allocaBytes, Allocates: true},
		})
	}
}

// maxAlloca bounds the memory of an alloca, and of all private ones of a tile block.
const maxAlloca = 1 << 30

func alloca(d *core.Decoder, op ir.Op) (core.Action, error) {
	elem, _ := values.Pointee(values.ElemOf(op.Result(0)))
	n, _ := op.IntAttr("num_elem")
	align, _ := op.IntAttr("alignment")
	size := maxAlloca + 1
	if n >= 0 && n <= maxAlloca {
		size = values.StorageBytes(elem, int(n))
	}
	return allocate(d, op, fmt.Sprintf("%d elements", n), size, align, op.HasUnitAttr("global"))
}

func allocaBytes(d *core.Decoder, op ir.Op) (core.Action, error) {
	n, _ := op.IntAttr(tile.AttrBytes)
	align, _ := op.IntAttr(tile.AttrAlignment)
	return allocate(d, op, fmt.Sprintf("%d bytes", n), int(min(n, maxAlloca+1)), align, op.HasUnitAttr(tile.AttrGlobal))
}

// allocate decodes an allocation of size bytes. Errors describe it as what.
func allocate(d *core.Decoder, op ir.Op, what string, size int, align int64, global bool) (core.Action, error) {
	out := d.Result(op, 0)
	return func(m *core.Machine) error {
		if size > maxAlloca || align > maxAlloca {
			return op.Errorf("cannot allocate %s", what)
		}
		m.Mem.Allocated++
		b := &memory.Buffer{Name: "the memory of an alloca", Data: make([]byte, size), Alloca: true, Object: objectOf(op), Serial: m.Mem.Allocated}
		if global {
			if err := m.Mem.AllocateShared(b, uint64(align), m.Number, m.Launch.Total); err != nil {
				return op.Errorf("cannot allocate %s: %v", what, err)
			}
		} else {
			total := size
			for _, p := range m.Mem.Private {
				total += len(p.Data)
			}
			if total > maxAlloca {
				return op.Errorf("cannot allocate %s: the tile block has %d bytes", what, total-size)
			}
			b.Written = make([]uint8, size)
			m.Mem.Private = memory.AddAfter(m.Mem.Private, memory.PrivateAddr, uint64(align), b)
		}
		if m.Race != nil {
			m.Race.Forget(b.Addr, uint64(size))
		}
		m.Put(out, m.Scalar(b.Addr))
		return nil
	}, nil
}

func getGlobal(d *core.Decoder, op ir.Op) (core.Action, error) {
	return globalNamed(d, op, op.Attr("name").(*ir.SymbolRefAttr).Root, cudatile.Global)
}

// globalNamed decodes the address of a global, which def defines.
func globalNamed(d *core.Decoder, op ir.Op, name string, def *ir.OpDef) (core.Action, error) {
	out := d.Result(op, 0)
	table := op.NearestSymbolTable()
	if table.IsNil() {
		return nil, op.Errorf("is in no symbol table")
	}
	global := table.LookupSymbol(name)
	if global.IsNil() || !global.Is(def) {
		return nil, op.Errorf("'%s' is no global", name)
	}
	d.Program.Globals[name] = global
	return func(m *core.Machine) error {
		m.Put(out, m.Scalar(m.Mem.Globals[name]))
		return nil
	}, nil
}
