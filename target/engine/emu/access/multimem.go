package access

import (
	"sync"

	"github.com/tilewright/tilewright/target/engine/emu/arith"
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
	"github.com/tilewright/tilewright/target/engine/emu/tma"
)

var multimemOps = map[string]decode.Func{"multimem": decodeMultimem}

// multimemLock orders the multimem operations: a vector is one operation.
var multimemLock sync.Mutex

// decodeMultimem decodes the operations on multimem addresses. There is one device, so that a multicast object has one
// member, and a multimem address is that of its memory. A load that reduces over the members is a load. A store or
// reduction of all members is one of that memory.
func decodeMultimem(d *decode.Decoder) {
	d.Publishes()
	op := d.OneOf("ld_reduce", "st", "red", "cp")
	if op == "cp" {
		reduce := d.Opt("reduce")
		if !d.Opt("async") || !d.Opt("bulk") {
			d.Fail("'multimem.cp' needs .async.bulk or .reduce.async.bulk")
		}
		tma.DecodeBulk(d, reduce)
		return
	}
	weak := d.Opt("weak")
	sem := d.OneOf("relaxed", "acquire", "release")
	scope := d.OneOf("cta", "cluster", "gpu", "sys")
	order := d.Order()
	order.Strong, order.Atomic, order.Result = !weak, op == "red", op == "ld_reduce" && !weak
	order.Sem = map[string]machine.Sem{"acquire": machine.Acquire, "release": machine.Release}[sem]
	order.Scope = map[string]machine.Scope{"cta": machine.ScopeCTA, "cluster": machine.ScopeCluster, "gpu": machine.ScopeGPU, "": machine.ScopeGPU, "sys": machine.ScopeSys}[scope]
	sp := d.Space()
	if sp != syntax.Generic && sp != syntax.Global || weak && (sem != "" || scope != "") || sem == "acquire" && op != "ld_reduce" || sem == "release" && op == "ld_reduce" {
		d.Fail("'multimem' with this state space, semantics or scope does not exist")
	}
	reduction := ""
	if op != "st" {
		reduction = d.OneOf("min", "max", "add", "and", "or", "xor")
	}
	acc := d.OneOf("acc::f32", "acc::f16")
	count := map[string]int{"v2": 2, "v4": 4, "v8": 8, "": 1}[d.OneOf("v2", "v4", "v8")]
	t := d.Type(syntax.B32, syntax.B64, syntax.U32, syntax.U64, syntax.S32, syntax.S64, syntax.F16, syntax.F16x2, syntax.BF16, syntax.BF16x2, syntax.F32, syntax.F64,
		syntax.E5M2, syntax.E5M2x2, syntax.E5M2x4, syntax.E4M3, syntax.E4M3x2, syntax.E4M3x4)
	multimemForm(d, op, reduction, acc, count, t)
	args := d.Args(2)
	n := t.Bytes()
	if op == "ld_reduce" {
		var dsts []int32
		for _, o := range d.Elements(args[0], count) {
			dsts = append(dsts, d.DstAs(o, t, t.Bits() < 16))
		}
		at := d.Addr(args[1])
		d.Accesses(machine.AccessLoad, syntax.Global, at, n*count)
		d.Inst.Exec = multimemExec(at, n*count, false, func(w *machine.Warp, mem []byte, lane int) {
			for k, r := range dsts {
				w.Reg(r)[lane] = machine.Load(mem[k*n:][:n])
			}
		})
		return
	}
	at := d.Addr(args[0])
	kind := machine.AccessStore
	if op == "red" {
		kind = machine.AccessAtomic
	}
	d.Accesses(kind, syntax.Global, at, n*count)
	var values []machine.Src
	for _, o := range d.Elements(args[1], count) {
		values = append(values, d.SrcAs(o, t, t.Bits() < 16))
	}
	f := func(_, b, _ uint64) uint64 { return b }
	if op == "red" {
		f = arith.UpdateFunc(reduction, t)
	}
	d.Inst.Exec = multimemExec(at, n*count, true, func(w *machine.Warp, mem []byte, lane int) {
		for k, s := range values {
			v := w.Lanes(s)[lane]
			machine.Update(mem[k*n:][:n], func(old uint64) uint64 { return f(old, v, 0) })
		}
	})
}

// multimemForm rejects combinations that are not in the tables of the ISA. ptxas rejects them too, and the emulator
// should not accept more.
func multimemForm(d *decode.Decoder, op, reduction, acc string, count int, t syntax.Type) {
	float := t.Float() || syntax.Types[t].Class == syntax.ClassPacked
	narrow := t.Bits()/syntax.ElementsOf(t) == 8 && float
	var ok bool
	if float {
		ok = multimemFloat(op, reduction, count, t) && !(op == "red" && narrow)
	} else {
		ok = count == 1 && multimemInteger(reduction, t)
	}
	switch acc {
	case "acc::f32":
		ok = ok && op == "ld_reduce" && (t == syntax.F16 || t == syntax.F16x2 || t == syntax.BF16 || t == syntax.BF16x2)
	case "acc::f16":
		ok = ok && op == "ld_reduce" && narrow
	}
	if op == "" || !ok || op != "st" && reduction == "" {
		d.Fail("'multimem' with this operation, type and vector does not exist")
	}
}

func multimemInteger(reduction string, t syntax.Type) bool {
	switch reduction {
	case "and", "or", "xor":
		return syntax.Types[t].Class == syntax.ClassBits
	case "add":
		return t.Integer() && t != syntax.S64
	case "min", "max":
		return t.Integer()
	}
	return true
}

// multimemFloat: vectors of floats have 4, 8 or 16 bytes, and f64 has none.
func multimemFloat(op, reduction string, count int, t syntax.Type) bool {
	switch reduction {
	case "and", "or", "xor":
		return false
	case "min", "max":
		if op != "ld_reduce" || t == syntax.F32 || t == syntax.F64 {
			return false
		}
	}
	if t == syntax.F64 {
		return count == 1
	}
	size := t.Bits() * count
	return size == 32 || size == 64 || size == 128
}

func multimemExec(at decode.Addr, n int, write bool, f func(w *machine.Warp, mem []byte, lane int)) machine.Exec {
	return func(w *machine.Warp, m uint32) {
		base := w.Lanes(at.Base)
		multimemLock.Lock()
		defer multimemLock.Unlock()
		for m != 0 {
			i := machine.Next(&m)
			addr := at.Lane(w, base, i)
			if sp, _ := machine.Classify(addr); sp != syntax.Global {
				w.Faultf(i, "address %#x is not in global memory", addr)
				return
			}
			mem := w.At(syntax.Global, addr, n, i, write)
			if mem == nil {
				return
			}
			f(w, mem, i)
		}
	}
}
