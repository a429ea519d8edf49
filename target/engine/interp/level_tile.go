package interp

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// levels are those below cuda_tile that can be executed.
var levels = []*tile.Level{tileaa.Level, tileas.Level}

// entries are the operations that a launch can name.
var entries = map[*ir.OpDef]bool{cudatile.Entry: true}

// allocations are the operations whose memory ends with the block that they stand in.
var allocations = map[*ir.OpDef]bool{cudatile.Alloca: true}

func init() {
	for _, l := range levels {
		entries[l.Func], allocations[l.Alloca] = true, true
		ends[l.Return], ends[l.Yield] = exitReturn, exitYield
		for def, twin := range map[*ir.OpDef]*ir.OpDef{
			l.ProgramID: cudatile.GetTileBlockID, l.NumPrograms: cudatile.GetNumTileBlocks,
			l.Unsplat: cudatile.Reshape, l.Reshape: cudatile.Reshape, l.Broadcast: cudatile.Broadcast, l.Permute: cudatile.Permute,
			l.Range: cudatile.Iota, l.AddPtr: cudatile.Offset, l.Extract: cudatile.Extract, l.Insert: cudatile.Insert, l.Cat: cudatile.Cat,
			l.Pack: cudatile.Pack, l.Unpack: cudatile.Unpack,
			l.PtrToInt: cudatile.PtrToInt, l.IntToPtr: cudatile.IntToPtr, l.PtrToPtr: cudatile.PtrToPtr,
			l.MakeToken: cudatile.MakeToken, l.JoinTokens: cudatile.JoinTokens, l.GridWait: cudatile.GdcWait,
			l.GridLaunch: cudatile.GdcLaunchDependents, l.FenceAlias: cudatile.MemoryFenceAlias,
			l.DotScaled: cudatile.MmaFScaled, l.Assert: cudatile.Assert,
		} {
			twins[def] = twin
		}
		define(map[*ir.OpDef]rule{
			l.Splat: (*decoder).splat, l.Dot: (*decoder).dot, l.CTARank: (*decoder).ctaRank, l.AllGather: (*decoder).allGather, l.ClusterSync: (*decoder).clusterBarrier,
			l.TiledLoad: (*decoder).tiledLoad, l.TiledStore: (*decoder).tiledStore, l.TiledAtomic: (*decoder).tiledAtomic,
			l.Load:      func(d *decoder, op ir.Op) (func(*machine) error, error) { return d.loadThrough(op, "ptrs", "other") },
			l.Store:     func(d *decoder, op ir.Op) (func(*machine) error, error) { return d.storeThrough(op, "ptrs") },
			l.AtomicRMW: func(d *decoder, op ir.Op) (func(*machine) error, error) { return d.atomicThrough(op, "ptrs", "value") },
			l.AtomicCAS: func(d *decoder, op ir.Op) (func(*machine) error, error) {
				return d.casThrough(op, "ptrs", "compare", "value")
			},
			l.Print: func(d *decoder, op ir.Op) (func(*machine) error, error) {
				return d.printf(op, op.StringAttr(tile.AttrFormat))
			},
			l.GetGlobal: func(d *decoder, op ir.Op) (func(*machine) error, error) {
				return d.globalNamed(op, op.StringAttr(tile.AttrName), l.Global)
			},
			l.Alloca: (*decoder).allocaBytes,
		})
	}
	define(map[*ir.OpDef]rule{tileaa.Assume: (*decoder).assumeFacts})
}

// ctaRank is which of the CTAs of a tile block the machine is.
func (d *decoder) ctaRank(op ir.Op) (func(*machine) error, error) {
	out := d.result(op, 0)
	return func(m *machine) error {
		m.put(out, m.scalar(uint64(m.rank)))
		return nil
	}, nil
}

// splat repeats a scalar.
func (d *decoder) splat(op ir.Op) (func(*machine) error, error) {
	return d.gathered(op, make([]int64, len(shapeOf(op.Result(0)))))
}

// dot is a product of numbers of either kind. Which instruction it is to become does not change what it computes.
func (d *decoder) dot(op ir.Op) (func(*machine) error, error) {
	if op.HasUnitAttr(tile.AttrTwoCTAs) {
		return d.dotOfPair(op)
	}
	return d.dotOfOne(op)
}

// dotOfOne is a product of which all of both factors is there.
func (d *decoder) dotOfOne(op ir.Op) (func(*machine) error, error) {
	a, b := elemOf(op.Operand(0)), elemOf(op.Operand(1))
	if a != b {
		return nil, op.Errorf("cannot be interpreted: multiplies '%s' by '%s'", ir.TypeString(a), ir.TypeString(b))
	}
	_, float := a.(*ir.FloatType)
	if _, acc := elemOf(op.Operand(2)).(*ir.FloatType); acc != float {
		return nil, op.Errorf("cannot be interpreted: adds '%s' to products of '%s'", ir.TypeString(elemOf(op.Operand(2))), ir.TypeString(a))
	}
	if float {
		return d.mmaF(op)
	}
	return d.mmaI(op)
}

// signedFactors reports which of the factors of a product of integers are signed.
func signedFactors(op ir.Op) (lhs, rhs bool) {
	if op.Is(cudatile.MmaI) {
		l, r := cudatile.MmaSignednessOf(op)
		return l == cudatile.Signed, r == cudatile.Signed
	}
	return !op.HasUnitAttr(tile.AttrUnsignedA), !op.HasUnitAttr(tile.AttrUnsignedB)
}

// backwards reports whether a scan begins at the end.
func backwards(op ir.Op) bool {
	if op.Is(cudatile.Scan) {
		n, _ := op.IntAttr("reverse")
		return n != 0
	}
	return op.HasUnitAttr(tile.AttrReverse)
}

func (d *decoder) allocaBytes(op ir.Op) (func(*machine) error, error) {
	n, _ := op.IntAttr(tile.AttrBytes)
	align, _ := op.IntAttr(tile.AttrAlignment)
	return d.allocate(op, fmt.Sprintf("%d bytes", n), int(min(n, maxAlloca+1)), align, op.HasUnitAttr(tile.AttrGlobal))
}

// assumeFacts checks what an assume of nv_tileaa promises.
func (d *decoder) assumeFacts(op ir.Op) (func(*machine) error, error) {
	var checks []func(m *machine, v *vec) error
	if n, ok := op.IntAttr(tileaa.AttrDivBy); ok {
		checks = append(checks, promise(op, &cudatile.DivByAttr{Divisor: uint64(n)}))
	}
	var bounds cudatile.BoundedAttr
	bounds.Lower.Value, bounds.Lower.Given = op.IntAttr(tileaa.AttrLower)
	bounds.Upper.Value, bounds.Upper.Given = op.IntAttr(tileaa.AttrUpper)
	return d.promised(op, append(checks, promise(op, &bounds))...)
}

// IsEntry reports whether an operation is a kernel that the interpreter can run, at any of its levels.
func IsEntry(op ir.Op) bool { return entries[op.Def()] }
