package materializecopies

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/analysis/tma"
	"github.com/tilewright/tilewright/passes/tileas/analysis/transfers"
)

const inexpressible = "is planned as a TMA copy, which cannot represent it: %v"

// lowerTMA lowers the loads and stores that use TMA.
func lowerTMA(fn ir.Op, loads, stores []ir.Op, warps int, matrices bool) error {
	if len(loads)+len(stores) == 0 {
		return nil
	}
	// All plans come before the first rewrite: the value ranges are those of the unchanged kernel.
	ranges := intrange.Analyze(fn)
	var planned []*transfers.Copy
	narrow := make(map[*transfers.Copy]bool)
	for _, load := range loads {
		c, why := transfers.PlanTMA(load, warps, ranges)
		if c == nil && why == "" {
			c, why = transfers.PlanTile(load, warps, ranges)
		}
		if c == nil {
			return load.Errorf(inexpressible, cmp.Or(why, "nothing takes the tile"))
		}
		planned = append(planned, c)
		// The coordinates of a TMA load are 32-bit, and the offsets are i64. The ranges hold for the loop as it is
		// now; a prefetched load may be for an iteration that does not exist, and then copies nothing.
		narrow[c] = c.Rows == nil && !slices.ContainsFunc(tile.AccessOf(c.Load).Offsets, func(v ir.Value) bool {
			r := ranges.Of(v)
			return r.SMin < math.MinInt32 || r.SMax > math.MaxInt32
		})
	}
	var results []*transfers.Store
	for _, op := range stores {
		s, why := transfers.PlanStore(op, matrices, ranges)
		if s == nil {
			return op.Errorf(inexpressible, cmp.Or(why, "it stores no result of an MMA"))
		}
		results = append(results, s)
	}
	m := maps{made: make(map[string]ir.Value)}
	// Stores come first. Lowering a load rebuilds the loops around it, and a store may use a result of such a loop.
	dropped := make(map[ir.Value]bool)
	for _, s := range results {
		for _, op := range s.Way {
			dropped[op.Result(0)] = true
		}
		m.lowerStore(s)
	}
	for _, c := range planned {
		// A store takes its tile from in front of the conversions on its way, for which the load was planned.
		if slices.ContainsFunc(c.Ends, func(e transfers.End) bool { return dropped[e.Value] }) {
			again, why := transfers.PlanTile(c.Load, warps, ranges)
			if again == nil {
				return c.Load.Errorf(inexpressible, cmp.Or(why, "nothing takes the tile"))
			}
			*c = *again
		}
		if err := m.lower(c, narrow[c]); err != nil {
			return err
		}
	}
	return nil
}

// maps are the tensor maps of a kernel, by the object that they describe. Accesses to one array with one box share one.
type maps struct{ made map[string]ir.Value }

// lower replaces a load by a TMA load to a buffer, and MMA operands by loads from the buffer.
//
//	before all loops:  %m = tensor_map %p sizes [...] strides [...]
//	                   %bar = alloc_shared : mbarrier ; mbarrier_init %bar, 1
//	at the load:       %buf = alloc_shared ; mbarrier_expect %bar, bytes ; %t = tma_load %buf, %m[...], %bar
//	before its use:    mbarrier_wait %bar, %parity
func (m *maps) lower(c *transfers.Copy, narrow bool) error {
	load := c.Load
	transfers.FenceBefore(load)
	var object ir.Value
	switch {
	case c.Built != nil:
		object = build(tile.AccessOf(load), c.Map, c.Built)
	case c.Rows == nil:
		object = m.mapOf(tile.AccessOf(load), c.Map)
	}
	bar, end := mbarrier(load)
	defer end()
	// An mbarrier in a loop completes one phase per iteration, so the loops around the load carry the parity.
	parity := transfers.Parity(load)
	var offsets, rows []ir.Value
	var err error
	if c.Rows == nil {
		offsets = load.OperandsNamed("offsets") // not earlier: Parity rebuilds the loops around the load
	} else if object, offsets, rows, err = m.gathered(load, c.Map); err != nil {
		return err
	}
	// The mbarrier counts the bytes, and threads wait for it before the first read of the buffer.
	b := ir.BuilderBefore(load).WithLoc(load.Loc())
	buffer := tileas.Alloc(b, c.Buffer, c.Align)
	b.Create(tileas.MbarrierExpect, []ir.Value{bar}, nil, tileas.Number(b.Context(), tileas.AttrBytes, c.Buffer.TileBytes()))
	operands := [][]ir.Value{{buffer}, {object}, offsets, {bar}, load.OperandsNamed("token"), nil, rows}
	start := b.CreateGroups(tileas.TMALoad, operands, []ir.Type{load.Result(1).Type()}, b.Context().UnitIf(narrow, tileas.AttrNarrow)...)
	b = ir.BuilderBefore(read(c, buffer)).WithLoc(load.Loc())
	b.Create(tileas.MbarrierWait, []ir.Value{bar, parity}, nil)
	load.Result(1).ReplaceAllUsesWith(start.Result(0))
	return nil
}

// mapOf returns the tensor map of the array that an access addresses. It is created at the start of the kernel.
func (m *maps) mapOf(a tile.Access, t *tileas.TensorMapType) ir.Value {
	key := ir.TypeString(t)
	for _, v := range slices.Concat([]ir.Value{a.Base}, a.Sizes, a.Strides) {
		key += " " + spell(v)
	}
	if v, ok := m.made[key]; ok {
		return v
	}
	b := ir.BuilderBefore(tileas.KernelOf(a.Op).Body().First()).WithLoc(a.Op.Loc())
	copies := ir.NewMapping()
	again := func(v ir.Value) ir.Value { return recompute(b, v, copies) }
	operands := [][]ir.Value{{again(a.Base)}, ir.Map(a.Sizes, again), ir.Map(a.Strides, again)}
	v := b.CreateGroups(tileas.MakeTensorMap, operands, []ir.Type{t}).Result(0)
	m.made[key] = v
	return v
}

// build returns a map that the CTA builds where its operands are known. Two copies from one array get a map each.
// Where the operands are the same, both maps are built in one block, and cost what one costs.
func build(a tile.Access, t *tileas.TensorMapType, site *tma.Site) ir.Value {
	b := site.Builder()
	b.Loc = a.Op.Loc()
	layout, _ := linear.SharedRowMajor([]int{tileas.MapWords}, []int{0}) // a power of two, so that there is no error
	scratch := b.Create(tileas.AllocShared, nil, []ir.Type{tileas.Buffer(b.Context(), []int64{tileas.MapWords}, b.Context().Int(32), tileas.SharedLayout(b.Context(), layout))}).Result(0)
	return b.CreateGroups(tileas.BuildTensorMap, [][]ir.Value{{scratch}, {a.Base}, a.Sizes, a.Strides}, []ir.Type{t}).Result(0)
}

// spell writes a value as an expression of kernel parameters, as a key. The plan requires that it is one.
func spell(v ir.Value) string {
	def := v.DefiningOp()
	if def.IsNil() {
		return fmt.Sprint("%", v.Index())
	}
	if a := ir.ConstantValue(v); a != nil {
		return ir.AttrString(a)
	}
	out := def.Name() + "(" + ir.TypeString(v.Type())
	for _, o := range def.Operands() {
		out += ", " + spell(o)
	}
	return out + ")"
}

// recompute computes a value of the kernel's parameters once more, at its start. The original may keep other uses: the
// launcher evaluates the operands of maps, so the copies cost the kernel nothing.
func recompute(b *ir.Builder, v ir.Value, copies *ir.Mapping) ir.Value {
	if def := v.DefiningOp(); !def.IsNil() && copies.Values[v].IsNil() {
		for _, o := range def.Operands() {
			recompute(b, o, copies)
		}
		b.Clone(def, copies)
	}
	return copies.Lookup(v)
}

// mbarrier creates the mbarrier of a copy before all loops around it. Where the code around it executes again, it is
// invalidated after the loops, because an mbarrier must not be initialized twice (PTX ISA, mbarrier.init).
//
// Without a loop it is invalidated at the end of the load's block. The caller calls the function end for that after it has
// created the wait, which may be the last operation but the terminator.
func mbarrier(load ir.Op) (bar ir.Value, end func()) {
	// Executions are counted from 0 within a frame: the function, or a loop that is no scf.for. The mbarrier lives as
	// long.
	at, frame := load, tma.Frame(load)
	for p := load.ParentOp(); p != frame; p = p.ParentOp() {
		if p.Is(scf.For) {
			at = p
		}
	}
	b := ir.BuilderBefore(at).WithLoc(load.Loc())
	bar, before := tileas.NewMbarriers(b, 1, 1), at.Next()
	if frame.Is(tileas.Level.Func) {
		return bar, func() {}
	}
	if at == load {
		before = at.Block().Last()
	}
	return bar, func() {
		b.SetInsertionPointBefore(before)
		b.Create(tileas.MbarrierInval, []ir.Value{bar}, nil)
	}
}
