package judge

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// caseOf returns the case that a path names, or makes one of a module and a launch: that of the flags, or one that is
// drawn.
func (c *config) caseOf(path string) (*launch.Case, Options, error) {
	opts := c.Options
	if info, err := os.Stat(path); err != nil || info.IsDir() || strings.HasSuffix(path, ".json") {
		if c.launch.Described() || c.launch.Entry() != "" {
			return nil, opts, fmt.Errorf("'%s' is a case, which says how its kernel is launched", path)
		}
		k, err := launch.LoadCase(path)
		return k, opts, err
	}
	data, err := cli.ReadFile(path)
	if err != nil {
		return nil, opts, err
	}
	ctx := tileir.NewContext()
	var said strings.Builder
	ctx.Diag.Push(ctx.Diag.PrintTo(&said))
	module, err := tileir.Read(ctx, path, data)
	if err != nil {
		return nil, opts, fmt.Errorf("%w\n%s", err, strings.TrimSpace(said.String()))
	}
	var req *launch.Request
	if c.launch.Described() {
		req, err = c.launch.Module(path, module)
	} else {
		opts.Drawn = true
		req, err = drawLaunch(module, c.launch.Entry(), c.Seed)
	}
	if err != nil {
		return nil, opts, fmt.Errorf("%s: %w", path, err)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	// The path of the case says where its module is.
	return &launch.Case{Name: name, Path: filepath.Join(filepath.Dir(path), "case.json"), Module: filepath.Base(path), Entry: req.Entry, Grid: req.Grid, Args: req.Args, Segments: req.Segments}, opts, nil
}

const (
	// drawnExtent is what an extent is drawn around that no tile says more of.
	drawnExtent = 64
	// drawnElements is the size of a buffer that no view says more of.
	drawnElements = 1 << 14
	// mostDrawn bounds the elements of a drawn buffer.
	mostDrawn = 1 << 26
)

// A drawing is a launch in the making.
type drawing struct {
	entry  ir.Op
	r      *rand.Rand
	values map[int]uint64   // of integer parameters
	byTile map[int64]uint64 // the extent that goes with a tile's: the same for all tensors, as K is in a GEMM
	sizes  map[int]int64    // of buffers in elements, by parameter
	loaded map[int]bool
	stored map[int]bool
	grid   [3]uint32
	tiles  int64 // of the largest view that is stored to
}

// drawLaunch makes a launch of a kernel of which only the signature is known: extents of tensors are between one and two
// tiles, strides follow from them, and tile blocks cover the tensors.
func drawLaunch(module ir.Op, name string, seed uint64) (*launch.Request, error) {
	var entries []ir.Op
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.Entry) && (name == "" || op.SymbolName() == name) {
			entries = append(entries, op)
		}
		return ir.Advance
	})
	if len(entries) != 1 {
		return nil, fmt.Errorf("a launch can be drawn for one entry, but the module has %d; --entry names it", len(entries))
	}
	d := &drawing{entry: entries[0], r: rand.New(rand.NewPCG(seed, 0x647261776e)), values: make(map[int]uint64), byTile: make(map[int64]uint64),
		sizes: make(map[int]int64), loaded: make(map[int]bool), stored: make(map[int]bool), grid: [3]uint32{1, 1, 1}}
	var err error
	d.entry.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.MakeTensorView) && err == nil {
			err = d.tensor(op)
		}
		return ir.Advance
	})
	if err != nil {
		return nil, err
	}
	d.entry.Walk(d.access)
	d.cover()
	return d.request()
}

// extent draws the size of a dimension that a parameter gives and that tiles of some extent split.
func (d *drawing) extent(p int, tile int64) uint64 {
	if n, ok := d.values[p]; ok {
		return n
	}
	unit := unitOf(d.entry.Body().Arg(p), 0)
	n := d.byTile[tile]
	if n == 0 {
		n = uint64(tile) + 1 + d.r.Uint64N(uint64(tile))
		d.byTile[tile] = n
	}
	n = (n + unit - 1) / unit * unit
	d.values[p] = n
	return n
}

// tensor draws the extents of a tensor, and gives strides that its elements lie one after the other with.
func (d *drawing) tensor(op ir.Op) error {
	t := op.Result(0).Type().(*cudatile.TensorViewType)
	tiles := make([]int64, len(t.Shape))
	for u := range op.Result(0).Uses() {
		if v, ok := viewOf(u.Owner()); ok {
			for i, dim := range v.DimMap {
				tiles[dim] = max(tiles[dim], v.TileShape[i])
			}
		}
	}
	shape, given := make([]int64, len(t.Shape)), op.OperandsNamed("dynamicShape")
	for i, n := range t.Shape {
		if shape[i] = n; n < 0 {
			p := parameter(given[0])
			if p < 0 {
				return errors.New("an extent of a tensor is computed; --grid and --arg describe a launch")
			}
			if tiles[i] < 2 {
				tiles[i] = drawnExtent
			}
			shape[i], given = int64(d.extent(p, tiles[i])), given[1:]
		}
	}
	last, given := int64(1), op.OperandsNamed("dynamicStrides")
	strides := make([]int64, len(shape))
	place := len(given)
	for i := len(shape) - 1; i >= 0; i-- {
		if strides[i] = t.Strides[i]; strides[i] < 0 {
			strides[i] = last
			if place--; parameter(given[place]) >= 0 {
				p := parameter(given[place])
				if _, ok := d.values[p]; !ok {
					unit := int64(unitOf(d.entry.Body().Arg(p), 0))
					strides[i] = (last + unit - 1) / unit * unit
					d.values[p] = uint64(strides[i])
				}
				strides[i] = int64(d.values[p])
			}
		}
		last = max(last, strides[i]*shape[i])
	}
	if base := parameter(op.Operand(0)); base >= 0 {
		size := int64(1)
		for i, n := range shape {
			size += (n - 1) * strides[i]
		}
		if size > mostDrawn {
			return fmt.Errorf("a tensor would have %d elements; --grid and --arg describe a launch", size)
		}
		d.sizes[base] = max(d.sizes[base], size)
	}
	return nil
}

func viewOf(op ir.Op) (cudatile.ViewParts, bool) {
	if op.NumResults() != 1 {
		return cudatile.ViewParts{}, false
	}
	v, ok := op.Result(0).Type().(cudatile.ViewType)
	if !ok {
		return cudatile.ViewParts{}, false
	}
	return v.View(), true
}

// access notes what is read and written, and which tiles a tile block takes.
func (d *drawing) access(op ir.Op) ir.WalkResult {
	loads, stores := op.Is(cudatile.LoadView) || op.Is(cudatile.LoadPtr), op.Is(cudatile.StoreView) || op.Is(cudatile.StorePtr)
	for _, x := range op.Operands() {
		switch p := pointee(x); {
		case p < 0:
		case stores:
			d.stored[p] = true
		case loads || op.Is(cudatile.AtomicRMW) || op.Is(cudatile.AtomicCAS) || op.Is(cudatile.AtomicRedView):
			d.loaded[p] = true
		}
	}
	if !loads && !stores {
		return ir.Advance
	}
	view := op.Operand(0)
	if stores {
		view = op.Operand(1)
	}
	maker := view.DefiningOp()
	if maker.IsNil() {
		return ir.Advance
	}
	v, ok := viewOf(maker)
	if !ok || maker.Operand(0).DefiningOp().IsNil() {
		return ir.Advance
	}
	sizes := d.shape(maker.Operand(0).DefiningOp())
	tiles := int64(1)
	for i, x := range op.OperandsNamed("index") {
		if i >= len(v.DimMap) || sizes == nil {
			break
		}
		n := (sizes[v.DimMap[i]] + v.TileShape[i] - 1) / v.TileShape[i]
		tiles *= n
		if def := x.DefiningOp(); !def.IsNil() && def.Is(cudatile.GetTileBlockID) {
			d.grid[x.Index()] = max(d.grid[x.Index()], uint32(n))
		}
	}
	if stores {
		d.tiles = max(d.tiles, tiles)
	}
	return ir.Advance
}

// shape is that of a tensor whose extents have been drawn; nil if some have not.
func (d *drawing) shape(op ir.Op) []int64 {
	if !op.Is(cudatile.MakeTensorView) {
		return nil
	}
	given := op.OperandsNamed("dynamicShape")
	out := append([]int64(nil), op.Result(0).Type().(*cudatile.TensorViewType).Shape...)
	for i, n := range out {
		if n < 0 {
			out[i], given = int64(d.values[parameter(given[0])]), given[1:]
		}
	}
	return out
}

// pointee is the parameter that a pointer or view comes from, or -1.
func pointee(v ir.Value) int {
	for op := v.DefiningOp(); !op.IsNil(); op = v.DefiningOp() {
		if op.NumOperands() == 0 {
			return -1
		}
		v = op.Operand(0)
	}
	t, ok := v.Type().(*cudatile.TileType)
	if !ok || !v.Block().ParentOp().Is(cudatile.Entry) {
		return -1
	}
	if _, ok := t.Elem.(*cudatile.PtrType); !ok {
		return -1
	}
	return v.Index()
}

// cover has as many tile blocks as tiles are stored, where their number takes part in arithmetic.
func (d *drawing) cover() {
	d.entry.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.GetTileBlockID) && d.tiles > 0 && op.Result(0).HasUses() && d.grid[0] == 1 {
			d.grid[0] = uint32(min(d.tiles, 1<<16))
		}
		return ir.Advance
	})
}

func (d *drawing) request() (*launch.Request, error) {
	req := &launch.Request{Entry: d.entry.SymbolName(), Grid: d.grid}
	for i, p := range d.entry.Body().Args() {
		t := p.Type().(*cudatile.TileType)
		ptr, isPointer := t.Elem.(*cudatile.PtrType)
		elem := t.Elem
		if isPointer {
			elem = ptr.Pointee
		}
		dtype, err := launch.ParseDType(ir.TypeString(elem))
		if err != nil {
			return nil, fmt.Errorf("parameter %d: %w", i, err)
		}
		text := ""
		switch _, _, integer := dtype.Int(); {
		case isPointer:
			n := d.sizes[i]
			if n == 0 {
				n = drawnElements
			}
			text = fmt.Sprintf("%s[%d]=random", dtype, (n+1)/2*2)
			if d.stored[i] && !d.loaded[i] {
				text = strings.TrimSuffix(text, "random") + "uninitialized"
			}
		case integer:
			n, ok := d.values[i]
			if !ok {
				n = min(drawnExtent, uint64(1)<<(dtype.Size()*8-2))
				if dtype == launch.I1 {
					n = 1
				}
			}
			text = fmt.Sprintf("%s:%d", dtype, n)
		default:
			text = fmt.Sprintf("%s:1", dtype)
		}
		a, err := launch.ParseArg(text, nil)
		if err != nil {
			return nil, err
		}
		req.Args = append(req.Args, a)
	}
	return req, nil
}
