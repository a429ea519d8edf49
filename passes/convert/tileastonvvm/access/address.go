package access

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// coordinateOf returns the tile's coordinate d of register r, with the offset, as an i64 and a constant to add.
func (a *Tile) coordinateOf(r, d int) (ir.Value, int64) {
	if a.Coordinates.Additive {
		return a.index[d], int64(a.Coordinates.Known(r)[d])
	}
	v, k := a.Coordinates.Split(r, d)
	return a.l.Sum64(a.l.Value(a.Access.Offsets[d]), v), k
}

// Address returns the address of register r's element, as a pointer and a constant to add.
//
// If thread and register affect the same bits of a coordinate, its value is an exclusive or and not a sum. Every
// distinct known part then has an address of its own. Blocked layouts and fragments never do so; a dump may name
// one that does.
func (a *Tile) Address(r int) (ir.Value, int64) {
	known := a.Coordinates.Known(r)
	constant := int64(0)
	for d, k := range known {
		// A known coordinate times a known stride goes into the immediate offset of the instruction. With it most
		// registers of a tile share one address.
		if a.Coordinates.Additive && a.bytes[d].IsNil() {
			constant += int64(k) * a.stride[d]
		}
	}
	key := a.key(known)
	// The key has the coordinates that matter: registers that agree in them share the address.
	if p, ok := a.address[key]; ok {
		return p, constant
	}
	p := a.addressAt(r)
	a.address[key] = p
	return p, constant
}

// addressAt computes the part of register r's address that its known coordinates along dimensions of constant stride
// do not change.
func (a *Tile) addressAt(r int) ir.Value {
	l := a.l
	if a.Coordinates.Additive {
		return a.reach(a.Coordinates.Known(r))
	}
	base := a.origin()
	for d := range a.stride {
		v, k := a.coordinateOf(r, d)
		if k != 0 {
			v = l.Make(arith.AddI, l.I64(), v, l.Const64(k))
		}
		base = a.step(base, a.inBytes(v, d))
	}
	return base
}

// reach returns the thread's address at some coordinates of its own, computed from an existing address and an
// existing step. Adjacent rows then take one addition each, and one register for the step. Otherwise each would
// keep its own multiple of the stride in a register throughout a loop.
func (a *Tile) reach(known []int) ir.Value {
	base := a.threadBase()
	for d, k := range known {
		if a.bytes[d].IsNil() || k == 0 {
			continue
		}
		for s := k; s > 0; s &= s - 1 { // the step of the lowest bit is the likeliest to be there
			near := append([]int(nil), known...)
			near[d] -= s & -s
			by, stepped := a.steps[[2]int64{int64(d), int64(s & -s)}]
			from, there := a.address[a.key(near)]
			if stepped && (there || a.isBase(near)) {
				if !there {
					from = base
				}
				return a.step(from, by)
			}
		}
	}
	for d, k := range known {
		if !a.bytes[d].IsNil() && k != 0 {
			base = a.step(base, a.stepOf(d, int64(k)))
		}
	}
	return base
}

// key names the coordinates along dimensions of run-time stride.
func (a *Tile) key(known []int) string {
	key := ""
	for d, k := range known {
		if !a.Coordinates.Additive || !a.bytes[d].IsNil() {
			key += fmt.Sprint(d, ":", k, " ")
		}
	}
	return key
}

func (a *Tile) isBase(known []int) bool {
	for d, k := range known {
		if !a.bytes[d].IsNil() && k != 0 {
			return false
		}
	}
	return true
}

// stepOf returns the bytes of k elements along a dimension.
func (a *Tile) stepOf(d int, k int64) ir.Value {
	id := [2]int64{int64(d), k}
	if a.steps[id].IsNil() {
		a.steps[id] = a.l.Scale(a.bytes[d], k)
	}
	return a.steps[id]
}

// origin is what addresses are counted from.
func (a *Tile) origin() ir.Value {
	if a.Halves {
		return a.l.Const64(0)
	}
	return a.l.Value(a.Access.Base)
}

func (a *Tile) step(addr, by ir.Value) ir.Value {
	if a.Halves {
		return a.l.Make(arith.AddI, a.l.I64(), addr, by)
	}
	return a.l.Make(nvvm.PtrAdd, addr.Type(), addr, by)
}

func (a *Tile) inBytes(v ir.Value, d int) ir.Value {
	if a.bytes[d].IsNil() {
		return a.l.Scale(v, a.stride[d])
	}
	return a.l.Make(arith.MulI, a.l.I64(), v, a.bytes[d])
}

// threadBase returns the address of the thread's register 0.
func (a *Tile) threadBase() ir.Value {
	const key = "thread"
	if p, ok := a.address[key]; ok {
		return p
	}
	p := a.origin()
	for d := range a.stride {
		p = a.step(p, a.inBytes(a.index[d], d))
	}
	a.address[key] = p
	return p
}
