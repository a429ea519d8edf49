package nvvmtoptx

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.Pack: func(e *emitter, o ir.Op) error {
			if e.joined[o] {
				return nil
			}
			d := e.def(o.Result(0))
			parts := o.Operands()
			if ir.BitWidth(o.Result(0).Type()) == 64 {
				halves := e.regsOf(parts) // may move constants to registers first
				e.body.Ins(ptx.OpMov, ptx.B64).Regs(d).Vec(halves...)
				return nil
			}
			if a, b, selector, ok := permuted(o); ok {
				e.emit(ptx.OpPrmt, mods(ptx.B32), ptx.R(d), e.use(a), e.use(b), ptx.Int(selector))
				return nil
			}
			e.body.Mov(d, e.pack(accessOf(kindOf(parts[0].Type()), len(parts)), parts))
			return nil
		},
		nvvm.Unpack: func(e *emitter, o ir.Op) error {
			if onlyPermuted(o) {
				return nil
			}
			parts := o.Results()
			if ir.BitWidth(o.Operand(0).Type()) == 64 {
				whole := e.reg(o.Operand(0))
				e.body.Ins(ptx.OpMov, ptx.B64).Vec(e.def(parts[0]), e.def(parts[1])).Regs(whole)
				return nil
			}
			e.unpack(accessOf(kindOf(parts[0].Type()), len(parts)), e.reg(o.Operand(0)), parts)
			return nil
		},
	})
}

// permuted returns the one or two words that a pack joins bytes of, and which bytes, as prmt wants it: what
// transposes bytes on their way to a matrix instruction. Taken apart and joined again one by one it would be ten
// instructions.
func permuted(pack ir.Op) (a, b ir.Value, selector int64, ok bool) {
	if ir.BitWidth(pack.Operand(0).Type()) != 8 {
		return a, b, 0, false
	}
	for i, part := range pack.Operands() {
		def := part.DefiningOp()
		if def.IsNil() || !def.Is(nvvm.Unpack) {
			return a, b, 0, false
		}
		at := int64(slices.Index(def.Results(), part))
		switch word := def.Operand(0); {
		case a.IsNil(), word == a:
			a = word
		case b.IsNil(), word == b:
			b = word
			at += 4 // the bytes of the second word are numbered after those of the first
		default:
			return a, b, 0, false
		}
		selector |= at << (4 * i)
	}
	if b.IsNil() {
		b = a
	}
	return a, b, selector, true
}

// onlyPermuted reports whether nothing needs the bytes of an unpack by themselves.
func onlyPermuted(unpack ir.Op) bool {
	for _, part := range unpack.Results() {
		for u := range part.Uses() {
			if !u.Owner().Is(nvvm.Pack) {
				return false
			}
			if _, _, _, ok := permuted(u.Owner()); !ok {
				return false
			}
		}
	}
	return true
}

// evenBytes selects the first and third byte of a word, the low bytes of its halves.
const evenBytes = 0x00ff00ff

// pack returns the word that some values make up, the first lowest.
func (e *emitter) pack(a access, values []ir.Value) ptx.Operand {
	if word, ok := packConstants(a, values); ok {
		return word
	}
	if a.direct() {
		return e.use(values[0])
	}
	if w, ok := e.packPaired(a, values); ok {
		return ptx.R(w)
	}
	parts := e.regsOf(values)
	if a.value == &predKind {
		// In memory a truth value is a byte of 0 or 1, as launchers and other kernels expect it.
		for i, p := range parts {
			parts[i] = e.tmp(&byteKind)
			e.emit(ptx.OpSelP, mods(ptx.B16), ptx.R(parts[i]), ptx.Int(1), ptx.Int(0), ptx.R(p))
		}
	}
	if a.perWord == 1 {
		return ptx.R(parts[0])
	}
	w := e.tmp(a.word)
	switch {
	case a.value.bits == bitsOfHalf:
		e.body.Ins(ptx.OpMov, ptx.B32).Regs(w).Vec(parts...)
	case a.word == &i16Kind:
		high := e.tmp(a.word)
		e.emit(ptx.OpShl, mods(ptx.B16), ptx.R(high), ptx.R(parts[1]), ptx.Int(8))
		e.emit(ptx.OpOr, mods(ptx.B16), ptx.R(w), ptx.R(parts[0]), ptx.R(high))
	default:
		// Four bytes are joined as two pairs of halves, each pair by one mov. One shift and one or combine the
		// pairs, which are fewer instructions than a shift and an or for each byte.
		even, odd, shifted := e.tmp(a.word), e.tmp(a.word), e.tmp(a.word)
		e.body.Ins(ptx.OpMov, ptx.B32).Regs(even).Vec(parts[0], parts[2])
		e.body.Ins(ptx.OpMov, ptx.B32).Regs(odd).Vec(parts[1], parts[3])
		e.emit(ptx.OpShl, mods(ptx.B32), ptx.R(shifted), ptx.R(odd), ptx.Int(8))
		e.emit(ptx.OpOr, mods(ptx.B32), ptx.R(w), ptx.R(even), ptx.R(shifted))
	}
	return ptx.R(w)
}

// packConstants is pack for constants. Constants are joined here, since padding would else be moved to registers one
// by one and packed at run time, on every path.
func packConstants(a access, values []ir.Value) (ptx.Operand, bool) {
	if a.direct() {
		return ptx.Operand{}, false
	}
	word := uint64(0)
	for i, v := range values {
		c := constant(v)
		if c == nil {
			return ptx.Operand{}, false
		}
		word |= arith.Bits(c) << (i * a.value.bits)
	}
	return ptx.Int(int64(word)), true
}

// unpack takes a word apart into the registers of values.
//
//	w      = d3 d2 d1 d0       and  0x00ff00ff   ->   00 d2 00 d0   halves: d0, d2
//	w >> 8 = 00 d3 d2 d1       and  0x00ff00ff   ->   00 d3 00 d1   halves: d1, d3
func (e *emitter) unpack(a access, w ptx.Reg, values []ir.Value) {
	if e.keepWord(a, w, values) || e.keepHalves(w, values) {
		return
	}
	parts := make([]ptx.Reg, len(values))
	for i, v := range values {
		if parts[i] = e.def(v); a.value == &predKind {
			parts[i] = e.tmp(&byteKind)
		}
	}
	switch {
	case a.perWord == 1:
		parts[0] = w
	case a.value.bits == bitsOfHalf:
		e.body.Ins(ptx.OpMov, ptx.B32).Vec(parts...).Regs(w)
	case a.word == &i16Kind:
		e.emit(ptx.OpAnd, mods(ptx.B16), ptx.R(parts[0]), ptx.R(w), ptx.Int(0xff))
		e.emit(ptx.OpShr, mods(ptx.U16), ptx.R(parts[1]), ptx.R(w), ptx.Int(8))
	default:
		// The way back: masking both pairs at once leaves every byte zero-extended in its half, as registers of bytes
		// must be.
		even, shifted, odd := e.tmp(a.word), e.tmp(a.word), e.tmp(a.word)
		e.emit(ptx.OpAnd, mods(ptx.B32), ptx.R(even), ptx.R(w), ptx.Int(evenBytes))
		e.emit(ptx.OpShr, mods(ptx.U32), ptx.R(shifted), ptx.R(w), ptx.Int(8))
		e.emit(ptx.OpAnd, mods(ptx.B32), ptx.R(odd), ptx.R(shifted), ptx.Int(evenBytes))
		e.body.Ins(ptx.OpMov, ptx.B32).Vec(parts[0], parts[2]).Regs(even)
		e.body.Ins(ptx.OpMov, ptx.B32).Vec(parts[1], parts[3]).Regs(odd)
	}
	if a.value == &predKind {
		for i, v := range values {
			e.truth(e.def(v), parts[i])
		}
	}
}

// packPaired writes one instruction for two halves of the word that a pack or a store makes of them, or for two bytes,
// where nothing else reads them. ptxas pairs other arithmetic on floats by itself.
//
//	cvt.rn.f16.f32 %rs1, %f1; cvt.rn.f16.f32 %rs2, %f2; mov.b32 %r1, {%rs1, %rs2};          cvt.rn.f16x2.f32 %r1, %f2, %f1;
//	neg.f16 %rs3, %rs1; neg.f16 %rs4, %rs2; mov.b32 %r1, {%rs3, %rs4};                      neg.f16x2 %r1, {%rs1, %rs2};
func (e *emitter) packPaired(a access, values []ir.Value) (w ptx.Reg, ok bool) {
	if len(values) == bytesOfWord && a.value == &byteKind {
		return e.packPairs(a, values)
	}
	if a.perWord != 2 || a.word == &byteKind || len(values) != 2 {
		return 0, false
	}
	low, high := values[0].DefiningOp(), values[1].DefiningOp()
	if low.IsNil() || high.IsNil() || !e.writtenInPairs(low) || !e.writtenInPairs(high) {
		return 0, false
	}
	if op, t, ok := e.pairOf(low); ok {
		args := make([]ptx.Operand, 1, 3)
		for i := range low.NumOperands() {
			args = append(args, e.pack(a, []ir.Value{low.Operand(i), high.Operand(i)}))
		}
		w = e.tmp(a.word)
		args[0] = ptx.R(w)
		e.emit(op, mods(t), args...)
		return w, true
	}
	w = e.tmp(a.word)
	e.emit(ptx.OpCvt, append(mods(convertRoundings[low.StringAttr(arith.AttrRounding)]), pairedForms[formatOf(values[0].Type())]...),
		ptx.R(w), ptx.R(e.reg(high.Operand(0))), ptx.R(e.reg(low.Operand(0))))
	return w, true
}

// packPairs packs a word of four bytes if one instruction converts two of them. Other bytes are joined in pairs too.
func (e *emitter) packPairs(a access, values []ir.Value) (w ptx.Reg, ok bool) {
	if e.wordOfPairs(values[0].FirstUse().Owner(), values) {
		pairs := ir.Map(values, func(v ir.Value) ptx.Reg { return e.pairOfHalves(v.DefiningOp()) })
		w = e.tmp(a.word)
		e.body.Ins(ptx.OpMov, ptx.B32).Regs(w).Vec(pairs...)
		return w, true
	}
	pair := accessOf(a.value, 2)
	if !slices.ContainsFunc(values, func(v ir.Value) bool { def := v.DefiningOp(); return !def.IsNil() && e.writtenInPairs(def) }) {
		return 0, false
	}
	var halves [2]ptx.Reg
	for i := range halves {
		if halves[i], ok = e.packPaired(pair, values[2*i:2*i+2]); !ok {
			halves[i] = e.tmp(pair.word)
			e.body.Mov(halves[i], e.pack(pair, values[2*i:2*i+2]))
		}
	}
	w = e.tmp(a.word)
	e.body.Ins(ptx.OpMov, ptx.B32).Regs(w).Vec(halves[:]...)
	return w, true
}

// pairedHalves are the types of two halves in a word, and pairedSigns the operations on signs, which PTX has for both.
// pairedInts are those of integers of 16 bits, and pairedForms how cvt makes two floats of two f32.
var (
	pairedForms = map[numeric.Format][]ptx.Mod{
		numeric.F16: mods(ptx.F16x2, ptx.F32), numeric.BF16: mods(ptx.BF16x2, ptx.F32),
		numeric.F8E4M3FN: mods(ptx.SatFinite, ptx.E4M3x2, ptx.F32), numeric.F8E5M2: mods(ptx.SatFinite, ptx.E5M2x2, ptx.F32),
	}
	pairedHalves = map[numeric.Format]ptx.Mod{numeric.F16: ptx.F16x2, numeric.BF16: ptx.BF16x2}
	pairedSigns  = map[*ir.OpDef]ptx.Op{arith.NegF: ptx.OpNeg, arith.AbsF: ptx.OpAbs}
	pairedInts   = map[*ir.OpDef]struct {
		op      ptx.Op
		t       ptx.Mod
		feature *sm.Feature
	}{
		arith.AddI: {ptx.OpAdd, ptx.S16x2, &sm.I16x2}, arith.MaxSI: {ptx.OpMax, ptx.S16x2, &sm.I16x2}, arith.MinSI: {ptx.OpMin, ptx.S16x2, &sm.I16x2},
		arith.MaxUI: {ptx.OpMax, ptx.U16x2, &sm.I16x2}, arith.MinUI: {ptx.OpMin, ptx.U16x2, &sm.I16x2},
		arith.AndI: {ptx.OpAnd, ptx.B32, nil}, arith.OrI: {ptx.OpOr, ptx.B32, nil}, arith.XOrI: {ptx.OpXor, ptx.B32, nil},
	}
)

// pairOf returns the instruction that does to both parts of a word what an operation does to one.
func (e *emitter) pairOf(o ir.Op) (op ptx.Op, t ptx.Mod, ok bool) {
	switch result := o.Result(0).Type().(type) {
	case *ir.FloatType:
		op, t = pairedSigns[o.Def()], pairedHalves[result.Format]
		if t == 0 || op == 0 || o.HasUnitAttr(arith.AttrFtz) {
			return 0, 0, false
		}
		form := negForms[result.Format]
		return op, t, form.feature == nil || e.need(o, *form.feature) == nil
	case *ir.IntegerType:
		p, ok := pairedInts[o.Def()]
		return p.op, p.t, ok && result.Width == 16 && (p.feature == nil || e.need(o, *p.feature) == nil)
	}
	return 0, 0, false
}

// unlessPaired is a rule for an operation that may be written by what packs its result.
func unlessPaired(single rule) rule {
	return func(e *emitter, o ir.Op) error {
		if e.writtenInPairs(o) {
			return nil
		}
		return single(e, o)
	}
}

// writtenInPairs reports whether an operation is written by what packs its result: with its neighbour, which is
// computed alike.
func (e *emitter) writtenInPairs(o ir.Op) bool {
	if !e.isHalved(o) {
		return false
	}
	partner := ir.Value{}
	for u := range o.Result(0).Uses() {
		user, values := u.Owner(), u.Owner().Operands()
		switch {
		case user.Block() != o.Block():
			return false
		case user.Is(nvvm.Pack):
		case user.Is(nvvm.St):
			values = user.OperandsNamed("values")
		default:
			return false
		}
		if i := slices.Index(values, o.Result(0)); i >= 0 && i^1 < len(values) {
			partner = values[i^1]
		}
	}
	if partner.IsNil() || partner == o.Result(0) {
		return false
	}
	other := partner.DefiningOp()
	return !other.IsNil() && e.isHalved(other) && other.Block() == o.Block() && other.Def() == o.Def() && partner.Type() == o.Result(0).Type() &&
		convertRoundings[other.StringAttr(arith.AttrRounding)] == convertRoundings[o.StringAttr(arith.AttrRounding)]
}

// isHalved reports whether an operation makes 16 bits or a byte for one reader and could be paired: a conversion of f32,
// or one that pairOf has.
func (e *emitter) isHalved(o ir.Op) bool {
	if _, _, ok := e.pairOf(o); !ok && !e.narrows(o) {
		return false
	}
	return o.Result(0).HasOneUse() && constant(o.Operand(0)) == nil && !slices.ContainsFunc(o.Operands(), e.place.has)
}

// narrows reports whether an operation converts f32 to 16 bits or a byte, and an instruction does that to two.
func (e *emitter) narrows(o ir.Op) bool {
	if !o.Is(arith.FToF) || formatOf(o.Operand(0).Type()) != numeric.F32 || pairedForms[formatOf(o.Result(0).Type())] == nil {
		return false
	}
	form := cvtForms[formatPair{numeric.F32, formatOf(o.Result(0).Type())}]
	if form.feature != nil && e.need(o, *form.feature) != nil {
		return false
	}
	rounding := convertRoundings[o.StringAttr(arith.AttrRounding)]
	return rounding == ptx.RN || rounding == ptx.RZ && form.modes != nearest
}
