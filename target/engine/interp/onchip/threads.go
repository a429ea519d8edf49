package onchip

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// With the option Threads, two accesses between the same barriers clash if they touch a byte in different threads and
// one writes: nothing orders them. Layouts say which thread touches which element. Few pairs of operations meet, so the
// comparison of a pair is computed once.

// A ThreadAccess is an operation that accesses a buffer.
type ThreadAccess struct {
	Op     ir.Op
	Writes bool
	Bytes  uint64
	// threads returns the threads that touch each byte; nil: any thread, since the program does not say.
	threads func() [][]uint16
	made    [][]uint16
}

// An EpochAccess is an access since the last barrier.
type EpochAccess struct {
	*ThreadAccess
	At uint64
}

// A meeting is a pair of accesses, the second at a distance in bytes from the first.
type meeting struct {
	a, b     *ThreadAccess
	distance int64
}

// An Epoch is the accesses of shared memory since the last barrier.
type Epoch struct {
	Since []EpochAccess
	clash map[meeting]bool
}

// LocalAccess describes the access of a tensor with a layout to a buffer.
func LocalAccess(op ir.Op, t *tileas.BufferType, tensor ir.Type, writes bool) *ThreadAccess {
	a := &ThreadAccess{Op: op, Writes: writes, Bytes: uint64(t.TileBytes())}
	lay, ok := tileas.LayoutOf(tensor)
	if !ok {
		return a
	}
	owner := op.Is(tileas.LocalStore) && op.HasUnitAttr(tileas.AttrOwner)
	if op.Is(tileas.LocalLoad) {
		part, err := tileas.PartOf(op, lay)
		if err != nil {
			return a
		}
		lay = part.Whole // as if each thread read all its own parts
	}
	a.threads = func() [][]uint16 {
		if a.made == nil {
			a.made = threadsOf(lay, t, owner)
		}
		return a.made
	}
	return a
}

// AnyThread describes an access that the program does not divide among threads.
func AnyThread(op ir.Op, t *tileas.BufferType, writes bool) *ThreadAccess {
	return &ThreadAccess{Op: op, Writes: writes, Bytes: uint64(t.TileBytes())}
}

// threadsOf returns the threads that touch each byte of a buffer, in order. With owner, only the first of the threads
// that hold copies of an element touches it.
func threadsOf(lay linear.Layout, t *tileas.BufferType, owner bool) [][]uint16 {
	lanes, warps, size := lay.Size(linear.Lane), lay.Size(linear.Warp), t.ElementBytes()
	freeLane, freeWarp := lay.FreeMask(linear.Lane), lay.FreeMask(linear.Warp)
	out := make([][]uint16, t.TileBytes())
	for w := range warps {
		for l := range lanes {
			if owner && (uint32(l)&freeLane != 0 || uint32(w)&freeWarp != 0) {
				continue
			}
			thread := uint16(w*32 + l)
			from := lay.ThreadPart(uint32(l), uint32(w), 0)
			for r := range lay.Size(linear.Register) {
				// Layouts are linear over xor: the element of (lane, warp, register) is the xor of their parts.
				at := int64(t.Layout.Shared.Offset(from^lay.RegisterPart(uint32(r)))) * size
				if n := len(out[at]); n > 0 && out[at][n-1] == thread {
					continue
				}
				out[at] = append(out[at], thread)
			}
		}
	}
	for at := range out {
		if int64(at)%size != 0 {
			out[at] = out[int64(at)/size*size]
		}
	}
	return out
}

// Clashes reports whether two accesses since the last barrier clash, the second at an address.
func (e *Epoch) Clashes(a EpochAccess, b *ThreadAccess, at uint64) bool {
	if a.threads == nil || b.threads == nil {
		return true
	}
	key := meeting{a.ThreadAccess, b, int64(at) - int64(a.At)}
	clash, known := e.clash[key]
	if !known {
		clash = clashing(a.threads(), b.threads(), key.distance, a.Writes && !b.Writes)
		if e.clash == nil {
			e.clash = make(map[meeting]bool)
		}
		e.clash[key] = clash
	}
	return clash
}

// clashing reports whether different threads touch a byte. If the first access writes and the second reads, it is
// enough that each reader has written the byte itself: all copies of an element are equal.
func clashing(a, b [][]uint16, distance int64, writtenThenRead bool) bool {
	for i, second := range b {
		k := int64(i) + distance
		if k < 0 || k >= int64(len(a)) {
			continue
		}
		first := a[k]
		if !writtenThenRead && (len(first) != 1 || len(second) != 1) {
			return true
		}
		if !within(second, first) {
			return true
		}
	}
	return false
}

// within reports whether all threads of one sorted list are in another.
func within(part, whole []uint16) bool {
	for _, t := range part {
		for len(whole) > 0 && whole[0] < t {
			whole = whole[1:]
		}
		if len(whole) == 0 || whole[0] != t {
			return false
		}
	}
	return true
}
