package interp

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// Which threads touch which bytes of shared memory, between one barrier and the next. With Engine.Threads, two accesses in one such epoch of which one writes are an error when they
// touch a byte in different threads, since nothing orders those. Layouts say which thread touches which element. The pairs of operations that meet are few, so what two of
// them have in common is computed once.

// A threadAccess is an operation that accesses a buffer.
type threadAccess struct {
	op     ir.Op
	writes bool
	bytes  uint64
	// threads returns the threads that touch each byte; nil: it may be any thread, as the program does not say.
	threads func() [][]uint16
	made    [][]uint16
}

// An epochAccess is one that was made since the last barrier.
type epochAccess struct {
	*threadAccess
	at uint64
}

// A meeting is a pair of accesses, the second so many bytes behind the first.
type meeting struct {
	a, b     *threadAccess
	distance int64
}

// An epoch is what threads have done in shared memory since the last barrier.
type epoch struct {
	since []epochAccess
	clash map[meeting]bool
}

// localAccess describes the access of a tensor with a layout to a buffer.
func localAccess(op ir.Op, t *tileas.BufferType, tensor ir.Type, writes bool) *threadAccess {
	a := &threadAccess{op: op, writes: writes, bytes: uint64(t.TileBytes())}
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
		lay = part.Whole // as if each thread read all parts of its own
	}
	a.threads = func() [][]uint16 {
		if a.made == nil {
			a.made = threadsOf(lay, t, owner)
		}
		return a.made
	}
	return a
}

// anyThread describes an access that the program does not divide among threads.
func anyThread(op ir.Op, t *tileas.BufferType, writes bool) *threadAccess {
	return &threadAccess{op: op, writes: writes, bytes: uint64(t.TileBytes())}
}

// threadsOf returns the threads that touch each byte of a buffer, in order. With owner, of those that hold copies only the first does.
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

// meets notes an access, and reports one since the last barrier that it clashes with.
func (m *machine) meets(a *threadAccess, p location) error {
	if m.role != nil {
		if err := m.role.crosses(a, p.address()); err != nil {
			return err
		}
	}
	if !m.run.engine.Threads {
		return nil
	}
	again, err := m.clash(a, p)
	if err == nil && !again {
		m.epoch.since = append(m.epoch.since, epochAccess{a, p.address()})
	}
	return err
}

// clash reports an access since the last barrier that another clashes with, and whether that one was made itself.
func (m *machine) clash(a *threadAccess, p location) (again bool, err error) {
	if !m.run.engine.Threads {
		return false, nil
	}
	at := p.address()
	for i := len(m.epoch.since) - 1; i >= 0; i-- {
		e := m.epoch.since[i]
		if e.threadAccess == a && e.at == at { // every thread does again what it has done
			return true, nil
		}
		if (a.writes || e.writes) && at < e.at+e.bytes && e.at < at+a.bytes && m.epoch.clashes(e, a, at) {
			return false, a.op.Errorf("accesses shared memory that another thread accesses in '%s', and no barrier has stood between them", e.op.Name()).
				Note(e.op.Loc(), "the earlier access")
		}
	}
	return false, nil
}

func (e *epoch) clashes(a epochAccess, b *threadAccess, at uint64) bool {
	if a.threads == nil || b.threads == nil {
		return true
	}
	key := meeting{a.threadAccess, b, int64(at) - int64(a.at)}
	clash, known := e.clash[key]
	if !known {
		clash = clashing(a.threads(), b.threads(), key.distance, a.writes && !b.writes)
		if e.clash == nil {
			e.clash = make(map[meeting]bool)
		}
		e.clash[key] = clash
	}
	return clash
}

// clashing reports whether a byte is touched by different threads. Where the first access writes and the second reads, it is enough that each reader has written the byte itself: copies
// of a tile's element are equal.
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

// within reports whether the threads of one sorted list are all in another.
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
