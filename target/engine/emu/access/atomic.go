package access

import (
	"sync"

	"github.com/tilewright/tilewright/target/engine/emu/arith"
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var atomicOps = map[string]decode.Func{
	"atom": decodeAtom,
	"red":  decodeAtom,
}

// wideAtomics serialises the 128-bit atomic operations.
//
// The host has no atomic operation of 128 bits. One lock for all of them is enough for them to exclude each other;
// that narrower accesses to the same bytes may come between is not modelled.
var wideAtomics sync.Mutex

// Order and scope have no effect: an atomic of the host is the strongest that any program asks for.
//
// A vector form is as many atomic operations, one for each element: the ISA promises no atomicity of the vector
// together ("atom").
//
// On today's hardware atom.add.f32 on global memory flushes subnormal numbers ("atom": "current implementation"; an
// H100 does, docs/measurements/h100.md). That is modelled for .global, and not for generic addresses.
func decodeAtom(d *decode.Decoder) {
	returns := d.Stmt.Op == "atom"
	d.Publishes()
	if !returns && d.Opt("async") {
		op := d.OneOf("and", "or", "xor", "add", "inc", "dec", "min", "max")
		if op == "" {
			d.Fail("'red.async' needs an operation")
		}
		decodeRemote(d, op)
		return
	}
	d.Program.Observes = d.Program.Observes || returns
	order := d.Order()
	order.Strong, order.Atomic, order.Result = true, true, returns
	order.Sem = d.Sem(machine.Relaxed)
	order.Scope = d.Scope(machine.ScopeGPU)
	d.Prefixed("L2::")
	sp := d.Space()
	op := d.OneOf("and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max")
	d.Opt("noftz")
	count := map[string]int{"v2": 2, "v4": 4, "v8": 8, "": 1}[d.OneOf("v2", "v4", "v8")]
	t := d.Type()
	var args []*syntax.Operand
	var to *syntax.Operand
	if returns {
		args = d.Argc(3, 5)
		to, args = args[0], args[1:]
	} else {
		args = d.Argc(2, 3)
	}
	at := d.Addr(args[0])
	if b := args[0].Base; b != nil && b.Kind == syntax.OpVar {
		sp = d.SpaceOf(b.Sym, sp, args[0])
	}
	d.Accesses(machine.AccessAtomic, sp, at, t.Bytes()*count)
	if t == syntax.B128 {
		decodeWideAtom(d, op, sp, at, to, args)
		return
	}
	f := arith.UpdateFunc(op, t)
	if f == nil {
		d.Fail("'%s.%s' does not exist for type .%s", d.Stmt.Op, op, t)
	}
	if op == "add" && t == syntax.F32 && sp == syntax.Global {
		exact := f
		f = func(old, b, c uint64) uint64 { return fp.Flush(exact(fp.Flush(old), fp.Flush(b), c)) }
	}
	values := d.Elements(args[1], count)
	var b []machine.Src
	for _, o := range values {
		b = append(b, d.Src(o, t))
	}
	c := b[0]
	rest := args[2:]
	if op == "cas" {
		if len(rest) == 0 {
			d.Fail("'cas' takes a comparand and a value")
		}
		c, rest = d.Src(rest[0], t), rest[1:]
	}
	if len(rest) > 0 {
		d.Src(rest[0], syntax.B64) // cache policy
	}
	var dsts []int32
	if returns {
		for _, o := range d.Elements(to, count) {
			dsts = append(dsts, d.Dst(o, t))
		}
	}
	n := t.Bytes()
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		base := w.Lanes(at.Base)
		for m != 0 {
			i := machine.Next(&m)
			mem := w.At(sp, at.Lane(w, base, i), n*count, i, true)
			if mem == nil {
				return
			}
			for k := range b {
				x, y := w.Lanes(b[k])[i], w.Lanes(c)[i]
				old := machine.Update(mem[k*n:][:n], func(old uint64) uint64 { return f(old, x, y) })
				if returns {
					w.Reg(dsts[k])[i] = old
				}
			}
		}
	}
}

// decodeWideAtom decodes the 128-bit exch and cas.
func decodeWideAtom(d *decode.Decoder, op string, sp syntax.Space, at decode.Addr, to *syntax.Operand, args []*syntax.Operand) {
	if to == nil || op != "exch" && op != "cas" {
		d.Fail("'%s.%s' does not exist for type .b128", d.Stmt.Op, op)
	}
	dst, b := d.Dst(to, syntax.B128), d.Src(args[1], syntax.B128)
	c := b
	if op == "cas" {
		if len(args) < 3 {
			d.Fail("'cas' takes a comparand and a value")
		}
		c = d.Src(args[2], syntax.B128)
	}
	if b < 0 || c < 0 {
		d.Fail("a 128-bit operation needs registers")
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		base := w.Lanes(at.Base)
		for m != 0 {
			i := machine.Next(&m)
			mem := w.At(sp, at.Lane(w, base, i), 16, i, true)
			if mem == nil {
				return
			}
			wideAtomics.Lock()
			lo, hi := machine.Load(mem[:8]), machine.Load(mem[8:16])
			if op == "exch" || lo == w.Lanes(b)[i] && hi == w.Lanes(b + 1)[i] {
				machine.Store(mem[:8], w.Lanes(c)[i])
				machine.Store(mem[8:16], w.Lanes(c + 1)[i])
			}
			wideAtomics.Unlock()
			w.Reg(dst)[i], w.Reg(dst + 1)[i] = lo, hi
		}
	}
}
