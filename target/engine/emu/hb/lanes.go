package hb

import (
	"fmt"
	"math/bits"
)

// What lanes of a warp know of each other.
//
// A warp has one view, that of all its lanes: they know what the warp has acquired. It says too much where lanes are
// not synchronised with each other. Three things make up for that:
//
//	cells      which lane accessed which bytes, beside each epoch of a warp
//	agreed     up to which clock of the warp all lanes know what all of them did
//	apart      views of lanes that have acquired something without the others
//
// An access of one lane is known to another lane up to agreed, and to itself always. Nothing but bar.warp.sync, and
// what synchronises warps too, raises agreed (PTX ISA, "bar.warp.sync": it orders memory among the threads of the
// mask; shfl, vote and the like say nothing of memory).

const lanesOfWarp = 32

// cells says which lane accessed each word of a granule, in six bits: a lane below 32; from pairs on two lanes, of
// which each accessed its half; from quads on four lanes, each with its byte; several lanes for the same byte; unknown.
type cells uint64

const (
	pairs      = 32
	quads      = 48
	several    = 62
	unknown    = 63
	cellBits   = 6
	cellBytes  = 4
	cellsCount = granule / cellBytes
	overlaps   = 1 << 63 // one of them is several
)

// inWords has the factors that put a lane into so many cells.
var inWords = func() (out [cellsCount + 1]uint64) {
	for i := range cellsCount {
		out[i+1] = out[i]<<cellBits | 1
	}
	return out
}()

// fieldsOf has the cells of two words by the bytes of them that matter.
var fieldsOf = func() (out [256]cells) {
	for b := range out {
		if b&0x0f != 0 {
			out[b] |= 1<<cellBits - 1
		}
		if b&0xf0 != 0 {
			out[b] |= (1<<cellBits - 1) << cellBits
		}
	}
	return out
}()

// fields is the bits of the cells that have bytes of a mask.
func fields(mask uint32) cells {
	const two = 2 * cellBits
	return fieldsOf[mask&0xff] | fieldsOf[mask>>8&0xff]<<two | fieldsOf[mask>>16&0xff]<<(2*two) | fieldsOf[mask>>24]<<(3*two)
}

func (c cells) at(i uint64) uint64 { return uint64(c) >> (cellBits * i) & (1<<cellBits - 1) }

func (c *cells) set(i, v uint64) {
	*c = *c&^((1<<cellBits-1)<<(cellBits*i)) | cells(v<<(cellBits*i))
}

// add notes that a lane accesses n bytes from a byte of the granule on; mask has the bytes that were accessed before.
func (c *cells) add(mask uint32, low, n, lane uint64) {
	for end := low + n; low < end; {
		i, from := low/cellBytes, low%cellBytes
		size := min(end-low, cellBytes-from)
		bytes := uint32(1<<size-1) << low
		switch old, before := c.at(i), mask>>(i*cellBytes)&(1<<cellBytes-1); {
		case before == 0:
			c.set(i, lane)
		case old == lane:
		case mask&bytes != 0:
			c.set(i, several)
			*c |= overlaps
		case size == 2 && from == 2 && old == lane-1 && lane%2 == 1:
			c.set(i, pairs+lane/2)
		case size == 1 && old == lane-from && lane%4 == from || size == 1 && old == quads+lane/4 && lane%4 == from:
			c.set(i, quads+lane/4)
		default:
			c.set(i, unknown)
		}
		low += size
	}
}

// lanes are those that accessed one byte of a cell; 0 if that is not known.
func (c cells) lanes(byteOf uint64) uint32 {
	switch v := c.at(byteOf / cellBytes); {
	case v < pairs:
		return 1 << v
	case v < quads:
		return 1 << (2*(v-pairs) + byteOf%cellBytes/2)
	case v < several:
		return 1 << (4*(v-quads) + byteOf%cellBytes)
	case v == several:
		return ^uint32(0)
	}
	return 0
}

// same reports whether each of the bytes was accessed by one lane, the same in both. What is not known counts as that.
func (c cells) same(o cells, mask uint32) bool {
	if (c^o)&fields(mask) == 0 && c&overlaps == 0 {
		return true
	}
	for i := range uint64(cellsCount) {
		bytes := mask >> (i * cellBytes) & (1<<cellBytes - 1)
		if bytes == 0 || c.at(i) == o.at(i) && c.at(i) != several {
			continue
		}
		for ; bytes != 0; bytes &= bytes - 1 {
			at := i*cellBytes + uint64(bits.TrailingZeros32(bytes))
			a, b := c.lanes(at), o.lanes(at)
			if a != 0 && b != 0 && (a != b || a == ^uint32(0)) {
				return false
			}
		}
	}
	return true
}

// covers reports whether the lanes that accessed the bytes in o are among those of c.
func (c cells) covers(o cells, mask uint32) bool {
	if (c^o)&fields(mask) == 0 {
		return true
	}
	for ; mask != 0; mask &= mask - 1 {
		at := uint64(bits.TrailingZeros32(mask))
		if a := c.lanes(at); a != 0 && o.lanes(at)&^a != 0 {
			return false
		}
	}
	return true
}

// merge adds the cells of other bytes, or of other lanes.
func (c *cells) merge(mask uint32, o cells, other uint32) {
	if *c == o {
		return
	}
	for i := range uint64(cellsCount) {
		const all = 1<<cellBytes - 1
		a, b := mask>>(i*cellBytes)&all, other>>(i*cellBytes)&all
		switch {
		case b == 0 || a != 0 && c.at(i) == o.at(i):
		case a == 0:
			c.set(i, o.at(i))
		case a&b != 0:
			c.set(i, several)
			*c |= overlaps
		default:
			c.set(i, unknown)
		}
	}
}

// within reports whether lanes made all accesses of the bytes.
func (c cells) within(mask, lanes uint32) bool {
	for ; mask != 0; mask &= mask - 1 {
		if l := c.lanes(uint64(bits.TrailingZeros32(mask))); l != ^uint32(0) && l&^lanes != 0 || l == ^uint32(0) && bits.OnesCount32(lanes) == 1 {
			return false
		}
	}
	return true
}

// lane is one that made an access of the bytes, for people.
func (c cells) lane(mask uint32) (int, bool) {
	l := c.lanes(uint64(bits.TrailingZeros32(mask)))
	return bits.TrailingZeros32(l), l != 0 && l != ^uint32(0)
}

// laneClocks is what is known of the lanes of a warp beyond its clock. They are not changed in place.
type laneClocks struct {
	agent agent
	of    uint32 // lanes that have accessed memory since all of them knew of each other
	at    *[lanesOfWarp]uint32
}

// lanesKnow reports whether the lanes of an access are known beyond the clock of their warp.
func (c *clock) lanesKnow(n *node, mask uint32) bool {
	for i := range c.lanes {
		l := &c.lanes[i]
		if l.agent != n.agent {
			continue
		}
		known := uint32(0)
		for k, at := range l.at {
			if at >= n.clock {
				known |= 1 << k
			}
		}
		for ; mask != 0; mask &= mask - 1 {
			by := n.cells.lanes(uint64(bits.TrailingZeros32(mask)))
			switch {
			case by == 0 && known == 0, by != 0 && by&l.of&^known != 0:
				return false
			}
		}
		return true
	}
	return false
}

// some reports whether some lanes of a warp are known up to a clock, and says which lane of an access is not.
func (c *clock) some(n *node, mask uint32) (other int, ok bool) {
	for i := range c.lanes {
		l := &c.lanes[i]
		if l.agent != n.agent {
			continue
		}
		for _, at := range l.at {
			ok = ok || at >= n.clock
		}
		for ; mask != 0; mask &= mask - 1 {
			by := n.cells.lanes(uint64(bits.TrailingZeros32(mask))) & l.of
			for ; by != 0; by &= by - 1 {
				if k := bits.TrailingZeros32(by); l.at[k] < n.clock {
					return k, ok
				}
			}
		}
	}
	return 0, ok
}

// joinLanes learns what another clock has of lanes, and drops what the clocks of warps say.
func (c *clock) joinLanes(o *clock) {
	for _, l := range o.lanes {
		c.learnLanes(l)
	}
	keep := c.lanes[:0]
	for _, l := range c.lanes {
		for _, at := range l.at {
			if at > c.at(l.agent) {
				keep = append(keep, l)
				break
			}
		}
	}
	c.lanes = keep
}

func (c *clock) learnLanes(l laneClocks) {
	for i := range c.lanes {
		x := &c.lanes[i]
		if x.agent != l.agent {
			continue
		}
		if x.at == l.at {
			return
		}
		sum := *x.at
		for k, at := range l.at {
			sum[k] = max(sum[k], at)
		}
		x.at, x.of = &sum, x.of|l.of
		return
	}
	c.lanes = append(c.lanes, l)
}

// flat is the clock as if all lanes of a warp knew what one of them knows: clusters do not tell each other of lanes.
func (c *clock) flat() []uint32 {
	own := append([]uint32(nil), c.own...)
	for _, l := range c.lanes {
		for _, at := range l.at {
			own[l.agent] = max(own[l.agent], at)
		}
	}
	return own
}

// lanes is what the check keeps of the lanes of a warp.
type lanes struct {
	active, live uint32 // that execute the instruction; that have not exited
	touched      uint32 // that have accessed memory which the others do not know of
	touchedAt    uint32 // the clock then
	now          uint32 // the clock of the warp
	lane         uint64 // that makes the access at hand, or several
	together     bool   // all lanes make the accesses of the instruction
	// agreed is the clock up to which all lanes know of each other, and told what all of them know of each lane beyond
	// it: of the warp itself, and of its cp.async.
	agreed [2]uint32
	told   [2]*[lanesOfWarp]uint32
	apart  []apart
}

// apart is what lanes have acquired without the others.
type apart struct {
	lanes uint32
	v     *view
}

// maxApart bounds the views of a warp. Beyond it the warp learns what its lanes acquire.
const maxApart = 8

// own is the agents of the warp whose accesses its lanes make one by one.
func (w *Warp) own() [2]agent { return [2]agent{w.self, w.streams[streamCopies].agent} }

// At says which lane makes the next accesses.
func (w *Warp) At(lane int) { w.lane = uint64(lane) }

// gain is the view that learns what the lanes of the instruction acquire.
func (w *Warp) gain() *view {
	if w.active&w.live == w.live {
		return &w.v
	}
	for i := range w.apart {
		if w.apart[i].lanes == w.active {
			return w.apart[i].v
		}
	}
	if len(w.apart) >= maxApart {
		return &w.v
	}
	w.apart = append(w.apart, apart{w.active, new(view)})
	return w.apart[len(w.apart)-1].v
}

// learns has the lanes of the instruction learn a view.
func (w *Warp) learns(from *view) {
	to := w.gain()
	if to == &w.v {
		w.agree(&from.ordered)
	}
	to.join(from)
}

// agree has all lanes know of each other what a clock says that all of them learn.
func (w *Warp) agree(from *clock) {
	for i, a := range w.own() {
		if a == 0 {
			continue
		}
		w.agreed[i] = max(w.agreed[i], from.at(a))
		for _, l := range from.lanes {
			if l.agent != a {
				continue
			}
			sum := new([lanesOfWarp]uint32)
			for k, at := range l.at {
				if sum[k] = at; w.told[i] != nil {
					sum[k] = max(at, w.told[i][k])
				}
			}
			w.told[i] = sum
		}
	}
	if w.agreed[0] >= w.touchedAt {
		w.touched = 0
	}
}

// hand is what the lanes of the instruction hand on: what they know. The view is not kept.
func (w *Warp) hand() *view {
	if w.touched&^w.active == 0 && len(w.apart) == 0 {
		return &w.v
	}
	v := w.v.clone()
	for i, a := range w.own() {
		if w.touched&^w.active == 0 || a == 0 {
			continue
		}
		at := new([lanesOfWarp]uint32)
		for k := range at {
			if at[k] = w.agreed[i]; w.active>>k&1 != 0 {
				at[k] = v.ordered.at(a)
			}
		}
		if int(a) < len(v.ordered.own) { // else the warp has learned of none of its operations
			v.ordered.own[a] = w.agreed[i]
		}
		v.ordered.learnLanes(laneClocks{a, w.touched, at})
	}
	for i := range w.apart {
		if w.apart[i].lanes&w.active != 0 {
			v.join(w.apart[i].v)
		}
	}
	return v
}

// SyncLanes says that lanes have waited for each other at bar.warp.sync.
func (w *Warp) SyncLanes(m, live uint32) {
	w.flush()
	w.active, w.live = m, live
	if m&live == live {
		for i := range w.apart {
			w.v.join(w.apart[i].v)
		}
		w.apart = w.apart[:0]
		w.agree(&w.v.ordered)
		w.touched = 0
		w.tick()
		return
	}
	v := w.hand().clone()
	w.gain().join(v)
	w.tick()
}

// aware reports whether the lanes that access bytes know something.
func (w *Warp) aware(mask uint32, c cells, f flags, known func(v *view) bool) bool {
	if known(&w.v) {
		return true
	}
	for i := range w.apart {
		if x := &w.apart[i]; x.lanes&w.active == w.active || f&isLanes != 0 && c.within(mask, x.lanes) {
			if known(x.v) {
				return true
			}
		}
	}
	return false
}

// ownLane says of an access of a lane of the warp whether the lanes of the access at hand know it; own is false for
// one of others, or one that all lanes know.
func (w *Warp) ownLane(n *node, c cells, f flags, mask uint32) (own, known bool) {
	for i, a := range w.own() {
		if n.agent != a || n.cluster != w.c.id || n.clock <= w.agreed[i] || n.pc == w.pc && n.clock == w.now {
			continue // all lanes know it, or it is the same instruction
		}
		switch {
		case f&isLanes == 0:
			known = n.cells.within(mask, w.active)
		case (f|n.flags)&isWrite == 0:
			known = c.covers(n.cells, mask)
		default:
			known = c.same(n.cells, mask)
		}
		if told := w.told[i]; !known && told != nil {
			by := uint32(0)
			for k, at := range told {
				if at >= n.clock {
					by |= 1 << k
				}
			}
			known = n.cells.within(mask, by)
		}
		return true, known || len(w.apart) > 0 && w.aware(mask, c, f, func(v *view) bool {
			return v != &w.v && v.ordered.knows(w.c.id, n, mask)
		})
	}
	return false, true
}

// gap names the missing edge if it is one among the lanes of a warp; "" if it is not.
func (w *Warp) gap(n *node, c cells, f flags, mask uint32, own bool) string {
	first, _ := n.cells.lane(mask)
	if own {
		s := fmt.Sprintf("bar.warp.sync between the %s of lane %d and the %s", n.flags.verb(), first, f.verb())
		if second, ok := c.lane(mask); ok && f&isLanes != 0 {
			s += fmt.Sprintf(" of lane %d", second)
		}
		return s + " of the same warp"
	}
	released := func(v *view) string {
		if lane, ok := v.ordered.some(n, mask); ok {
			return fmt.Sprintf("bar.warp.sync after the %s of lane %d: another lane of its warp synchronises with this warp", n.flags.verb(), lane)
		}
		return ""
	}
	if s := released(&w.v); s != "" {
		return s
	}
	for i := range w.apart {
		x := &w.apart[i]
		if x.v.ordered.knows(w.c.id, n, mask) {
			return fmt.Sprintf("bar.warp.sync before this %s: only lanes %#x of the warp have waited", f.verb(), x.lanes)
		}
		if s := released(x.v); s != "" {
			return s
		}
	}
	return ""
}

// phase is the number of phases of an mbarrier or barrier that the lanes of the instruction know to be over.
func (w *Warp) phase(a agent) uint32 {
	at := w.v.loose.at(a)
	for i := range w.apart {
		if x := &w.apart[i]; x.lanes&w.active != 0 {
			at = max(at, x.v.loose.at(a))
		}
	}
	return at
}

// each calls f for the views that lanes of the instruction have.
func (w *Warp) each(f func(v *view)) {
	f(&w.v)
	for i := range w.apart {
		if w.apart[i].lanes&w.active != 0 {
			f(w.apart[i].v)
		}
	}
}
