package ptx

// Label is a place in a body that branches name. The zero Label is none.
type Label uint32

// Body is the statements of an entry, in order.
type Body struct {
	stmts    []stmt
	mods     []Mod
	operands []Operand
	text     []string // comments and pragmas
	syms     symbols
	files    []string
	inlined  []Inlined
	locals   []Local
	labels   uint32 // handed out so far
}

// stmt is a statement, 24 bytes without pointers. Which fields mean something depends on the kind.
type stmt struct {
	kind     stmtKind
	negated  bool // guard is !%p
	op       Op
	guard    Reg    // instruction: predicate, or zero
	mods     uint32 // instruction: first modifier; location: line
	operands uint32 // instruction: first operand; location: column; otherwise an index into a table or a label
	nMods    uint16 // instruction; location: file
	nArgs    uint16 // instruction; call: arguments after the result and the callee
	inlined  uint32 // location: 1 + index into inlined, zero when there is none
}

type stmtKind uint8

const (
	instStmt stmtKind = iota + 1
	callStmt
	labelStmt
	locStmt
	commentStmt
	pragmaStmt
	localStmt
	openStmt
	closeStmt
)

// Len returns the number of statements.
func (b *Body) Len() int { return len(b.stmts) }

// Inst is an instruction under construction: a cursor that adds operands to the statement made last. It is void once
// another statement is added to the body.
type Inst struct{ b *Body }

// Ins adds an instruction. Its operands follow on the result, in the order of the PTX text.
func (b *Body) Ins(op Op, mods ...Mod) Inst {
	b.stmts = append(b.stmts, stmt{
		kind: instStmt, op: op,
		mods: uint32(len(b.mods)), nMods: uint16(len(mods)), operands: uint32(len(b.operands)),
	})
	b.mods = append(b.mods, mods...)
	return Inst{b}
}

func (i Inst) last() *stmt { return &i.b.stmts[len(i.b.stmts)-1] }

// If guards the instruction: it runs in the threads whose predicate is true.
func (i Inst) If(p Reg) Inst {
	i.last().guard = p
	return i
}

// Unless guards the instruction: it runs in the threads whose predicate is false.
func (i Inst) Unless(p Reg) Inst {
	s := i.last()
	s.guard, s.negated = p, true
	return i
}

// Mod adds a modifier to the opcode. It must come before any other statement.
func (i Inst) Mod(m Mod) Inst {
	i.b.mods = append(i.b.mods, m)
	i.last().nMods++
	return i
}

// Regs adds one operand for each register.
func (i Inst) Regs(regs ...Reg) Inst {
	for _, r := range regs {
		i.b.operands = append(i.b.operands, R(r))
	}
	i.last().nArgs += uint16(len(regs))
	return i
}

// Args adds operands.
func (i Inst) Args(args ...Operand) Inst {
	i.b.operands = append(i.b.operands, args...)
	i.last().nArgs += uint16(len(args))
	return i
}

// Vec adds one operand that is a vector of registers.
func (i Inst) Vec(elems ...Reg) Inst {
	i.b.operands = append(i.b.operands, Operand{kind: vectorOperand, bits: int64(len(elems))})
	for _, r := range elems {
		i.b.operands = append(i.b.operands, R(r))
	}
	i.last().nArgs++
	return i
}

// VecArgs adds one operand that is a vector of operands.
func (i Inst) VecArgs(elems ...Operand) Inst {
	i.b.operands = append(i.b.operands, Operand{kind: vectorOperand, bits: int64(len(elems))})
	i.b.operands = append(i.b.operands, elems...)
	i.last().nArgs++
	return i
}

// Tensor adds one operand that is an element of a tensor map: the address of the map and the coordinates.
func (i Inst) Tensor(tensorMap Reg, coordinates ...Operand) Inst {
	i.b.operands = append(i.b.operands, Operand{kind: tensorOperand, reg: tensorMap, bits: int64(len(coordinates))})
	i.b.operands = append(i.b.operands, coordinates...)
	i.last().nArgs++
	return i
}

// Call adds a call of an external function. Result and arguments are the local parameters that [Body.DeclareParam]
// declared; a zero result is none.
func (b *Body) Call(result, callee Sym, args ...Sym) {
	b.stmts = append(b.stmts, stmt{kind: callStmt, operands: uint32(len(b.operands)), nArgs: uint16(len(args))})
	b.operands = append(b.operands, SymAddr(result, 0), SymAddr(callee, 0))
	for _, a := range args {
		b.operands = append(b.operands, SymAddr(a, 0))
	}
}

// NewLabel returns a label that was not handed out before. [Body.Place] puts it somewhere.
func (b *Body) NewLabel() Label {
	b.labels++
	return Label(b.labels)
}

// Place puts the label before the next statement.
func (b *Body) Place(l Label) {
	b.stmts = append(b.stmts, stmt{kind: labelStmt, operands: uint32(l)})
}

// Loc says which source the following instructions come from.
func (b *Body) Loc(l Loc) {
	s := stmt{kind: locStmt, nMods: uint16(l.File), mods: l.Line, operands: l.Column}
	if l.Inlined != nil {
		b.inlined = append(b.inlined, *l.Inlined)
		s.inlined = uint32(len(b.inlined))
	}
	b.stmts = append(b.stmts, s)
}

// Comment adds a comment line, or several when the text has several lines.
func (b *Body) Comment(text string) { b.addText(commentStmt, text) }

// Pragma adds a hint to the assembler, such as "nounroll".
func (b *Body) Pragma(text string) { b.addText(pragmaStmt, text) }

func (b *Body) addText(kind stmtKind, text string) {
	b.stmts = append(b.stmts, stmt{kind: kind, operands: uint32(len(b.text))})
	b.text = append(b.text, text)
}

// Local is a variable declared inside a body: per-thread memory, or the parameter of a call.
type Local struct {
	Space Mod // LocalSpace or ParamSpace
	Name  Sym
	Type  Mod
	Align int // zero: the type's own
	Count int // elements of an array; zero: not an array
}

// Declare adds the declaration of a variable.
func (b *Body) Declare(l Local) {
	b.stmts = append(b.stmts, stmt{kind: localStmt, operands: uint32(len(b.locals))})
	b.locals = append(b.locals, l)
}

// DeclareParam adds the declaration of a call's parameter or result.
func (b *Body) DeclareParam(name Sym, typ Mod) {
	b.Declare(Local{Space: ParamSpace, Name: name, Type: typ})
}

// Open begins a scope, which ends the life of what is declared in it.
func (b *Body) Open() { b.stmts = append(b.stmts, stmt{kind: openStmt}) }

// Close ends the scope begun last.
func (b *Body) Close() { b.stmts = append(b.stmts, stmt{kind: closeStmt}) }
