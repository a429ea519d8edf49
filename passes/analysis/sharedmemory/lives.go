package sharedmemory

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Alignment of every buffer in bytes: a row of banks, which every swizzle is made for.
const Alignment = 128

// addressBytes is what a global alloca takes: its address, which one thread tells the others.
const addressBytes = 8

// A Life is the part of the text in which an operation's buffer is in use.
type Life struct {
	Op         ir.Op // which takes the attribute tileas.AttrOffset
	Start, End int   // positions in the text, both inclusive
	Size       int64 // in bytes, a multiple of Alignment
}

// Meets reports whether both are in use at some time.
func (l *Life) Meets(o *Life) bool { return l.Start <= o.End && o.Start <= l.End }

// Lives returns the life of every buffer of a kernel in the order of the text. With relaxed, a buffer lives to the end of its block.
func Lives(fn ir.Op, relaxed bool) []*Life {
	t := number(fn)
	var lives []*Life
	fn.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileas.Level.Alloca): // its address may go anywhere
			bytes, _ := op.IntAttr(tile.AttrBytes)
			if op.HasUnitAttr(tile.AttrGlobal) {
				bytes = addressBytes
			}
			lives = append(lives, &Life{Op: op, End: t.last[fn], Size: aligned(bytes)})
		case op.Is(tileas.AllocShared):
			lives = append(lives, t.life(fn, op, relaxed))
		}
		return ir.Advance
	})
	return lives
}

func aligned(bytes int64) int64 { return (bytes + Alignment - 1) / Alignment * Alignment }

// A text gives operations positions.
type text struct {
	position map[ir.Op]int
	last     map[ir.Op]int // of the last operation inside
}

func number(fn ir.Op) *text {
	t := &text{position: make(map[ir.Op]int), last: make(map[ir.Op]int)}
	n := 0
	var visit func(op ir.Op)
	visit = func(op ir.Op) {
		t.position[op] = n
		n++
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				for inner := range b.Ops() {
					visit(inner)
				}
			}
		}
		t.last[op] = n - 1
	}
	visit(fn)
	return t
}

func (t *text) life(fn, op ir.Op, relaxed bool) *Life {
	l := &Life{Op: op, Start: t.position[op], End: t.position[op]}
	if b, ok := op.Result(0).Type().(*tileas.BufferType); ok {
		l.Size = aligned(b.Bytes())
	}
	for u := range op.Result(0).Uses() {
		user := u.Owner()
		if !accesses(user) { // it may be handed on, to a loop or to what nobody has heard of
			l.Start, l.End = 0, t.last[fn]
			return l
		}
		for user.Block() != op.Block() {
			user = user.ParentOp()
		}
		l.End = max(l.End, t.last[user])
	}
	if relaxed {
		l.End = max(l.End, t.last[op.Block().Last()])
	}
	return l
}

// accesses reports whether an operation is over with the buffers that it uses when it is over itself.
func accesses(op ir.Op) bool { return op.Is(tileas.LocalStore) || op.Is(tileas.LocalLoad) }
