package machine

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// A Probe says what there is to count at an instruction beyond its issue. Its decoder makes it; only a launch with a
// profile looks at it, so that it costs others nothing.
type Probe struct {
	Events   []Counter // once for each execution
	Accesses []Access
}

// An AccessKind is a way to access memory, for counters.
type AccessKind uint8

// The kinds of access. AccessFill are bytes that one thread writes at once.
const (
	AccessLoad AccessKind = iota
	AccessStore
	AccessAtomic
	AccessCopy
	AccessFill
)

// An Access is what the lanes of a warp ask of memory with one instruction.
type Access struct {
	Space syntax.Space
	Kind  AccessKind
	// Lane returns the bytes that a lane asks for, none if n is 0. The address is one of the space, or generic.
	Lane func(w *Warp, lane int) (addr uint64, n int)
}

// An Extent is a run of bytes, of one lane where that matters.
type Extent struct {
	Addr uint64
	N    int
	Lane int
}

// first is the first of the counters of an access in a space that has several, or 0.
func (k AccessKind) first(sp syntax.Space) Counter {
	switch sp {
	case syntax.Global:
		return [...]Counter{GlobalLoad, GlobalStore, GlobalAtomic, GlobalCopy, GlobalStore}[k]
	case syntax.Shared:
		return [...]Counter{SharedLoad, SharedStore, SharedAtomic, SharedCopy, SharedStore}[k]
	case syntax.Local:
		return [...]Counter{LocalLoad, LocalStore, LocalStore, LocalStore, LocalStore}[k]
	}
	return 0
}

// cluster stands for shared memory of other CTAs.
const cluster = syntax.Const + 1

// access counts one access. A generic one may go to several spaces, each of which then gets a request.
func (w *Warp) access(a *Access, m uint32) {
	var runs [cluster + 1][]Extent
	var room [WarpSize]Extent // of the space of the first lane, and nearly always of all
	used := false
	for m != 0 {
		i := Next(&m)
		addr, n := a.Lane(w, i)
		if n <= 0 {
			continue
		}
		sp := a.Space
		switch {
		case sp == syntax.Generic:
			sp, addr = Classify(addr)
		case sp == syntax.Shared:
			addr = AddressIn(sp, addr)
		}
		if sp == syntax.Shared {
			if RankOf(addr) != uint64(w.CTA.Rank) {
				sp = cluster
			}
			addr &= 1<<clusterShift - 1
		}
		if !used {
			runs[sp], used = room[:0], true
		}
		runs[sp] = append(runs[sp], Extent{addr, n, i})
	}
	for i, list := range runs {
		if len(list) == 0 {
			continue
		}
		w.request(syntax.Space(i), a.Kind, list)
	}
}

// request counts the request of a warp in one space.
func (w *Warp) request(sp syntax.Space, kind AccessKind, list []Extent) {
	var total uint64
	for _, e := range list {
		total += uint64(e.N)
	}
	switch sp {
	case syntax.Const, syntax.Param, cluster:
		k := map[syntax.Space]Counter{syntax.Const: ConstRequests, syntax.Param: ParamRequests, cluster: ClusterRequests}[sp]
		w.Count(k, 1)
		w.Count(k+1, total)
		return
	case syntax.Shared:
		if kind == AccessFill {
			if w.sheet.Trace != nil {
				w.traceRequest(sp, kind, list, 0, total)
			}
			w.Count(SharedBulkWriteBytes, total)
			return
		}
	}
	var n, ideal uint64
	switch sp {
	case syntax.Shared:
		n, ideal = wavefronts(list, kind == AccessAtomic)
	case syntax.Local:
		n, ideal = localSectors(list), (total+SectorBytes-1)/SectorBytes
	default:
		n, ideal = sectors(list)
	}
	if w.sheet.Trace != nil {
		w.traceRequest(sp, kind, list, n, total)
	}
	w.countRequest(kind.first(sp), n, ideal, total)
}

func (w *Warp) countRequest(first Counter, n, ideal, total uint64) {
	w.Count(first+requests, 1)
	w.Count(first+parts, n)
	w.Count(first+idealParts, ideal)
	w.Count(first+byteCount, total)
}

// CountBulk counts the global memory that a bulk copy reads or writes, as one request.
func (w *Warp) CountBulk(first Counter, list []Extent) {
	if len(list) == 0 {
		return
	}
	var total uint64
	for _, e := range list {
		total += uint64(e.N)
	}
	n, ideal := sectors(list)
	if w.sheet != nil && w.sheet.Trace != nil {
		w.traceBulk(list)
	}
	w.countRequest(first, n, ideal, total)
}

// SectorBytes is the unit in which caches and memory move data; a line of a cache has four.
const SectorBytes = 32

// sectors returns how many sectors the runs touch, and how many their bytes would fill if they lay together. Bytes
// that several lanes ask for count once in both. It sorts the runs.
func sectors(list []Extent) (touched, ideal uint64) {
	slices.SortFunc(list, func(a, b Extent) int { return cmp.Compare(a.Addr, b.Addr) })
	var distinct, end, next uint64 // end: after the bytes so far; next: the first sector that is not counted yet
	for i, e := range list {
		first, last := e.Addr/SectorBytes, (e.Addr+uint64(e.N)-1)/SectorBytes
		if i > 0 {
			first = max(first, next)
		}
		if first <= last {
			touched += last - first + 1
			next = last + 1
		}
		from, to := e.Addr, e.Addr+uint64(e.N)
		if i > 0 {
			from = max(from, end)
		}
		if from < to {
			distinct += to - from
			end = to
		}
	}
	return touched, (distinct + SectorBytes - 1) / SectorBytes
}

// localSectors returns how many sectors an access to local memory touches. There, the words of a warp's threads at one
// address are neighbours (CUDA C++ Programming Guide, "Local Memory").
func localSectors(list []Extent) uint64 {
	var room [4 * WarpSize]uint64
	all := room[:0]
	for _, e := range list {
		for word := e.Addr / 4; word <= (e.Addr+uint64(e.N)-1)/4; word++ {
			all = append(all, word*(4*WarpSize/SectorBytes)+uint64(e.Lane)/(SectorBytes/4))
		}
	}
	slices.Sort(all)
	return uint64(len(slices.Compact(all)))
}

// Banks of shared memory: successive words of 4 bytes are in successive banks, each of which serves one word in a
// cycle.
const (
	banks     = 32
	bankBytes = 4
)

// wavefronts returns in how many passes shared memory serves a request, and in how many it could at best.
//
// A pass has 128 bytes at most. So a request of up to 4 bytes a lane is served for the entire warp at once, one of 8
// for each half, one of 16 for each quarter. A pass takes as long as its busiest bank has different words to serve;
// lanes that ask for the same word share it. An atomic operation has a word for itself.
func wavefronts(list []Extent, atomic bool) (n, ideal uint64) {
	widest := 0
	for _, e := range list {
		widest = max(widest, e.N)
	}
	group := WarpSize
	for size := bankBytes; size < widest && group > 1; size *= 2 {
		group /= 2
	}
	for len(list) > 0 {
		k := 1 // lanes are in order
		for k < len(list) && list[k].Lane/group == list[0].Lane/group {
			k++
		}
		n += passes(list[:k], atomic)
		list = list[k:]
		ideal++
	}
	return n, ideal
}

// passes is how many different words the busiest bank has to serve.
func passes(list []Extent, atomic bool) (most uint64) {
	var room [4 * banks]uint64
	words := room[:0]
	for _, e := range list {
		for word := e.Addr / bankBytes; word <= (e.Addr+uint64(e.N)-1)/bankBytes; word++ {
			words = append(words, word)
		}
	}
	if !atomic {
		slices.Sort(words)
		words = slices.Compact(words)
	}
	var load [banks]uint64
	for _, word := range words {
		load[word%banks]++
		most = max(most, load[word%banks])
	}
	return most
}
