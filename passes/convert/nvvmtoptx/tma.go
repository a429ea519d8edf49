package nvvmtoptx

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/tensormap"
)

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.TensorMapParam: (*emitter).tensorMapParam, nvvm.TensorLoad: (*emitter).tensorLoad, nvvm.TensorStore: (*emitter).tensorStore, nvvm.TensorReduce: (*emitter).tensorReduce,
	})
}

// tensorMapParam declares a parameter after those of the program, and takes its generic address, which TMA needs.
func (e *emitter) tensorMapParam(o ir.Op) error {
	m := tensormap.Map{}
	n, _ := o.IntAttr(nvvm.AttrElement)
	swizzle, _ := o.IntAttr(nvvm.AttrSwizzle)
	m.Element, m.Swizzle, m.Box, m.Rounded = int(n), int(swizzle), ints(o, nvvm.AttrBox), o.HasUnitAttr(nvvm.AttrRounded)
	m.Float = o.StringAttr(nvvm.AttrFloat)
	var err error
	left := maxExpression
	if m.Base, err = e.expression(o, o.Operand(0), &left); err != nil {
		return err
	}
	for _, of := range []struct {
		values []ir.Value
		to     *[]tensormap.Expr
	}{{o.OperandsNamed("sizes"), &m.Sizes}, {o.OperandsNamed("strides"), &m.Strides}} {
		for _, v := range of.values {
			x, err := e.expression(o, v, &left)
			if err != nil {
				return err
			}
			*of.to = append(*of.to, x)
		}
	}
	p := ptx.Param{Name: fmt.Sprintf("%s_param_%d", e.entry.Name, len(e.entry.Params)), Type: ptx.B8, Align: tensormap.Align, Count: tensormap.Bytes}
	e.entry.Params = append(e.entry.Params, p)
	e.maps = append(e.maps, m)
	at := e.tmp(&i64Kind)
	e.body.Mov(at, ptx.SymAddr(e.body.Sym(p.Name), 0))
	e.body.Ins(ptx.OpCvta, ptx.ParamSpace, ptx.U64).Regs(e.def(o.Result(0)), at)
	return nil
}

// maxExpression is how many operations a launcher computes for a map. An expression is a tree: what is used twice is
// computed twice, so its depth does not bound its size.
const maxExpression = 512

// expression returns how a value follows from the parameters of the kernel, and takes its operations from what is left.
func (e *emitter) expression(o ir.Op, v ir.Value, left *int) (tensormap.Expr, error) {
	def := v.DefiningOp()
	switch {
	case def.IsNil() && v.Block() == e.fn.Body():
		return tensormap.Param(v.Index()), nil
	case *left == 0 || def.IsNil():
		return tensormap.Expr{}, o.Errorf("is of a number that a launcher cannot compute")
	}
	if a, ok := constant(v).(*ir.IntegerAttr); ok {
		return tensormap.Const(a.Value), nil
	}
	// Launchers know the operations by the names of their rows.
	row := def.Def()
	if fused := def.Is(nvvm.MulWide) || def.Is(nvvm.MadLo) || def.Is(nvvm.PtrAdd); !fused && (row.Dialect != arith.Dialect || !tensormap.Computes(row.Name)) {
		return tensormap.Expr{}, o.Errorf("is of what '%s' computes, which a launcher cannot", def.Name()).Note(def.Loc(), "the operation")
	}
	*left--
	var args []tensormap.Expr
	for _, operand := range def.Operands() {
		arg, err := e.expression(o, operand, left)
		if err != nil {
			return arg, err
		}
		args = append(args, arg)
	}
	width, extended := ir.BitWidth(def.Operand(0).Type()), arith.ExtSI.Name
	if def.HasUnitAttr(nvvm.AttrUnsigned) {
		extended = arith.ExtUI.Name
	}
	extend := func(x tensormap.Expr) tensormap.Expr { return tensormap.Operation(extended, 32, x) }
	switch {
	case def.Is(nvvm.MulWide):
		return tensormap.Operation(arith.MulI.Name, 64, extend(args[0]), extend(args[1])), nil
	case def.Is(nvvm.MadLo):
		return tensormap.Operation(arith.AddI.Name, width, tensormap.Operation(arith.MulI.Name, width, args[0], args[1]), args[2]), nil
	case def.Is(nvvm.PtrAdd):
		if ir.BitWidth(def.Operand(1).Type()) == 32 { // offsets are signed
			args[1] = extend(args[1])
		}
		return tensormap.Operation(arith.AddI.Name, 64, args...), nil
	case !def.Is(arith.ExtSI) && !def.Is(arith.ExtUI):
		width = ir.BitWidth(v.Type())
	}
	return tensormap.Operation(row.Name, width, args...), nil
}

var tensorDims = [...]ptx.Mod{ptx.Dim1, ptx.Dim2, ptx.Dim3, ptx.Dim4, ptx.Dim5}

func (e *emitter) coordinates(o ir.Op) (dim ptx.Mod, list []ptx.Operand) {
	for _, v := range o.OperandsNamed("coordinates") {
		list = append(list, e.use(v))
	}
	return tensorDims[len(list)-1], list
}

func (e *emitter) tensorLoad(o ir.Op) error {
	mask, multicast := o.IntAttr(nvvm.AttrMulticast)
	needs, space, pair := sm.TMALoad, ptx.SharedCluster, o.HasUnitAttr(nvvm.AttrTwoCTAs)
	switch {
	case pair:
		needs = sm.TMALoadCTAGroup2
	case multicast:
		needs = sm.TMALoadMulticast
	case e.ownSpelling(sm.TMALoad, sm.TMALoadCTA):
		needs, space = sm.TMALoadCTA, ptx.SharedCTA
	}
	if err := e.need(o, needs); err != nil {
		return err
	}
	if o.HasUnitAttr(nvvm.AttrGather4) {
		return e.gatherRows(o)
	}
	off, _ := o.IntAttr(nvvm.AttrOffset)
	dim, at := e.coordinates(o)
	to, m, bar := e.address(o.OperandNamed("dst"), off), e.reg(o.OperandNamed("map")), e.address(o.OperandNamed("mbarrier"), 0)
	pred := e.predicate(o)
	i := e.body.Ins(ptx.OpCpAsyncBulkTensor, dim, space, ptx.Global, ptx.Tile, ptx.CompleteTxBytes)
	if multicast {
		i = i.Mod(ptx.MulticastCluster)
	}
	if pair {
		i = i.Mod(ptx.CTAGroup2)
	}
	if i = i.Args(to).Tensor(m, at...).Args(bar); multicast {
		i = i.Args(ptx.Int(mask))
	}
	if pred != 0 {
		i.If(pred)
	}
	return nil
}

// gatherRows names the CTA's own shared memory: with that of a cluster four rows are for the targets with tensor
// memory alone.
func (e *emitter) gatherRows(o ir.Op) error {
	if err := e.need(o, sm.TMAGather4); err != nil {
		return err
	}
	off, _ := o.IntAttr(nvvm.AttrOffset)
	_, at := e.coordinates(o)
	to, m, bar := e.address(o.OperandNamed("dst"), off), e.reg(o.OperandNamed("map")), e.address(o.OperandNamed("mbarrier"), 0)
	pred := e.predicate(o)
	i := e.body.Ins(ptx.OpCpAsyncBulkTensor, ptx.Dim2, ptx.SharedCTA, ptx.Global, ptx.TileGather4, ptx.CompleteTxBytes).Args(to).Tensor(m, at...).Args(bar)
	if pred != 0 {
		i.If(pred)
	}
	return nil
}

func (e *emitter) tensorStore(o ir.Op) error {
	if err := e.need(o, sm.TMAStore); err != nil {
		return err
	}
	off, _ := o.IntAttr(nvvm.AttrOffset)
	dim, at := e.coordinates(o)
	m, from := e.reg(o.OperandNamed("map")), e.address(o.OperandNamed("src"), off)
	pred := e.predicate(o)
	i := e.body.Ins(ptx.OpCpAsyncBulkTensor, dim, ptx.Global, ptx.SharedCTA, ptx.Tile, ptx.BulkGroup).Tensor(m, at...).Args(from)
	if pred != 0 {
		i.If(pred)
	}
	return nil
}

// reductions are the modifiers of what a reduction does; the map says of which type the elements are.
var reductions = map[string]ptx.Mod{"add": ptx.AddMod, "and": ptx.AndMod, "or": ptx.OrMod, "xor": ptx.XorMod, "umin": ptx.MinMod, "umax": ptx.MaxMod}

func (e *emitter) tensorReduce(o ir.Op) error {
	if err := e.need(o, sm.TMAReduce); err != nil {
		return err
	}
	off, _ := o.IntAttr(nvvm.AttrOffset)
	dim, at := e.coordinates(o)
	m, from := e.reg(o.OperandNamed("map")), e.address(o.OperandNamed("src"), off)
	pred := e.predicate(o)
	i := e.body.Ins(ptx.OpCpReduceAsyncBulkTensor, dim, ptx.Global, ptx.SharedCTA, reductions[o.StringAttr(nvvm.AttrKind)], ptx.Tile, ptx.BulkGroup).Tensor(m, at...).Args(from)
	if pred != 0 {
		i.If(pred)
	}
	return nil
}

// predicate returns the register of an operation's predicate, or none.
func (e *emitter) predicate(o ir.Op) ptx.Reg {
	if o.Def().OperandField("predicate") < 0 {
		return 0
	}
	p := o.OperandNamed("predicate")
	if p.IsNil() {
		return 0
	}
	return e.reg(p)
}
