package nvvmtoptx

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

// function writes a kernel.
//
// Blocks keep the order of the IR, in which convert-tileas-to-nvvm has put them: that in which control comes to
// them first.
func (e *emitter) function() error {
	if !ptx.ValidName(e.entry.Name) {
		return e.fn.Errorf("'%s' is not a name in PTX", e.entry.Name)
	}
	if err := e.directives(); err != nil {
		return err
	}
	if err := e.joinRegisters(); err != nil {
		return err
	}
	if err := e.params(); err != nil {
		return err
	}
	region := e.fn.Region(0)
	for b := range region.Blocks() {
		for _, a := range b.Args() {
			if kindOf(a.Type()) == nil {
				return e.fn.Errorf("block argument type '%s' has no PTX register", ir.TypeString(a.Type()))
			}
		}
		// A block that is only fallen into still has its branch as a predecessor, and ptxas does not mind labels that
		// nobody names.
		if b.HasPreds() {
			e.labels[b] = e.body.NewLabel()
		}
	}
	for b := range region.Blocks() {
		if err := e.block(b); err != nil {
			return err
		}
	}
	// Stubs come last, where nothing falls into them.
	for _, s := range e.stubs {
		e.body.Place(s.label)
		if err := e.stub(s); err != nil {
			return err
		}
	}
	return nil
}

func (e *emitter) block(b ir.Block) error {
	if l, ok := e.labels[b]; ok {
		e.body.Place(l)
	}
	// Constants are moved into registers where they are used, block by block; most are immediates and need none.
	e.constants = make(map[ir.Attribute]ptx.Reg)
	e.written[b] = true
	for op := range b.Ops() {
		r, ok := rules[op.Def()]
		if !ok {
			return op.Errorf("has no PTX instruction")
		}
		if err := e.checkTypes(op); err != nil {
			return err
		}
		e.location(op)
		if err := r(e, op); err != nil {
			return err
		}
	}
	return nil
}

// location writes where the following instructions come from, when that changes.
func (e *emitter) location(op ir.Op) {
	if !e.lines {
		return
	}
	if op.Loc() == e.loc {
		return
	}
	chain := ir.CallChain(op.Loc())
	chain = chain[:min(len(chain), maxInlined)]
	if i := slices.IndexFunc(chain, func(f ir.Frame) bool { return f.Line == 0 }); i >= 0 {
		chain = chain[:i]
	}
	// A line that comes again after another is written again, as the debugger needs; the same line twice is not.
	if len(chain) == 0 || slices.Equal(chain, e.chain) {
		return
	}
	e.loc, e.chain = op.Loc(), chain
	e.inlined(chain)
	e.line(chain)
}

// A call is a place and the call around it, as a number: zero is the kernel.
type call struct {
	file         string
	line, column uint32
	around       int
}

// inlined writes the calls around a place, the outermost first. The assembler takes the last line written for the
// place of a call as the one that was inlined into, with everything around it (seen in nvdisasm -gi). If there is
// no such line, or it was in another call, it is written again.
func (e *emitter) inlined(chain []ir.Frame) {
	if e.calls == nil {
		e.calls, e.rows = make(map[call]int), make(map[call]int)
	}
	around := 0
	for i := len(chain) - 1; i >= 0; i-- {
		row := call{chain[i].File, chain[i].Line, chain[i].Column, 0}
		this := row
		this.around = around
		if e.calls[this] == 0 {
			e.calls[this] = len(e.calls) + 1
		}
		around = e.calls[this]
		if i > 0 && e.rows[row] != around {
			e.line(chain[i:])
		}
		e.rows[row] = around // the first place's line comes next
	}
}

// maxInlined bounds the calls around an instruction that are written.
const maxInlined = 32

// line writes the first place of a chain, and where the next one called it.
func (e *emitter) line(chain []ir.Frame) {
	f := e.body.File(chain[0].File)
	if f == 0 {
		return
	}
	l := ptx.Loc{File: f, Line: chain[0].Line, Column: chain[0].Column}
	if len(chain) > 1 {
		if at := e.body.File(chain[1].File); at != 0 {
			l.Inlined = &ptx.Inlined{Function: cmp.Or(chain[0].Function, "inlined"), File: at, Line: chain[1].Line, Column: chain[1].Column}
		}
	}
	e.body.Loc(l)
}

// .reqntid fails a launch of another shape, .maxnreg caps registers whatever ptxas thinks of it, and
// .minnctapersm makes it try for the number of blocks (PTX ISA, "Performance-Tuning Directives").
func (e *emitter) directives() error {
	d := &e.entry.Directives
	d.ReqNTID = dim(ints(e.fn, nvvm.AttrReqntid))
	if n, ok := e.fn.IntAttr(nvvm.AttrMinctasm); ok {
		d.MinNCTAPerSM = int(n)
	}
	if n, ok := e.fn.IntAttr(nvvm.AttrMaxnreg); ok {
		d.MaxNReg = int(n)
	}
	if c := ints(e.fn, nvvm.AttrClusterDim); len(c) > 0 {
		d.ReqNCTAPerCluster = dim(c)
		// Where the grid counts clusters, a launch has nothing to say about them.
		d.ExplicitCluster = !e.fn.HasUnitAttr(nvvm.AttrBlocks)
		features := []sm.Feature{sm.DirectiveCluster}
		if d.ExplicitCluster {
			features = append(features, sm.DirectiveExplicitCluster)
		}
		for _, f := range features {
			if err := e.need(e.fn, f); err != nil {
				return err
			}
		}
	}
	// Each directive needs a target that has it; what a target lacks is an error here and not in ptxas, where nothing
	// says which attribute asked for it.
	if n, ok := e.fn.IntAttr(nvvm.AttrMaxCluster); ok {
		d.MaxClusterRank = int(n)
		if err := e.need(e.fn, sm.DirectiveMaxClusterRank); err != nil {
			return err
		}
	}
	if e.fn.HasUnitAttr(nvvm.AttrBlocks) {
		d.BlocksAreClusters = true
		if d.ReqNCTAPerCluster == (ptx.Dim{}) { // it must be said
			d.ReqNCTAPerCluster = ptx.Dim{X: 1, Y: 1, Z: 1}
		}
		for _, f := range []sm.Feature{sm.DirectiveCluster, sm.DirectiveBlocksAreClusters} {
			if err := e.need(e.fn, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func dim(list []int) ptx.Dim {
	var d ptx.Dim
	for i, p := range []*int{&d.X, &d.Y, &d.Z} {
		if i < len(list) {
			*p = list[i]
		}
	}
	return d
}

// paramTypes gives the type of the parameter that holds a value of each kind.
var paramTypes = map[*kind]ptx.Mod{
	&predKind: ptx.U8, &byteKind: ptx.U8, &i16Kind: ptx.U16, &i32Kind: ptx.U32, &i64Kind: ptx.U64,
	&f16Kind: ptx.B16, &bf16Kind: ptx.B16, &f32Kind: ptx.F32, &f64Kind: ptx.F64, &tf32Kind: ptx.B32,
}

// params declares the parameters and loads those that are used.
//
// A pointer with a state space in .ptr is an address in that space and needs no cvta; without one it is generic (PTX ISA,
// kernel function parameter attributes). NVIDIA's tileiras loads through such parameters too.
func (e *emitter) params() error {
	entry := e.fn.Region(0).First()
	aligns := ints(e.fn, nvvm.AttrParamAligns)
	for i, a := range entry.Args() {
		k := kindOf(a.Type())
		if k == nil {
			return e.fn.Errorf("parameter type '%s' has no PTX register", ir.TypeString(a.Type()))
		}
		p := ptx.Param{Name: fmt.Sprintf("%s_param_%d", e.entry.Name, i), Type: paramTypes[k]}
		ptr, isPtr := a.Type().(*nvvm.PtrType)
		if isPtr && ptr.Space != nvvm.Global && ptr.Space != nvvm.Generic {
			return e.fn.Errorf("parameter #%d points to %s memory, which a launch cannot pass", i, ptr.Space)
		}
		if isPtr && ptr.Space == nvvm.Global {
			// .ptr .global .align changes nothing of what is passed: it is a promise to ptxas about where the pointer
			// leads (PTX ISA, kernel function parameter attributes).
			p.Space, p.PtrAlign = ptx.Global, 1
			if i < len(aligns) {
				p.PtrAlign = max(1, aligns[i])
			}
		}
		e.entry.Params = append(e.entry.Params, p)
		// A parameter that nobody reads is declared all the same: the launcher passes it.
		if !a.HasUses() || e.onlyExtended(a) {
			continue
		}
		sym := e.body.Sym(p.Name)
		switch {
		case k == &predKind:
			b := e.tmp(&byteKind)
			e.body.LoadParam(ptx.U8, b, sym, 0)
			e.truth(e.def(a), b)
		default:
			e.body.LoadParam(p.Type, e.def(a), sym, 0)
		}
	}
	return nil
}

// extendedParam returns the name of the parameter that an operation extends to 64 bits. ld.param extends by itself (PTX
// ISA, ld: a destination may be wider than the type).
func (e *emitter) extendedParam(o ir.Op) (name string, ok bool) {
	v := o.Operand(0)
	if !o.Is(arith.ExtSI) && !o.Is(arith.ExtUI) || !v.IsBlockArg() || v.Block() != e.fn.Region(0).First() {
		return "", false
	}
	if kindOf(v.Type()) != &i32Kind || kindOf(o.Result(0).Type()) != &i64Kind {
		return "", false
	}
	return e.entry.Params[v.Index()].Name, true
}

// onlyExtended reports whether nothing reads a parameter but what extends it.
func (e *emitter) onlyExtended(param ir.Value) bool {
	for u := range param.Uses() {
		if _, ok := e.extendedParam(u.Owner()); !ok {
			return false
		}
	}
	return true
}

// truth converts a byte to a predicate: whatever is not zero is true.
//
// A launcher passes bool as C has it, and memory of i1 may come from another kernel or the host, so that 2 is
// true as well.
func (e *emitter) truth(p, b ptx.Reg) {
	e.body.Ins(ptx.OpSetP, ptx.NE, ptx.U16).Args(ptx.R(p), ptx.R(b), ptx.Int(0))
}
