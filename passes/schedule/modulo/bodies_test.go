package modulo_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/target/sm"
)

// A part is what an operation of a body is to roles.
type part int

const (
	work  part = iota // of threads, which wait for its operands
	load              // fills a buffer, asynchronously
	mma               // an asynchronous MMA, which any thread may issue
	store             // of threads to a buffer for MMAs
)

// A read is an operand: a result of this iteration, or of one before.
type read struct{ op, distance int }

// A step is an operation of a body, with times in cycles.
type step struct {
	name  string
	part  part
	t     cost.Timing
	reads []read
	bytes int // of the stage that it fills
}

// A body is a loop as the compiler finds it in kernels with MMAs, before it has roles.
type body struct {
	arch  *sm.Arch
	m     *cost.Model
	steps []step
	room  int // bytes of shared memory for stages
	// overlap says that threads have registers for a second iteration, late for an MMA that the next one issues.
	overlap, afterMMA bool
	// apart says that groups of warps have rows of their own, so that they need nothing of each other.
	apart bool
	// accumulators is how many an MMA warp alternates between.
	accumulators int
}

func (b *body) String() string {
	var names []string
	for i, s := range b.steps {
		name := fmt.Sprintf("%s#%d", s.name, i)
		for k, r := range s.reads {
			name += fmt.Sprintf("%c%d", "( "[min(k, 1)], r.op)
			if r.distance > 0 {
				name += "'"
			}
		}
		if len(s.reads) > 0 {
			name += ")"
		}
		names = append(names, name)
	}
	return b.arch.Name + ": " + strings.Join(names, ", ")
}

// A writer makes a random body.
type writer struct {
	*body
	r       *rand.Rand
	rows, n int // of the tiles of scores
}

// likely is true in so many percent.
func (w *writer) likely(percent int) bool { return w.r.IntN(100) < percent }

func pick[T any](w *writer, of ...T) T { return of[w.r.IntN(len(of))] }

// add adds an operation that reads results of this iteration.
func (w *writer) add(name string, p part, t cost.Timing, reads ...int) int {
	s := step{name: name, part: p, t: t}
	for _, i := range reads {
		if i >= 0 { // otherwise it comes from outside the loop
			s.reads = append(s.reads, read{op: i})
		}
	}
	w.steps = append(w.steps, s)
	return len(w.steps) - 1
}

// again makes an operation read its own result of the iteration before.
func (w *writer) again(i int) int {
	w.steps[i].reads = append(w.steps[i].reads, read{i, 1})
	return i
}

// each is what threads do to each element of a tile, an instruction of each class.
func (w *writer) each(name string, rows, cols int, classes []sm.Class, reads ...int) int {
	var t cost.Timing
	for _, c := range classes {
		w.m.Class(&t, c, max(1, rows*cols/(sm.WarpSize*w.m.Warps)))
	}
	return w.add(name, work, t, reads...)
}

// reduce combines the elements of each row, and that with what it was in the iteration before.
func (w *writer) reduce(name string, c sm.Class, reads ...int) int {
	var t cost.Timing
	w.m.Class(&t, c, w.rows*w.n/(sm.WarpSize*w.m.Warps))
	const lanes = 2 // doublings: four lanes share a row of an MMA's result
	w.m.Class(&t, sm.Shuffle, lanes*max(1, w.rows/(8*w.m.Warps)))
	t.AtEnd()
	return w.again(w.add(name, work, t, reads...))
}

// load is a copy by TMA of a tile whose rows have two swizzled boxes at most.
func (w *writer) load(bytes int) int {
	i := w.add("load", load, w.m.CopyByMap(bytes, 1+w.r.IntN(2)))
	w.steps[i].bytes = bytes
	return i
}

// shared is an access of all threads to a tile in shared memory.
func (w *writer) shared(name string, p part, bytes int, reads ...int) int {
	var t cost.Timing
	each := max(1, bytes/(cost.VectorBytes*sm.WarpSize*w.m.Warps)) * w.m.PerPartition
	t.Busy[sm.UnitIssue], t.Busy[sm.UnitLSU] = each, each
	t.Busy[sm.UnitShared] = int(float64(bytes) / w.m.Memory.SharedBytes)
	t.Latency = w.m.Memory.Shared + t.Busy[sm.UnitShared]
	i := w.add(name, p, t, reads...)
	if p == store {
		w.steps[i].bytes = bytes
	}
	return i
}

// mma multiplies a tile of rows x k by one of k x n.
func (w *writer) mma(n, k int, operands ...int) int {
	var t cost.Timing
	half := sm.MatrixTypes{A: sm.F16, B: sm.F16, D: sm.F32}
	for _, row := range sm.Matrices() {
		timing, ok := row.Timing(w.arch, n)
		if !ok || !w.arch.Has(row.Feature) || !row.Async || row.CTAs > 1 || row.M > w.rows || !row.Takes(half) {
			continue
		}
		pieces := w.rows / row.M * (k / row.K)
		t.Busy[sm.UnitIssue] = max(1, pieces*sm.Subpartitions*max(1, row.Warps/sm.Subpartitions)/w.m.Warps)
		t.Busy[sm.UnitTensor] = pieces * timing.Issue
		t.Busy[sm.UnitShared] = int(float64(pieces*2*row.K*(n+row.M)) / w.m.Memory.SharedBytes)
		t.Latency = t.Work() + timing.Latency - timing.Issue
		break
	}
	return w.add("mma", mma, t, operands...)
}

// softmax is online: the maximum and the sum of each row go from iteration to iteration. It returns the probabilities,
// and by what older results are scaled.
func (w *writer) softmax(s int) (p, scale int) {
	top := w.reduce("max", sm.IntAdd, s)
	p = w.each("exp2", w.rows, w.n, []sm.Class{sm.F32Arith, sm.Special}, s, top)
	scale = w.each("scale", w.rows, 1, []sm.Class{sm.F32Arith, sm.Special}, top)
	w.steps[scale].reads = append(w.steps[scale].reads, read{top, 1})
	w.reduce("sum", sm.F32Arith, p, scale)
	return p, scale
}

// arithmetic is what threads do to a tile between two MMAs.
func (w *writer) arithmetic(v int) int {
	names, classes := []string{"mul", "select", "exp2"}, []sm.Class{sm.F32Arith, sm.IntAdd, sm.Special}
	for range 1 + w.r.IntN(2) {
		k := w.r.IntN(len(names))
		v = w.each(names[k], w.rows, w.n, classes[k:k+1], v)
	}
	return v
}

// operand is a tile that an MMA reads: a load, or one of bytes that threads convert.
func (w *writer) operand(rows, cols int) int {
	if !w.likely(15) {
		return w.load(2 * rows * cols)
	}
	v := w.each("convert", rows, cols, []sm.Class{sm.Convert}, w.shared("read", work, rows*cols, w.load(rows*cols)))
	if w.likely(50) {
		v = w.each("mul", rows, cols, []sm.Class{sm.F32Arith}, v)
	}
	return w.shared("store", store, 2*rows*cols, v)
}

// bodyOf makes a random body: up to three MMAs, of which each may take what threads compute from the one before.
func bodyOf(r *rand.Rand) *body {
	arch, _ := sm.Lookup([]string{"sm_90", "sm_100"}[r.IntN(2)])
	warps := 4 << r.IntN(2)
	w := &writer{body: &body{arch: arch, m: cost.NewModel(arch, warps)}, r: r}
	w.rows = 16 * warps // each warp has rows of its own, of wgmma, and lanes of TMEM
	if !arch.Has(sm.WgmmaSync) {
		w.rows = 32 * warps
	}
	w.n = pick(w, 32, 64, 128)
	w.room = arch.SharedPerCTA(1 + r.IntN(2))
	w.overlap, w.afterMMA, w.apart = w.likely(30), w.likely(60), warps == 8 && w.likely(70)
	w.accumulators = 1 + r.IntN(2)
	v, scale := -1, -1
	mmas := 1 + r.IntN(3)
	for i := range mmas {
		a := v
		if a < 0 && w.likely(map[bool]int{true: 80, false: 15}[mmas == 1]) { // else it comes from outside, as the queries of attention
			a = w.operand(w.rows, w.n)
		}
		k := w.n
		if i == 0 {
			k = pick(w, 64, 128)
		}
		d := w.mma(w.n, k, a, w.operand(k, w.n))
		if v = -1; i == mmas-1 {
			switch {
			case scale >= 0 && w.likely(80): // threads scale the accumulator before the MMA adds to it
				fix := w.each("mul", w.rows, w.n, []sm.Class{sm.F32Arith}, scale)
				w.steps[fix].reads = append(w.steps[fix].reads, read{d, 1})
				w.steps[d].reads = append(w.steps[d].reads, read{fix, 0})
			case i == 0 && w.likely(30) || i > 0 && w.likely(20): // threads use it
				w.again(w.each("add", w.rows, w.n, []sm.Class{sm.F32Arith}, w.arithmetic(d)))
			default:
				w.again(d)
			}
			break
		}
		if w.likely(20) { // the next MMA needs nothing of it
			w.again(d)
			continue
		}
		if w.likely(60) {
			v, scale = w.softmax(d)
		} else {
			v = w.arithmetic(d)
		}
		if v = w.each("convert", w.rows, w.n, []sm.Class{sm.Convert}, v); w.likely(30) || !arch.Has(sm.WgmmaSync) {
			v = w.shared("store", store, 2*w.rows*w.n, v)
		}
	}
	return w.body
}
