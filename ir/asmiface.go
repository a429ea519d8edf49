package ir

// AsmPrinter is what hooks print with. Package asm implements it.
type AsmPrinter interface {
	Context() *Context
	// Str writes text as it is; Int a decimal number; Quoted a string in quotes with escapes.
	Str(s string)
	Int(v int64)
	Quoted(s string)
	// Newline ends the line and indents the next one; Indent changes the depth.
	Newline()
	Indent(by int)

	// Type prints a type (with aliases; short where the operation's dialect prints short types); Types a
	// comma-separated list.
	Type(t Type)
	Types(ts []Type)
	// Attr prints an attribute with its type; AttrNoType without; AttrDict {a = 1 : i32, b}.
	Attr(a Attribute)
	AttrNoType(a Attribute)
	AttrDict(entries []NamedAttr)
	// OptAttrDict prints the discardable attributes and those inherent ones that are not in elided, with a leading
	// blank; nothing when there are none. With keyword it prints "attributes" first.
	OptAttrDict(op Op, keyword bool, elided ...string)
	IntegerAttr(a *IntegerAttr, withType bool)
	FloatBits(t *FloatType, bits uint64)
	DenseElements(a *DenseElementsAttr)
	Symbol(name string)
	// LocBody prints what stands inside loc(...); Loc a trailing " loc(...)" when locations are printed.
	LocBody(l Location)
	Loc(l Location)

	// Operand prints %name; Operands a comma-separated list; OperandsTyped "%a : t, ..." lists are up to the hook.
	Operand(v Value)
	Operands(vs []Value)
	Successor(b Block)
	// Region prints { ... }. The entry block's arguments are printed when printArgs is set; an implicit terminator is
	// left out when printTerminator is not set.
	Region(r Region, printArgs, printTerminator bool)
	// BlockArg prints "%name: type" of an argument that the hook spells itself.
	BlockArg(v Value)
}

// A Pos is a position in the text, for errors.
type Pos int

// An OperandRef is an operand as written, before its type is known.
type OperandRef struct {
	Pos    Pos
	Name   string
	Number int // of %name#number
}

// An Argument is a region argument as written.
type Argument struct {
	OperandRef
	Type Type
	Loc  Location
}

// AsmParser is what hooks parse with; package asm implements it. Errors are sticky: after the first error every method
// returns a zero value at once, and optional ones report absence. So a hook needs no checks of its own except to bound
// its loops. A loop that runs while an optional token is present ends by itself.
type AsmParser interface {
	Context() *Context
	// Failed reports whether an error was reported.
	Failed() bool
	// Pos returns the position of the next token. Errorf reports an error there, ErrorAt elsewhere.
	Pos() Pos
	Errorf(format string, args ...any)
	ErrorAt(pos Pos, format string, args ...any)
	// Also reports an error besides the one that must follow.
	Also(pos Pos, format string, args ...any)
	// LocAt returns the location for a position.
	LocAt(pos Pos) Location

	// Expect consumes the punctuation tok ("<", "->", "..."), Opt does if it is next, Peek only looks.
	Expect(tok string)
	Opt(tok string) bool
	Peek(tok string) bool
	// Keyword consumes a bare identifier; ExpectKeyword, OptKeyword a given one; PeekKeyword returns the next one or
	// "".
	Keyword() string
	ExpectKeyword(kw string)
	OptKeyword(kw string) bool
	PeekKeyword() string
	// Integer consumes a decimal or hexadecimal integer with optional minus sign that fits int64 or uint64 (returned
	// wrapped).
	Integer() int64
	OptInteger() (int64, bool)
	// Quoted consumes a string.
	Quoted() string
	OptQuoted() (string, bool)
	// CommaList calls item for each element between open and close ("" and "": an unbracketed list of at least one).
	CommaList(open, close string, item func())
	// DimList consumes "2x4x" up to the element type; -1 stands for ?, which only dynamic admits.
	DimList(dynamic bool) []int64
	// OptRepeat consumes "3 x " where a bracket follows, as in 3 x [4xf32].
	OptRepeat() (n int64, ok bool)

	Type() Type
	// TypeList consumes types separated by commas, at least one; FuncType "(types) -> types".
	TypeList() []Type
	FuncType() *FunctionType
	// Attr consumes an attribute; t, when not nil, is the type that a number without one has.
	Attr(t Type) Attribute
	// OptAttrDict consumes {..} if present; with keyword only after "attributes".
	OptAttrDict(keyword bool) []NamedAttr
	// Number consumes a number literal (decimal, float, hex) for an element of type t and returns its bit pattern.
	Number(t Type) uint64
	// DenseLiteral consumes a number or nested bracketed lists for the elements of shape x elem; see
	// DenseElementsAttr for the bytes.
	DenseLiteral(t Type, shape []int64, elem Type) *DenseElementsAttr
	Symbol() string
	OptSymbol() (string, bool)
	Location() Location // loc(...)
	OptLocation() Location
	LocBody() Location // what stands inside loc(...)

	// Operand consumes %name; Operands a comma-separated list of any length (none if the next token is not %).
	Operand() OperandRef
	OptOperand() (OperandRef, bool)
	Operands() []OperandRef
	// Resolve returns the value that was written, which must have type t.
	Resolve(o OperandRef, t Type) Value
	ResolveAll(os []OperandRef, ts []Type, pos Pos) []Value
	Successor() Block
	// Argument consumes "%name: type" (withType) or "%name".
	Argument(withType bool) Argument
	// Region consumes { ... } into r, whose entry block gets the given arguments.
	Region(r Region, args []Argument)
}
