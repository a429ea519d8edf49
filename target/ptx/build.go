package ptx

// The statements that every lowering needs, with the type taken from the class of the register.

// Mov copies a value into a register.
func (b *Body) Mov(d Reg, s Operand) Inst { return b.Ins(OpMov, moveType[d.Class()]).Args(R(d), s) }

// moveType is the type under which mov writes a register of each class.
var moveType = [numClasses]Mod{
	Pred: PredType, R16: B16, R32: B32, R64: B64, RF32: F32, RF64: F64, R128: B128,
}

// Bra branches, in all threads alike or not. Guard it with If or Unless.
func (b *Body) Bra(l Label) Inst { return b.Ins(OpBra).Args(ToLabel(l)) }

// BraUni branches where all threads of the warp agree.
func (b *Body) BraUni(l Label) Inst { return b.Ins(OpBra, Uni).Args(ToLabel(l)) }

// Ret returns from the entry.
func (b *Body) Ret() Inst { return b.Ins(OpRet) }

// BarSync waits at a named barrier until all threads of the CTA have arrived, or as many as threads says when it is
// not zero.
func (b *Body) BarSync(barrier, threads int) Inst {
	i := b.Ins(OpBarSync).Args(Int(int64(barrier)))
	if threads != 0 {
		i = i.Args(Int(int64(threads)))
	}
	return i
}

// LoadParam reads an entry's parameter, given by its symbol, into a register.
func (b *Body) LoadParam(typ Mod, d Reg, param Sym, offset int32) Inst {
	return b.Ins(OpLdParam, typ).Args(R(d), AtSym(param, offset))
}
