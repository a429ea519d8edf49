package allocateshared

import (
	"sort"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

// alignment of every buffer in bytes: a row of banks, which every swizzle is made for.
const alignment = 128

// plenty is how much shared memory a kernel may take before buffers of one block overlap: reuse costs barriers, so it is avoided while
// several tile blocks still fit an SM.
const plenty = 32 << 10

var sharedBytes = passes.NewStatistic("shared-bytes", "bytes of shared memory that kernels take")

// Pass is tileas-allocate-shared.
var Pass = passes.Register(&passes.Pass{
	Name:        "tileas-allocate-shared",
	Title:       "TileASAllocateShared",
	Summary:     "place buffers in shared memory",
	Doc:         "Assigns an offset to every alloc_shared, overlapping buffers whose lives do not meet.",
	On:          "nv_tileas.func",
	Requires:    []*passes.Property{property.TileAS, property.LayoutsAssigned},
	Establishes: []*passes.Property{property.SharedAllocated},
	After: []passes.Edge{
		{Pass: "tileas-materialize-convert-layout", Reason: "it creates the buffers of layout conversions"},
	},
	Statistics: []*passes.Statistic{sharedBytes},
	Run:        run,
})

type life struct {
	op         ir.Op
	start, end int // positions in the text, both inclusive
	size       int64
	offset     int64
}

func run(r *passes.Run) error {
	lives := lifetimes(r.Op, true)
	total := place(lives)
	if total > plenty {
		lives = lifetimes(r.Op, false)
		total = place(lives)
	}
	if r.Target.GPU != "" {
		arch, err := matrix.Arch(r.Target.GPU)
		if err != nil {
			return err
		}
		if limit := int64(arch.Shared.PerCTA); total > limit {
			return r.Op.Errorf("needs %d bytes of shared memory, but a tile block of %s has at most %d", total, arch, limit)
		}
	}
	for _, l := range lives {
		l.op.SetAttr(tileas.AttrOffset, r.IR().IntAttr(r.IR().Int(32), l.offset))
	}
	r.Op.SetAttr(tileas.AttrSharedBytes, r.IR().IntAttr(r.IR().Int(32), total))
	r.Add(sharedBytes, int(total))
	return nil
}

// place gives every buffer the lowest offset that is free for its life, large ones first, and returns the bytes in use.
func place(lives []*life) (total int64) {
	sort.SliceStable(lives, func(i, j int) bool { return lives[i].size > lives[j].size })
	for i, l := range lives {
		l.offset = lowestFree(l, lives[:i])
		total = max(total, l.offset+l.size)
	}
	return total
}

// addressBytes is what a global alloca takes: its address, which one thread tells the others.
const addressBytes = 8

// lifetimes returns the life of every buffer. With relaxed, a buffer lives to the end of its block.
func lifetimes(fn ir.Op, relaxed bool) []*life {
	position := make(map[ir.Op]int)
	last := make(map[ir.Op]int) // position of the last operation inside
	n := 0
	var number func(op ir.Op)
	number = func(op ir.Op) {
		position[op] = n
		n++
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				for inner := range b.Ops() {
					number(inner)
				}
			}
		}
		last[op] = n - 1
	}
	number(fn)
	var lives []*life
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.Level.Alloca) { // its address may go anywhere
			bytes, _ := op.IntAttr(tile.AttrBytes)
			if op.HasUnitAttr(tile.AttrGlobal) {
				bytes = addressBytes
			}
			lives = append(lives, &life{op: op, end: last[fn], size: (bytes + alignment - 1) / alignment * alignment})
			return ir.Advance
		}
		if !op.Is(tileas.AllocShared) {
			return ir.Advance
		}
		t := op.Result(0).Type().(*tileas.BufferType)
		l := &life{op: op, start: position[op], end: position[op], size: (t.Bytes() + alignment - 1) / alignment * alignment}
		for u := range op.Result(0).Uses() {
			user := u.Owner()
			for user.Block() != op.Block() {
				user = user.ParentOp()
			}
			l.end = max(l.end, last[user])
		}
		if relaxed {
			l.end = max(l.end, last[op.Block().Last()])
		}
		lives = append(lives, l)
		return ir.Advance
	})
	return lives
}

// lowestFree returns the lowest offset at which l meets none of the placed buffers that are alive with it.
func lowestFree(l *life, placed []*life) int64 {
	var busy []*life
	for _, p := range placed {
		if p.start <= l.end && l.start <= p.end {
			busy = append(busy, p)
		}
	}
	sort.SliceStable(busy, func(i, j int) bool { return busy[i].offset < busy[j].offset })
	at := int64(0)
	for _, p := range busy {
		if at+l.size <= p.offset {
			break
		}
		at = max(at, p.offset+p.size)
	}
	return at
}
