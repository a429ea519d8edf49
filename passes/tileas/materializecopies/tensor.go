package materializecopies

import (
	"fmt"
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes/tileas/copies"
)

// materializeTensors makes the bulk tensor copies of loads and stores.
func materializeTensors(fn ir.Op, loads, stores []ir.Op, warps int, matrices bool) error {
	if len(loads)+len(stores) == 0 {
		return nil
	}
	// All plans first: they rest on what is known of the kernel as it is.
	ranges := intrange.Analyze(fn)
	var planned []*copies.Copy
	for _, load := range loads {
		c, why := copies.PlanTensor(load, warps, ranges)
		if c == nil && why == "" {
			c, why = copies.PlanTile(load, warps, ranges)
		}
		if c == nil {
			if why == "" {
				why = "nothing takes the tile"
			}
			return load.Errorf("is planned to travel by a bulk tensor copy, but cannot: %s", why)
		}
		planned = append(planned, c)
	}
	narrow := make(map[*copies.Copy]bool)
	for _, c := range planned {
		narrow[c] = c.Rows == nil && !slices.ContainsFunc(tile.AccessOf(c.Load).Offsets, func(v ir.Value) bool {
			r := ranges.Of(v)
			return r.SMin < math.MinInt32 || r.SMax > math.MaxInt32
		})
	}
	var results []*copies.Store
	for _, op := range stores {
		s, why := copies.PlanStore(op, matrices, ranges)
		if op.Is(tileas.Level.TiledAtomic) {
			s, why = copies.PlanReduction(op, ranges)
		}
		if s == nil {
			if why == "" {
				why = "it stores no result of a matrix product"
			}
			return op.Errorf("is planned to travel by a bulk tensor copy, but cannot: %s", why)
		}
		results = append(results, s)
	}
	m := maps{made: make(map[string]ir.Value)}
	// Stores first: a load makes the loops around it anew, whose results a store may have.
	for _, s := range results {
		if err := m.materializeStore(s); err != nil {
			return err
		}
	}
	for _, c := range planned {
		if err := m.materialize(c, narrow[c]); err != nil {
			return err
		}
	}
	return nil
}

// maps are the tensor maps of a kernel, by what they describe.
type maps struct{ made map[string]ir.Value }

// materialize puts a tensor copy where the load stands, and loads from its buffer where the operands of products are made.
//
//	in front of all:   %m = tensor_map %p sizes [...] strides [...]
//	before the loops:  %bar = alloc_shared : mbarrier ; mbarrier_init %bar, 1
//	here:              %buf = alloc_shared ; mbarrier_expect %bar, bytes ; %t = tma_load %buf, %m[...], %bar
//	before its use:    mbarrier_wait %bar, %parity
func (m *maps) materialize(c *copies.Copy, narrow bool) error {
	load := c.Load
	copies.FenceBefore(load)
	var desc ir.Value
	if c.Rows == nil {
		desc = m.of(tile.AccessOf(load), c.Map, c.Built)
	}
	bar, end := mbarrier(load)
	defer end()
	parity := copies.Parity(load)
	if c.Rows != nil {
		return m.gather(c, bar, parity)
	}
	acc := tile.AccessOf(load) // behind that, which makes the loops around it anew with what they carry

	err := put(c, bar, parity, func(st *ir.OpState, buffer ir.Value) {
		groups := [][]ir.Value{{buffer}, {desc}, acc.Offsets, {bar}, nil, nil, nil}
		if !acc.Token.IsNil() {
			groups[4] = []ir.Value{acc.Token}
		}
		st.OperandGroups(groups...)
		if narrow {
			st.SetAttr(tileas.AttrNarrow, load.Context().Unit())
		}
	})
	if err == nil && c.Threads {
		eraseUnused(slices.Concat([]ir.Value{acc.Base}, acc.Sizes, acc.Strides))
	}
	return err
}

// put puts a copy, whose operands and attributes are made by describe, in the place of a load: an mbarrier counts its bytes, and is waited for in front of what reads the buffer.
func put(c *copies.Copy, bar, parity ir.Value, describe func(st *ir.OpState, buffer ir.Value)) error {
	load := c.Load
	b := ir.BuilderBefore(load)
	b.Loc = load.Loc()
	buffer := tileas.Alloc(b, c.Buffer, c.Align)
	b.Create(tileas.MbarrierExpect, []ir.Value{bar}, nil, ir.NamedAttr{Name: tileas.AttrBytes, Value: b.Context().IntAttr(b.Context().Int(32), c.Buffer.TileBytes())})
	st := b.NewState(tileas.TMALoad, load.Loc())
	describe(st, buffer)
	st.Types = []ir.Type{load.Result(1).Type()}
	start := b.Insert(st)
	by, err := read(c, buffer)
	if err != nil {
		return load.Errorf("is planned to travel by a bulk tensor copy, but cannot: %v", err)
	}
	b = ir.BuilderBefore(by)
	b.Loc = load.Loc()
	b.Create(tileas.MbarrierWait, []ir.Value{bar, parity}, nil)
	load.Result(1).ReplaceAllUsesWith(start.Result(0))
	if !c.Threads {
		eraseDead(load)
		return nil
	}
	for _, view := range c.Views {
		view.Erase()
	}
	load.Erase()
	return nil
}

// of returns the map of the object of an access, which is made at the start of the kernel, or at a site.
func (m *maps) of(a tile.Access, t *tileas.TensorMapType, site *copies.Site) ir.Value {
	if site != nil {
		return m.built(a, t, site)
	}
	key := ir.TypeString(t)
	for _, v := range slices.Concat([]ir.Value{a.Base}, a.Sizes, a.Strides) {
		key += " " + text(v)
	}
	if v, ok := m.made[key]; ok {
		return v
	}
	b := ir.BuilderBefore(tileas.KernelOf(a.Op).Body().First())
	b.Loc = a.Op.Loc()
	h := hoister{b: b, made: make(map[ir.Value]ir.Value)}
	st := b.NewState(tileas.MakeTensorMap, a.Op.Loc())
	st.OperandGroups([]ir.Value{h.value(a.Base)}, h.values(a.Sizes), h.values(a.Strides))
	st.Types = []ir.Type{t}
	v := b.Insert(st).Result(0)
	m.made[key] = v
	return v
}

// built returns a map that is made where what it is made of is known. Of two copies of one object each has its own: where the values are the same, both stand in one block, and cost what one costs.
func (m *maps) built(a tile.Access, t *tileas.TensorMapType, site *copies.Site) ir.Value {
	b := site.Builder()
	b.Loc = a.Op.Loc()
	layout, _ := linear.SharedRowMajor([]int{tileas.MapWords}, []int{0}) // a power of two, so that there is no error
	scratch := b.Create(tileas.AllocShared, nil, []ir.Type{tileas.Buffer(b.Context(), []int64{tileas.MapWords}, b.Context().Int(32), tileas.SharedLayout(b.Context(), layout))}).Result(0)
	st := b.NewState(tileas.BuildTensorMap, a.Op.Loc())
	st.OperandGroups([]ir.Value{scratch}, []ir.Value{a.Base}, a.Sizes, a.Strides)
	st.Types = []ir.Type{t}
	return b.Insert(st).Result(0)
}

// text writes what a value is of the parameters of the kernel, as its planner has seen that it is.
func text(v ir.Value) string {
	def := v.DefiningOp()
	if def.IsNil() {
		return fmt.Sprint("%", v.Index())
	}
	if a := ir.ConstantValue(v); a != nil {
		return ir.AttrString(a)
	}
	out := def.Name() + "(" + ir.TypeString(v.Type())
	for _, o := range def.Operands() {
		out += ", " + text(o)
	}
	return out + ")"
}

// A hoister computes again at the start of the kernel what follows from its parameters. Whether the original is used for anything else is no matter: the launcher computes what maps are made of.
type hoister struct {
	b    *ir.Builder
	made map[ir.Value]ir.Value
}

func (h *hoister) values(vs []ir.Value) (out []ir.Value) {
	for _, v := range vs {
		out = append(out, h.value(v))
	}
	return out
}

func (h *hoister) value(v ir.Value) ir.Value {
	def := v.DefiningOp()
	if def.IsNil() {
		return v
	}
	if made, ok := h.made[v]; ok {
		return made
	}
	mapping := ir.NewMapping()
	for _, o := range def.Operands() {
		mapping.Values[o] = h.value(o)
	}
	made := h.b.Clone(def, mapping).Result(v.Index())
	h.made[v] = made
	return made
}

// mbarrier makes the mbarrier of a copy in front of the loops around it, and ends it behind them where it is made again. Where there are none, it ends with the block of the load: end, which is to be called when the wait is
// there, does that, since what the tile is waited for by may be what ends the block.
func mbarrier(load ir.Op) (bar ir.Value, end func()) {
	at, frame := load, copies.Frame(load)
	for p := load.ParentOp(); p != frame; p = p.ParentOp() {
		if p.Is(scf.For) {
			at = p
		}
	}
	b := ir.BuilderBefore(at)
	b.Loc = load.Loc()
	c := b.Context()
	layout, _ := linear.SharedRowMajor([]int{1}, []int{0}) // of one element, so that there is no error
	bar = b.Create(tileas.AllocShared, nil, []ir.Type{tileas.Buffer(c, []int64{1}, tileas.BarrierElem(c), tileas.SharedLayout(c, layout))}).Result(0)
	b.Create(tileas.MbarrierInit, []ir.Value{bar}, nil, ir.NamedAttr{Name: tileas.AttrArrivals, Value: c.IntAttr(c.Int(32), 1)})
	switch block := at.Block(); {
	case frame.Is(tileas.Level.Func):
		end = func() {}
	case at != load:
		b.SetInsertionPointBefore(at.Next())
		b.Create(tileas.MbarrierInval, []ir.Value{bar}, nil)
		end = func() {}
	default:
		end = func() {
			b.SetInsertionPointBefore(block.Last())
			b.Create(tileas.MbarrierInval, []ir.Value{bar}, nil)
		}
	}
	return bar, end
}
