package tileastonvvm

import (
	"strconv"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/target/sm"
)

// explain says of a kernel which instructions its accesses became. It looks here, and not where each was decided: a
// load that was planned one way may have become another.
func explain(r *passes.Run, fn ir.Op, arch *sm.Arch) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		l := tileas.Level
		switch {
		case op.Is(tileas.TMALoad):
			selected(r, fn, op, remark.LoadSelected, remark.TMALoad, remark.Shape(tileas.TMABoxes(op).Box))
		case op.Is(tileas.TMAStore):
			selected(r, fn, op, remark.StoreSelected, remark.TMAStore, remark.Shape(tileas.TMABoxes(op).Box))
		case op.Is(tileas.CopyAsync), op.Is(tileas.GatherAsync):
			selected(r, fn, op, remark.LoadSelected, remark.Ldgsts, "")
		case op.Is(l.TiledLoad), op.Is(l.Load):
			selected(r, fn, op, remark.LoadSelected, remark.GlobalLoad, "")
			narrow(r, fn, op)
		case op.Is(l.TiledStore), op.Is(l.Store):
			selected(r, fn, op, remark.StoreSelected, remark.GlobalStore, "")
			narrow(r, fn, op)
		case op.Is(tileas.LocalLoad):
			conflicts(r, fn, op, op.Result(0), op.Operand(0))
		case op.Is(tileas.LocalStore):
			conflicts(r, fn, op, op.Operand(0), op.Operand(1))
		}
		return ir.Advance
	})
	taken(r, fn, arch)
}

func selected(r *passes.Run, fn, op ir.Op, kind *remark.Kind, instruction, shape string) {
	kind.At(r, op.Loc(), "%s: %s", kind.Title, instruction).In(fn).Arg(remark.InstructionKey, instruction).Arg(remark.ShapeKey, shape).Report()
}

// narrow says where threads access less at a time than they could.
func narrow(r *passes.Run, fn, op ir.Op) {
	access, ok := transfer.AccessOf(op)
	if !ok {
		return
	}
	layout, ok := tileas.LayoutOf(access.Value.Type())
	if !ok {
		return
	}
	size := tile.ElementBytes(ir.ElementType(access.Value.Type()))
	registers := layout.Size(linear.Register)
	vector := max(1, access.Vector)
	count := strconv.Itoa((registers + vector - 1) / vector)
	if op.Is(tileas.Level.Load) || op.Is(tileas.Level.Store) {
		if registers > vector && vector*size < tile.MaxVectorBytes {
			remark.Gather.At(r, op.Loc(), "each thread accesses %s times, %d bytes at a time: elements are where pointers say", count, vector*size).In(fn).Arg("Accesses", count).
				Arg(remark.ReasonKey, "its elements are where pointers say").
				Cure("if the addresses are those of a strided array, access a tile of a view of it (make_tensor_view, load_view_tko) instead of through a tile of pointers").Report()
		}
		return
	}
	a := tile.AccessOf(op)
	extent := registers
	if d := a.ContiguousDim(); d >= 0 {
		extent = min(extent, int(tile.Shape(a.Tile)[d]))
	}
	best := min(tile.MaxVectorBytes/size, extent)
	if vector >= best {
		return
	}
	missing := a.MissingForVector(best)
	if len(missing) == 0 {
		return // the layout does not want more
	}
	remark.Vectors.At(r, op.Loc(), "each thread accesses %s times, %d bytes at a time, where %d could be", count, vector*size, best*size).In(fn).
		Arg("Width", strconv.Itoa(vector*size)).Arg("Best", strconv.Itoa(best*size)).Arg("Accesses", count).Missing(missing...).Report()
}

// conflicts says where lanes of a warp meet in banks.
func conflicts(r *passes.Run, fn, op ir.Op, value, buffer ir.Value) {
	layout, ok := tileas.LayoutOf(value.Type())
	b, isBuffer := buffer.Type().(*tileas.BufferType)
	if !ok || !isBuffer {
		return
	}
	if op.Is(tileas.LocalLoad) {
		part, err := tileas.PartOf(op, layout)
		if err != nil {
			return
		}
		layout = part.Whole
	}
	_, cost, err := linear.BestAccess(layout, b.Layout.Shared, 8*int(b.ElementBytes()), linear.AccessOptions{Matrix: true})
	if err != nil || cost.Ways <= 1 {
		return
	}
	what, others := "read", users(buffer, op.Block())
	if op.Is(tileas.LocalStore) {
		what = "written"
	}
	m := remark.Banks.At(r, op.Loc(), "a buffer of '%s' in shared memory is %s in %d passes where %d would do: lanes meet %d to a bank", ir.TypeString(b.Elem), what, cost.Wavefronts, (cost.Wavefronts+cost.Ways-1)/cost.Ways, cost.Ways).In(fn).
		Arg("Passes", strconv.Itoa(cost.Wavefronts)).Arg("Least", strconv.Itoa((cost.Wavefronts+cost.Ways-1)/cost.Ways))
	switch {
	case others > 1 && op.Is(tileas.LocalLoad):
		m.Arg(remark.ReasonKey, "the buffer is read in two orders, and swizzled for the other one").Cure("load the tile twice, once for each use, so that each has a buffer of its own that is swizzled for it")
	default:
		m.Arg(remark.ReasonKey, "the layouts of the two sides have no order of the buffer that suits both").Cure("make the rows of the tile longer, or transpose in memory what is read across its rows")
	}
	m.Report()
}

// users counts the reads in a block of what a buffer is a view or stage of, as far as a few steps show. Versions of a loop
// read it in blocks of their own, of which one runs.
func users(buffer ir.Value, at ir.Block) (n int) {
	root := buffer
	for range 8 { // views of views
		def := root.DefiningOp()
		if def.IsNil() || def.NumOperands() == 0 || !tileas.IsBuffer(def.Operand(0)) {
			break
		}
		root = def.Operand(0)
	}
	return reads(root, at, 8)
}

func reads(v ir.Value, at ir.Block, depth int) (n int) {
	for u := range v.Uses() {
		op := u.Owner()
		switch {
		case op.Is(tileas.LocalLoad) && op.Block() == at:
			n++
		case depth > 0 && op.NumResults() == 1 && tileas.IsBuffer(op.Result(0)):
			n += reads(op.Result(0), at, depth-1)
		}
	}
	return n
}

// taken says which registers and how much shared memory a CTA takes.
func taken(r *passes.Run, fn ir.Op, arch *sm.Arch) {
	warps, err := contract.NumWarpsOf(fn)
	if err != nil || warps < 1 {
		return
	}
	need := int((pressure.Of(fn, arch, pressure.View{}).Most() + int64(sm.WarpSize*warps) - 1) / int64(sm.WarpSize*warps))
	limit := arch.RegistersPerThread(warps, 1)
	shared, _ := fn.IntAttr(tileas.AttrSharedBytes)
	m := remark.Pressure.At(r, fn.Loc(), "tiles take about %d of the %d registers of a thread where most are live (estimate), and %d of %d bytes of shared memory", need, limit, shared, arch.Shared.PerCTA).In(fn).
		Arg("Registers", strconv.Itoa(need)).Arg("Limit", strconv.Itoa(limit)).Arg("SharedBytes", strconv.FormatInt(shared, 10)).Arg("SharedLimit", strconv.Itoa(arch.Shared.PerCTA))
	if need > limit {
		m.Cure("make tiles smaller, or ask for more warps (the hint num_worker_warps)")
	}
	m.Report()
}
