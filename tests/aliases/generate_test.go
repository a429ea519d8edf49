package aliases

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A pointer of a kernel in the making leads at most reach elements of i32 behind the start of its object.
type pointer struct {
	name  string
	reach int
}

// room is how many elements of i32 every object has, and step how far one offset goes at most.
const (
	room = 1024
	step = 24
)

// A writer makes the text of a random kernel that computes and mixes pointers in all the ways that provenance
// follows, and some that it does not, and accesses memory through them. Loaded numbers decide nothing, so that races
// do no harm.
type writer struct {
	r      *rand.Rand
	out    strings.Builder
	next   int
	ptrs   []pointer
	ints   []string // i64, from 0 to 8
	depth  int
	budget int
}

func (w *writer) name() string {
	w.next++
	return fmt.Sprintf("%%v%d", w.next)
}

func (w *writer) line(format string, args ...any) {
	w.out.WriteString(strings.Repeat("  ", w.depth+1))
	fmt.Fprintf(&w.out, format+"\n", args...)
}

func (w *writer) ptr() pointer { return w.ptrs[w.r.IntN(len(w.ptrs))] }

func (w *writer) int() string { return w.ints[w.r.IntN(len(w.ints))] }

const (
	ptrType  = "!nv_tileaa.ptr<i32>"
	cellType = "!nv_tileaa.ptr<!nv_tileaa.ptr<i32>>"
	token    = "!nv_tileaa.mem_token"
)

func kernel(seed uint64) string {
	w := &writer{r: rand.New(rand.NewPCG(seed, 1)), budget: 30}
	w.out.WriteString("nv_tileaa.func @k(%p: " + ptrType + ", %q: " + ptrType + ", %r: " + ptrType + ", %a: i64, %b: i64, %c: i1) {\n")
	w.ptrs = []pointer{{"%p", 0}, {"%q", 0}, {"%r", 0}}
	w.ints = []string{"%x", "%y"}
	w.line("%%x = nv_tileaa.assume %%a lower<0> upper<8> : i64")
	w.line("%%y = nv_tileaa.assume %%b lower<0> upper<8> : i64")
	w.line("%%one = arith.constant 1 : i64")
	w.line("%%size = arith.constant %d : i64", 2*room)
	w.line("%%value = arith.constant 7 : i32")
	w.line("%%cell = nv_tileaa.alloca 8 : %s", cellType)
	for i := range 9 {
		w.line("%%k%d = arith.constant %d : i64", i, i)
		w.ints = append(w.ints, fmt.Sprintf("%%k%d", i))
	}
	w.block()
	w.out.WriteString("  nv_tileaa.return\n}\n")
	return w.out.String()
}

// block writes statements; what they define is not seen behind it.
func (w *writer) block() {
	ptrs, ints := len(w.ptrs), len(w.ints)
	for range 4 + w.r.IntN(8) {
		if w.budget--; w.budget > 0 {
			w.statement()
		}
	}
	w.access()
	w.ptrs, w.ints = w.ptrs[:ptrs], w.ints[:ints]
}

func (w *writer) statement() {
	switch n := w.r.IntN(20); {
	case n < 3:
		w.move()
	case n < 4:
		w.ptrs = append(w.ptrs, pointer{w.name(), 0})
		w.line("%s = nv_tileaa.alloca %d : %s", w.ptrs[len(w.ptrs)-1].name, 4*2*room, ptrType)
	case n < 5:
		a, b := w.ptr(), w.ptr()
		v := w.name()
		w.line("%s = arith.select %%c, %s, %s : i1, %s", v, a.name, b.name, ptrType)
		w.ptrs = append(w.ptrs, pointer{v, max(a.reach, b.reach)})
	case n < 6:
		w.throughInt()
	case n < 7:
		w.throughMemory()
	case n < 9:
		v, a, b := w.name(), w.int(), w.int()
		w.line("%s = arith.%s %s, %s : i64", v, []string{"maxsi", "minsi"}[w.r.IntN(2)], a, b)
		w.ints = append(w.ints, v)
	case n < 11 && w.depth < 2:
		w.loop()
	case n < 12 && w.depth < 2:
		w.branch()
	default:
		w.access()
	}
}

// move writes a pointer some elements further.
func (w *writer) move() {
	p := w.ptr()
	if p.reach+step > room {
		return
	}
	o, s, v := w.name(), w.name(), w.name()
	w.line("%s = arith.muli %s, %%k%d : i64", o, w.int(), 1+w.r.IntN(2))
	w.line("%s = arith.addi %s, %s : i64", s, o, w.int())
	w.line("%s = nv_tileaa.addptr %s, %s : %s, i64", v, p.name, s, ptrType)
	w.ptrs = append(w.ptrs, pointer{v, p.reach + step})
}

func (w *writer) throughInt() {
	p := w.ptr()
	if p.reach+step > room {
		return
	}
	i, o, s, v := w.name(), w.name(), w.name(), w.name()
	w.line("%s = nv_tileaa.ptr_to_int %s : %s -> i64", i, p.name, ptrType)
	w.line("%s = arith.muli %s, %%k4 : i64", o, w.int())
	if w.r.IntN(3) == 0 { // hidden: exclusive or twice
		h := w.name()
		w.line("%s = arith.xori %s, %%size : i64", h, i)
		i = w.name()
		w.line("%s = arith.xori %s, %%size : i64", i, h)
	}
	w.line("%s = arith.addi %s, %s : i64", s, i, o)
	w.line("%s = nv_tileaa.int_to_ptr %s : i64 -> %s", v, s, ptrType)
	w.ptrs = append(w.ptrs, pointer{v, p.reach + step})
}

// throughMemory writes a pointer to memory and reads it again: an alloca's address is everywhere then.
func (w *writer) throughMemory() {
	p, t, v := w.ptr(), w.name(), w.name()
	w.line("%s = nv_tileaa.store %%cell, %s : %s, %s -> %s", t, p.name, cellType, ptrType, token)
	w.line("%s, %s = nv_tileaa.load %%cell token %s : %s : %s -> %s, %s", v, w.name(), t, token, cellType, ptrType, token)
	w.ptrs = append(w.ptrs, pointer{v, p.reach})
}

func (w *writer) loop() {
	lo := w.r.IntN(3)
	p, q := w.ptr(), w.ptr()
	i, a, b, first, second := w.name(), w.name(), w.name(), w.name(), w.name()
	reach := max(p.reach, q.reach)
	w.line("%s, %s = scf.for %s = %%k%d to %%k%d step %%one iter_args(%s = %s, %s = %s) -> (%s, %s) : i64 {", first, second, i, lo, lo+1+w.r.IntN(4), a, p.name,
		b, q.name, ptrType, ptrType)
	ptrs, ints := w.ptrs, w.ints
	w.depth++
	w.ptrs = append(w.ptrs[:len(w.ptrs):len(w.ptrs)], pointer{a, reach}, pointer{b, reach})
	w.ints = append(w.ints[:len(w.ints):len(w.ints)], i)
	w.line("nv_tileaa.load %%p {test.marker} : %s -> i32, %s", ptrType, token) // tells that an iteration begins
	w.block()
	w.line("scf.continue %s, %s : %s, %s", b, a, ptrType, ptrType)
	w.depth--
	w.line("}")
	w.ptrs, w.ints = append(ptrs, pointer{first, reach}, pointer{second, reach}), ints
}

func (w *writer) branch() {
	p, q, v := w.ptr(), w.ptr(), w.name()
	w.line("%s = scf.if %%c -> (%s) {", v, ptrType)
	w.depth++
	w.block()
	w.line("scf.yield %s : %s", p.name, ptrType)
	w.depth--
	w.line("} else {")
	w.depth++
	w.block()
	w.line("scf.yield %s : %s", q.name, ptrType)
	w.depth--
	w.line("}")
	w.ptrs = append(w.ptrs, pointer{v, max(p.reach, q.reach)})
}

// access writes a load or store: through a pointer, through a tensor of pointers, of a tile.
func (w *writer) access() {
	p := w.ptr()
	load := w.r.IntN(2) == 0
	switch w.r.IntN(4) {
	case 0:
		if load {
			w.line("%s, %s = nv_tileaa.load %s : %s -> i32, %s", w.name(), w.name(), p.name, ptrType, token)
		} else {
			w.line("%s = nv_tileaa.store %s, %%value : %s, i32 -> %s", w.name(), p.name, ptrType, token)
		}
	case 1:
		n := []int{1, 2, 4, 8}[w.r.IntN(4)]
		tensor := func(elem string) string { return fmt.Sprintf("tensor<%dx%s>", n, elem) }
		s, r, m, o, v, x := w.name(), w.name(), w.name(), w.name(), w.name(), w.name()
		w.line("%s = nv_tileaa.splat %s : %s -> %s", s, p.name, ptrType, tensor(ptrType))
		w.line("%s = nv_tileaa.make_range : %s", r, tensor("i32"))
		w.line("%s = arith.constant dense<%d> : %s", m, 1+w.r.IntN(3), tensor("i32"))
		w.line("%s = arith.muli %s, %s : %s", o, r, m, tensor("i32"))
		w.line("%s = nv_tileaa.addptr %s, %s : %s, %s", v, s, o, tensor(ptrType), tensor("i32"))
		if load {
			w.line("%s, %s = nv_tileaa.load %s : %s -> %s, %s", w.name(), w.name(), v, tensor(ptrType), tensor("i32"), token)
		} else {
			w.line("%s = nv_tileaa.splat %%value : i32 -> %s", x, tensor("i32"))
			w.line("%s = nv_tileaa.store %s, %s : %s, %s -> %s", w.name(), v, x, tensor(ptrType), tensor("i32"), token)
		}
	default:
		w.tile(p, load)
	}
}

func (w *writer) tile(p pointer, load bool) {
	offsets, strides, sizes, bounds := w.int(), "%one", "%size", "true"
	shape := []string{"2", "4", "8"}[w.r.IntN(3)]
	if w.r.IntN(2) == 0 {
		s, x := w.name(), w.name()
		w.line("%s = arith.constant %d : i64", s, 8<<w.r.IntN(2))
		w.line("%s = arith.muli %s, %%k%d : i64", x, w.int(), 1+w.r.IntN(4))
		offsets, strides, sizes, bounds = x+", "+offsets, s+", %one", "%size, "+s, "true, true"
		shape = "2x" + shape
	}
	if load {
		w.line("%s, %s = nv_tileaa.tiled_load %s[%s] sizes [%s] strides [%s] {bounds = array<i1: %s>} : %s -> tensor<%sxi32>", w.name(), w.name(), p.name, offsets, sizes,
			strides, bounds, ptrType, shape)
		return
	}
	x := w.name()
	w.line("%s = nv_tileaa.splat %%value : i32 -> tensor<%sxi32>", x, shape)
	w.line("%s = nv_tileaa.tiled_store %s, %s[%s] sizes [%s] strides [%s] {bounds = array<i1: %s>} : tensor<%sxi32>, %s", w.name(), x, p.name, offsets, sizes,
		strides, bounds, shape, ptrType)
}
