package interp

import (
	"cmp"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// accessing reports whether an operation accesses memory, and whether it does so in the belief that no one else does.
func accessing(op ir.Op) (accesses, weak bool) {
	if op.Dialect() == cudatile.Dialect {
		accesses = op.Attr("memory_ordering_semantics") != nil
	} else {
		accesses = op.Def().AttrSlot(tile.AttrOrdering) >= 0 || startsGlobal(op)
	}
	return accesses, accesses && orderingOf(op) == cudatile.Weak && !op.Is(tileas.TMAReduce) // which is atomic for the device
}

// startsGlobal reports whether an operation starts an asynchronous access of global memory, which is weak and has no attribute that says so.
func startsGlobal(op ir.Op) (yes bool) {
	if steps, ok := ir.Asynchrony.Of(op); ok {
		steps(op, func(s ir.AsyncStep) { yes = yes || s.Kind == ir.AsyncStart && s.Access.Resource == nil })
	}
	return yes
}

// orderingOf, scopeOf and atomicModeOf read attributes that the levels spell alike, as numbers in cuda_tile and as words below it.
func orderingOf(op ir.Op) cudatile.MemoryOrdering {
	if op.Dialect() == cudatile.Dialect {
		return cudatile.MemoryOrderingOf(op)
	}
	return orderings[op.StringAttr(tile.AttrOrdering)] // weak when there is none
}

func scopeOf(op ir.Op) (cudatile.MemoryScope, bool) {
	if op.Dialect() == cudatile.Dialect {
		return cudatile.MemoryScopeOf(op)
	}
	scope, ok := scopes[op.StringAttr(tile.AttrScope)]
	return scope, ok
}

func atomicModeOf(op ir.Op) cudatile.AtomicRMWMode {
	if op.Dialect() == cudatile.Dialect {
		return cudatile.AtomicModeOf(op)
	}
	return atomicModes[op.StringAttr(tile.AttrMode)]
}

var (
	orderings   = byName(cudatile.Weak, cudatile.AcqRel)
	scopes      = byName(cudatile.ScopeTileBlock, cudatile.ScopeSys)
	atomicModes = byName(cudatile.AtomicAnd, cudatile.AtomicXchg)
)

// byName returns the constants from first to last by what they are called.
func byName[E interface {
	~uint8
	String() string
}](first, last E) map[string]E {
	out := make(map[string]E)
	for e := first; e <= last; e++ {
		out[e.String()] = e
	}
	return out
}

// tiled returns the shape of a tiled access, and what finds its place: base, offsets, sizes and strides are operands.
//
// What an access promises (divisors of base, offsets, sizes and strides, and that a dimension needs no check) was put there by an
// analysis of the compiler, and code below relies on it without asking: a wrong promise is silent corruption on a device. Here each is
// checked against the numbers of the run, so that a wrong analysis fails at the level where it spoke, with the dimension.
func (d *decoder) tiled(op ir.Op) (*viewing, windowing) {
	a := tile.AccessOf(op)
	v := &viewing{op: op, elem: ir.ElementType(a.Tile), shape: tile.Shape(a.Tile), sparse: -1, packed: -1}
	if dim, ok := op.IntAttr(tile.AttrPacked); ok {
		v.packed = int(dim)
	}
	base, rank := d.slot(a.Base), len(v.shape)
	baseFact, isFact := op.IntAttr(tile.AttrBaseDiv)
	offsetFacts, sizeFacts, strideFacts := factsOf(op, tile.AttrOffsetDiv), factsOf(op, tile.AttrSizeDiv), factsOf(op, tile.AttrStrideDiv)
	offsets, sizes, steps := d.slotsOf(a.Offsets), d.slotsOf(a.Sizes), d.slotsOf(a.Strides)
	if rank == 0 {
		v.shape = []int64{1}
	}
	return v, func(m *machine) (*window, error) {
		if err := m.defined(op, base, nil, "base"); err != nil {
			return nil, err
		}
		w := m.newWindow(v, m.vals[base].data[0])
		if isFact && w.base%uint64(baseFact) != 0 {
			return nil, op.Errorf("promises that its base is divisible by %d, but it is at 0x%x", baseFact, w.base)
		}
		if rank == 0 {
			w.size[0], w.stride[0] = 1, 1
		}
		// An object without extent has no elements that the access could touch, so that nothing is promised about where: a load that runs ahead of a loop's last iteration is one.
		var broken error
		empty := false
		for dim := range rank {
			for _, from := range [...]struct {
				slot  int
				what  string
				to    []int64
				facts []int64
			}{{offsets[dim], "offset", w.origin, offsetFacts}, {sizes[dim], "size", w.size, sizeFacts}, {steps[dim], "stride", w.stride, strideFacts}} {
				if err := m.defined(op, from.slot, nil, from.what); err != nil {
					return nil, err
				}
				n := int64(m.vals[from.slot].data[0])
				if from.facts != nil && n%from.facts[dim] != 0 {
					broken = cmp.Or(broken, error(op.Errorf("promises that %s %d is divisible by %d, but it is %d", from.what, dim, from.facts[dim], n)))
				}
				from.to[dim] = n
			}
			if w.size[dim] < 0 { // as make_tensor_view has it: code compares offsets without their sign
				return nil, op.Errorf("size %d is %d, which is negative", dim, w.size[dim])
			}
			if end := w.origin[dim] + v.shape[dim]; !a.Checked(dim) && (w.origin[dim] < 0 || end > w.size[dim]) {
				broken = cmp.Or(broken, error(op.Errorf("is not checked along dimension %d, but its tile is from %d to %d of %d", dim, w.origin[dim], end, w.size[dim])))
			} else if a.Checked(dim) && w.size[dim] == 0 {
				empty = true
			}
		}
		if broken != nil && !empty {
			return nil, broken
		}
		return w, nil
	}
}

// factsOf returns what an access promises to be divisible, for each dimension; nil: nothing.
func factsOf(op ir.Op, name string) []int64 {
	if a, ok := op.Attr(name).(*ir.DenseArrayAttr); ok {
		return a.Values
	}
	return nil
}

func (d *decoder) tiledLoad(op ir.Op) (func(*machine) error, error) {
	v, window := d.tiled(op)
	keyword := op.StringAttr(tile.AttrPadding)
	pad := uint64(0)
	if _, isFloat := v.elem.(*ir.FloatType); isFloat {
		pad = arith.Bits(tile.Padding(op.Context(), v.elem, keyword))
	}
	return d.loadWindow(v, window, pad, keyword != "")
}

func (d *decoder) tiledStore(op ir.Op) (func(*machine) error, error) {
	v, window := d.tiled(op)
	return d.storeWindow(v, window, d.slot(op.OperandNamed("value")))
}

func (d *decoder) tiledAtomic(op ir.Op) (func(*machine) error, error) {
	v, window := d.tiled(op)
	return d.atomicWindow(v, window)
}
