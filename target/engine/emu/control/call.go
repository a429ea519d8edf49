package control

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// decodeCall decodes `call (ret), f, (args)`. Arguments and results are
// copied between the caller's and the callee's parameters, which have fixed
// places in registers or in each thread's local memory.
//
// A call copies arguments, jumps, and copies results when the callee returns:
//
//	call (r), f, (a, b)      before: f's parameters <- a, b     after: r <- f's result
//
// Both are made when the call is decoded, when the callee's signature is known.
func decodeCall(d *decode.Decoder) {
	d.Opt("uni")
	f := d.Callee()
	if f == nil {
		d.Argc(1, 4)
		decodeCallIndirect(d)
		return
	}
	args := d.Argc(1, 4)
	var rets, params []*syntax.Operand
	if args[0].Kind == syntax.OpList {
		rets, args = args[0].List, args[1:]
	}
	if len(args) > 1 {
		if args[1].Kind != syntax.OpList {
			d.FailAt(args[1], "expected a parameter list")
		}
		params = args[1].List
	}
	if len(rets) != len(f.Results) || len(params) != len(f.Params) {
		d.Fail("'%s' takes %d parameters and returns %d, got %d and %d", f.Name, len(f.Params), len(f.Results), len(params), len(rets))
	}
	if !f.Defined {
		decodeBuiltin(d, f, rets, params)
		return
	}
	d.Inst.Kind, d.Inst.Target = machine.KindCall, d.Program.Starts[f]
	d.Inst.Exec, d.Inst.After = passing(d, f, rets, params)
}

// passing returns what copies the arguments of a call, and what copies its
// results back and frees the stack of the callee.
//
// The stack pointer of the caller is kept in a hidden register: alloca's memory ends with the function.
//
// Register allocation of the callee is apart from the caller's, for which every function has slots of its own
// (package decode): nothing has to be saved.
func passing(d *decode.Decoder, f *syntax.Function, rets, params []*syntax.Operand) (before, after machine.Exec) {
	var in, out []machine.Exec
	for i, p := range params {
		in = append(in, transfer(d, formal(d, f.Params[i], true), actual(d, p, f.Params[i], false), f.Params[i]))
	}
	for i, r := range rets {
		out = append(out, transfer(d, actual(d, r, f.Results[i], true), formal(d, f.Results[i], false), f.Results[i]))
	}
	if sp := d.Program.Stack; sp != 0 {
		saved := d.Hidden()
		in, out = append(in, decode.Move(saved, machine.Src(sp))), append(out, decode.Move(sp, machine.Src(saved)))
	}
	return sequence(in), sequence(out)
}

func sequence(fs []machine.Exec) machine.Exec {
	return func(w *machine.Warp, m uint32) {
		for _, f := range fs {
			f(w, m)
		}
	}
}

// paramPlace is where a parameter is: in local memory at off, or in a
// register slot or constant.
//
// PTX abstracts the ABI ("Abstracting the ABI"): where parameters are is nobody's business, so that they have one
// place for each function, which recursion would break.
type paramPlace struct {
	local bool
	off   int64
	reg   machine.Src
}

// formal is the place of a callee's own parameter.
func formal(d *decode.Decoder, s *syntax.Symbol, written bool) paramPlace {
	if !s.Register {
		return paramPlace{local: true, off: d.Offsets[s]}
	}
	i := d.Slot(s)
	if written {
		d.Inst.Defs = append(d.Inst.Defs, i)
	}
	return paramPlace{reg: machine.Src(i)}
}

// actual is the place of what a call passes for a formal parameter.
func actual(d *decode.Decoder, o *syntax.Operand, formal *syntax.Symbol, written bool) paramPlace {
	if o.Kind == syntax.OpVar && o.Sym.Space == syntax.Param {
		if o.Sym.Size != formal.Size {
			d.FailAt(o, "'%s' has %d bytes, parameter '%s' has %d", o.Name, o.Sym.Size, formal.Name, formal.Size)
		}
		off, ok := d.Offsets[o.Sym]
		if !ok || d.SpaceOf(o.Sym, syntax.Param, o) == syntax.Param {
			d.FailAt(o, "a kernel parameter cannot be passed on")
		}
		return paramPlace{local: true, off: off}
	}
	if formal.Size > 8 {
		d.FailAt(o, "a parameter of %d bytes cannot be passed in a register", formal.Size)
	}
	if written {
		return paramPlace{reg: machine.Src(d.Dst(o, formal.Type))}
	}
	return paramPlace{reg: d.Src(o, formal.Type)}
}

// transfer copies a parameter of s's size in each lane.
func transfer(d *decode.Decoder, to, from paramPlace, s *syntax.Symbol) machine.Exec {
	n := s.Size
	return func(w *machine.Warp, m uint32) {
		frame := int64(w.Program.LocalSize)
		for m != 0 {
			i := machine.Next(&m)
			at := func(p paramPlace) []byte { return w.Local[int64(i)*frame+p.off:][:n] }
			switch {
			case to.local && from.local:
				copy(at(to), at(from))
			case to.local:
				machine.Store(at(to), w.Lanes(from.reg)[i])
			case from.local:
				w.Reg(int32(to.reg))[i] = machine.Load(at(from))
			default:
				w.Reg(int32(to.reg))[i] = w.Lanes(from.reg)[i]
			}
		}
	}
}
