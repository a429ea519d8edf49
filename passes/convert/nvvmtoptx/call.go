package nvvmtoptx

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.Call: (*emitter).call, nvvm.LocalAlloc: (*emitter).localAlloc, nvvm.ToGeneric: (*emitter).toGeneric,
		nvvm.FenceAlias: func(e *emitter, o ir.Op) error {
			if err := e.need(o, sm.FenceProxyAlias); err != nil {
				return err
			}
			e.emit(ptx.OpFenceProxy, mods(ptx.Alias))
			return nil
		},
	})
}

// callTypes gives the types under which functions take and return values of a kind.
//
// Narrower types do not occur: what is called are functions of the device runtime, whose C prototypes promote
// them.
var callTypes = map[*kind]ptx.Mod{&i32Kind: ptx.B32, &i64Kind: ptx.B64, &f32Kind: ptx.F32, &f64Kind: ptx.F64}

// call passes arguments and the result through parameters that live for the call only.
//
//	{
//	.param .b64 arg0;
//	st.param.b64  [arg0], %rd1;
//	call (result), vprintf, (arg0, ...);
//	ld.param.b32  %r1, [result];
//	}
func (e *emitter) call(o ir.Op) error {
	name := o.StringAttr(nvvm.AttrCallee)
	if !ptx.ValidName(name) {
		return o.Errorf("'%s' is not a name in PTX", name)
	}
	f := &ptx.Func{Name: name}
	parameter := func(v ir.Value, name string) (ptx.Param, error) {
		t := callTypes[kindOf(v.Type())]
		if t == 0 {
			return ptx.Param{}, unsupported(o, v.Type())
		}
		return ptx.Param{Name: name, Type: t}, nil
	}
	for i, v := range o.Operands() {
		p, err := parameter(v, fmt.Sprintf("%s_param_%d", name, i))
		if err != nil {
			return err
		}
		f.Params = append(f.Params, p)
	}
	if o.NumResults() == 1 {
		p, err := parameter(o.Result(0), name+"_result")
		if err != nil {
			return err
		}
		f.Result = &p
	}
	if err := e.features.declare(f); err != nil {
		return o.Errorf("%v", err)
	}
	regs := make([]ptx.Operand, o.NumOperands())
	for i, v := range o.Operands() {
		regs[i] = ptx.R(e.reg(v))
	}
	// The variables of .param space are declared in a scope of their own, since their names are the same for each
	// call of a function. The ABI passes everything through them.
	e.body.Open()
	args := make([]ptx.Sym, len(regs))
	for i, r := range regs {
		args[i] = e.body.Sym(fmt.Sprintf("arg%d", i))
		e.body.DeclareParam(args[i], f.Params[i].Type)
		e.emit(ptx.OpStParam, mods(f.Params[i].Type), ptx.AtSym(args[i], 0), r)
	}
	var result ptx.Sym
	if f.Result != nil {
		result = e.body.Sym("result")
		e.body.DeclareParam(result, f.Result.Type)
	}
	e.body.Call(result, e.body.Sym(name), args...)
	if f.Result != nil {
		e.emit(ptx.OpLdParam, mods(f.Result.Type), ptx.R(e.def(o.Result(0))), ptx.AtSym(result, 0))
	}
	e.body.Close()
	return nil
}

// declare adds the declaration of a function, once.
func (f *features) declare(fn *ptx.Func) error {
	for _, g := range f.funcs {
		if g.Name != fn.Name {
			continue
		}
		same := len(g.Params) == len(fn.Params) && (g.Result == nil) == (fn.Result == nil)
		for i := 0; same && i < len(g.Params); i++ {
			same = g.Params[i].Type == fn.Params[i].Type
		}
		// A module declares a function once, and ptxas checks each call against it.
		if !same {
			return fmt.Errorf("calls '%s' with other types than before", fn.Name)
		}
		return nil
	}
	f.funcs = append(f.funcs, fn)
	return nil
}

// The name counts through the kernel: .local variables are declared in the body, where all names are of one
// scope.
func (e *emitter) localAlloc(o ir.Op) error {
	size, _ := o.IntAttr(nvvm.AttrSize)
	align, _ := o.IntAttr(nvvm.AttrAlign)
	e.locals++
	name := e.body.Sym(fmt.Sprintf("%s_local_%d", e.entry.Name, e.locals))
	e.body.Declare(ptx.Local{Space: ptx.LocalSpace, Name: name, Type: ptx.B8, Align: int(align), Count: int(size)})
	e.body.Mov(e.def(o.Result(0)), ptx.SymAddr(name, 0))
	return nil
}

func (e *emitter) toGeneric(o ir.Op) error {
	d := e.def(o.Result(0))
	space := spaceOf(o.Operand(0))
	v := e.reg(o.Operand(0))
	switch {
	case space == nvvm.Generic:
		// Generic already; the operation is written all the same by lowerings that do not ask.
		e.body.Mov(d, ptx.R(v))
		return nil
	case space == nvvm.Shared: // its addresses have 32 bits
		wide := e.tmp(&i64Kind)
		e.emit(ptx.OpCvt, mods(ptx.U64, ptx.U32), ptx.R(wide), ptx.R(v))
		v = wide
	}
	e.emit(ptx.OpCvta, mods(spaces[space], ptx.U64), ptx.R(d), ptx.R(v))
	return nil
}
