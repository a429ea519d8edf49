package ir

import (
	"fmt"
	"slices"
)

// A Dialect is a named set of operations, types and attributes.
type Dialect struct {
	// Name is the prefix of everything in the dialect, as in "cuda_tile.addf".
	Name string
	// Doc is the text of the dialect's reference page.
	Doc string
	// Depends lists dialects whose operations, types or attributes this dialect's own refer to.
	Depends []*Dialect

	// Types and Attrs describe the types and attributes that ParseType and ParseAttr know.
	Types, Attrs []DataDef
	// ParseType parses the type "!Name.mnemonic..."; the mnemonic has been read. Nil: no types.
	ParseType func(p AsmParser, mnemonic string) Type
	// ParseAttr parses the attribute "#Name.mnemonic..."; the mnemonic has been read. Nil: no attributes.
	ParseAttr func(p AsmParser, mnemonic string) Attribute
	// ShortTypes says that the custom syntax of this dialect's operations spells its types without "!Name.".
	ShortTypes bool
	// AttrAlias proposes an alias name ("di_file" for "#di_file = ...") for an attribute of the dialect; "" for none.
	AttrAlias func(a Attribute) string
	// Directives are the pieces of syntax that the declarative formats of the dialect name.
	Directives map[string]Directive
	// VerifyAttr checks an attribute of this dialect found in the discardable dictionary of an operation.
	VerifyAttr func(op Op, name string, a Attribute) error
	// Materialize builds a constant operation for a folded value, or returns a zero Op. A nil location stands for the
	// builder's.
	Materialize func(b *Builder, value Attribute, t Type, loc Location) Op

	// FormerAttrs maps names that attributes of the dialect's operations had before to the present ones. For one
	// release, text that has them is read.
	FormerAttrs map[string]string

	ops    []*OpDef
	byName map[string]*OpDef
}

// OpensNamespace reports whether operations in the regions of the dialect's operations need no prefix if they are of
// that dialect.
func (d *Dialect) OpensNamespace() bool { return d != nil && (d.ShortTypes || d.Name == "builtin") }

// A Directive is a piece of syntax that a declarative format refers to as custom<Name>($field, ...): it spells
// attributes, which Parse adds to the state, or regions.
type Directive struct {
	Parse func(p AsmParser, st *OpState, fields []string)
	Print func(p AsmPrinter, op Op, fields []string)
}

// Op adds an operation's row to the dialect and returns it. It is for package-level variables, so a faulty row panics
// at start-up.
func (d *Dialect) Op(def OpDef) *OpDef {
	return d.Define(d.Declare(def.Name, def.Opcode, def.Since), def)
}

// Declare returns a row of which only the name and the serialised form are known. Define says the rest.
//
//	If := D.Declare("if", 0x32, v1)                  named by the verifier of break
//	D.Define(If, OpDef{Verify: verifyIf, ...})       names the verifier of if
//
// So a package of hooks can name rows whose definitions, in another package, name the hooks.
func (d *Dialect) Declare(name string, opcode uint32, since Version) *OpDef {
	row := &OpDef{Name: name, Dialect: d, Opcode: opcode, Since: since, declared: true}
	row.fullName = row.FullName()
	registered.add(row)
	if d.byName == nil {
		d.byName = make(map[string]*OpDef)
	}
	if d.byName[name] != nil {
		panic(fmt.Sprintf("ir: operation %q is defined twice", row.FullName()))
	}
	d.byName[name] = row
	return row
}

// Define completes a row that Declare made and returns it. The definition need not repeat the name and the serialised
// form.
func (d *Dialect) Define(row *OpDef, def OpDef) *OpDef {
	if !row.declared {
		panic(fmt.Sprintf("ir: operation %q is defined twice", row.FullName()))
	}
	def.Name, def.Dialect, def.Opcode, def.Since, def.num = row.Name, d, row.Opcode, row.Since, row.num
	def.fullName, def.capTable = "", slices.Clone(def.capTable)
	*row = def
	row.init()
	d.ops = append(d.ops, row)
	return row
}

// newRow returns a copy of a row that is ready for use. The row may be a copy of one that is in use.
func (d *Dialect) newRow(def OpDef) *OpDef {
	row := &def
	row.Dialect = d
	row.fullName, row.capTable = "", slices.Clone(def.capTable)
	row.init()
	registered.add(row)
	return row
}

// Ops returns the rows of the dialect in the order of their definition.
func (d *Dialect) Ops() []*OpDef { return d.ops }

// Lookup returns the row of that name (without the dialect's prefix), or nil.
func (d *Dialect) Lookup(name string) *OpDef { return d.byName[name] }

// Arity says how many operands, results or regions a field stands for.
type Arity uint8

// The arities.
const (
	One Arity = iota
	Optional
	Variadic
)

func (a Arity) String() string { return [...]string{"one", "optional", "variadic"}[a] }

// A TypeConstraint is a set of types with the words that diagnostics describe it by.
type TypeConstraint struct {
	Desc  string // completes "operand #0 must be ..."
	Check func(Type) bool
	// Only, when set, returns the one type that the constraint admits, so that declarative formats need not spell it.
	Only func(*Context) Type
}

// AnyType admits every type.
var AnyType = TypeConstraint{Desc: "any type", Check: func(Type) bool { return true }}

// An AttrKind is a kind of attribute: what it admits, and how a declarative format spells it.
type AttrKind struct {
	Name string // "rounding_mode", "i64 array": for reference pages and formats
	Desc string // completes "failed to satisfy constraint: ..."
	// Check reports whether the attribute is of this kind.
	Check func(Attribute) bool
	// Canonical returns the form in which operations hold an attribute that has several forms, such as an enum that
	// the text spells as a number. It returns the attribute itself when it is not of this kind. Nil: there is one form
	// only.
	Canonical func(Attribute) Attribute
	// Same reports whether two attributes of this kind that are not identical mean the same; nil: no two do.
	Same func(a, b Attribute) bool
	// Parse and Print spell the attribute in a declarative format; nil: as a plain attribute.
	Parse func(p AsmParser) Attribute
	Print func(p AsmPrinter, a Attribute)
	// Wire describes the serialised form to the container that has one (package bytecode); nil: none.
	Wire any
}

// A Field is an operand, attribute, result or region of an operation's row.
type Field struct {
	Name string
	Doc  string
	// Type constrains an operand or result.
	Type TypeConstraint
	// Arity is how many operands, results or regions the field stands for; an attribute is One (required) or Optional.
	Arity Arity
	// Since is the first version whose serialised form has the field.
	Since Version
	// Blocks is how many blocks a region must have; 0: any number.
	Blocks int
	// Kind and Default describe an attribute: Default (nil: none) is what an absent attribute means, and what an older
	// serialised form stands for.
	Kind    *AttrKind
	Default func(*Context) Attribute
}

// Traits are structural properties that the verifier and generic passes rely on.
type Traits uint64

// The traits. Those about types hold for operands and results of the op's tiles or tensors as MLIR defines them.
const (
	Terminator                       Traits = 1 << iota // ends its block
	IsolatedFromAbove                                   // its regions use no values from outside
	SymbolTable                                         // its single region defines symbols
	Symbol                                              // has a sym_name attribute and stands in a SymbolTable
	SingleBlock                                         // every region has at most one block
	NoTerminator                                        // blocks of its regions need no terminator
	GraphRegion                                         // order in its regions does not matter
	Commutative                                         // operands may be swapped
	ConstantLike                                        // folds to its "value" attribute
	Pure                                                // no memory effects and no undefined behaviour: may be moved, merged and erased
	SameOperandsAndResultType                           // all operands and results have one type
	SameOperandsShape                                   // all operands have one shape
	SameOperandsAndResultShape                          // all operands and results have one shape
	SameOperandsAndResultElementType                    // the elements of all operands and results have one type
	AttrSizedOperandSegments                            // operandSegmentSizes says how many operands each field has
	AttrSizedResultSegments                             // likewise resultSegmentSizes
	RecursiveEffects                                    // has the memory effects of the operations in its regions (and those of the capability MemoryEffects)
)

// Has reports whether all traits of u are in t.
func (t Traits) Has(u Traits) bool { return t&u == u }

// An OpDef is the row that defines an operation. It is immutable once added to a dialect.
type OpDef struct {
	// Name is the name without the dialect's prefix (for an unregistered operation: with it).
	Name string
	// Formerly lists names that the operation had before. For one release, text that has them is read.
	Formerly []string
	Dialect  *Dialect
	Summary  string
	Doc      string

	// Opcode and Since describe the serialised form of the operation; a zero Since means that it has none.
	Opcode uint32
	Since  Version

	Operands []Field
	Attrs    []Field
	Results  []Field
	Regions  []Field
	// Successors is how many successor blocks the op has; -1: any number.
	Successors int
	Traits     Traits
	// Parents lists the full names of the operations that may directly contain the op; empty: any.
	Parents []string
	// StandsFor is an operation whose place this one may take where rows and hooks ask what an operation is in; nil:
	// none.
	StandsFor *OpDef

	// Syntax is the declarative assembly format (see package asm); Parse and Print replace it where it does not
	// suffice. With neither, the op has only the generic form.
	Syntax string
	Parse  func(p AsmParser, st *OpState)
	Print  func(p AsmPrinter, op Op)

	// InferTypes computes the result types from everything else in the state; nil: they must be given.
	InferTypes func(st *OpState) ([]Type, error)
	// VerifyTypes checks how the types of operands and results depend on each other; it runs after the constraints of
	// fields and before the traits.
	VerifyTypes func(op Op) error
	// Verify checks what the row cannot say; it runs after the checks that the row implies.
	Verify func(op Op) error
	// VerifyRegions checks what needs the ops inside to be verified first.
	VerifyRegions func(op Op) error
	// Fold returns what the results are, given the operands that are constant (nil where not); nil when it cannot tell.
	Fold func(op Op, operands []Attribute) []FoldResult
	// ResultNames proposes names for the results, as "tview" in %tview; ArgNames for block arguments of its regions.
	ResultNames func(op Op, name func(v Value, hint string))
	ArgNames    func(op Op, name func(v Value, hint string))

	Caps []CapImpl
	// Ext holds what a dialect's own tools keep with the row.
	Ext any

	// Unregistered marks the stand-in for an operation of which nothing is known.
	Unregistered bool

	declared bool // and not defined
	num      uint32
	fullName string
	plain    bool // see scope.plain
	capTable []any
	attrs    []string // names of Attrs, close together
	segSlot  int      // attribute slot of operandSegmentSizes, or -1
	resSlot  int      // attribute slot of resultSegmentSizes, or -1
}

// A FoldResult is a folded result: a constant or an existing value.
type FoldResult struct {
	Attr  Attribute
	Value Value
}

// SegmentSizes is the attribute kind of operandSegmentSizes and resultSegmentSizes.
var SegmentSizes = &AttrKind{
	Name: "segment sizes", Desc: "i32 dense array attribute",
	Check: func(a Attribute) bool {
		d, ok := a.(*DenseArrayAttr)
		return ok && BitWidth(d.Elem) == 32
	},
}

// Names of the attributes that say how operands and results are divided among fields.
const (
	OperandSegmentSizes = "operandSegmentSizes"
	ResultSegmentSizes  = "resultSegmentSizes"
)

func (def *OpDef) init() {
	def.segSlot, def.resSlot = -1, -1
	// Rows share backing arrays when they are made from a common base; appending must not write into it.
	def.Attrs = append([]Field(nil), def.Attrs...)
	if def.Traits.Has(AttrSizedOperandSegments) {
		def.segSlot = len(def.Attrs)
		def.Attrs = append(def.Attrs, Field{Name: OperandSegmentSizes, Kind: SegmentSizes,
			Doc: "number of operands of each operand field"})
	}
	if def.Traits.Has(AttrSizedResultSegments) {
		def.resSlot = len(def.Attrs)
		def.Attrs = append(def.Attrs, Field{Name: ResultSegmentSizes, Kind: SegmentSizes,
			Doc: "number of results of each result field"})
	}
	def.attrs = make([]string, len(def.Attrs))
	for i, a := range def.Attrs {
		if a.Kind == nil {
			panic(fmt.Sprintf("ir: attribute %q of %q has no kind", a.Name, def.FullName()))
		}
		def.attrs[i] = a.Name
	}
	def.fullName = def.FullName()
	def.plain = def.isPlain()
	def.Attach(def.Caps...)
}

// Attach adds capabilities to a row, in an init function. The row's own package needs it if an implementation refers
// to rows of the dialect, since a row cannot refer to itself. So does a package that declares a capability and knows
// the operations that have it.
func (def *OpDef) Attach(caps ...CapImpl) {
	for _, c := range caps {
		def.capTable = append(def.capTable, make([]any, max(0, c.slot+1-len(def.capTable)))...)
		def.capTable[c.slot] = c.impl
	}
}

// FullName returns the name with the dialect's prefix.
func (def *OpDef) FullName() string {
	switch {
	case def.fullName != "":
		return def.fullName
	case def.Dialect == nil:
		return def.Name
	}
	return def.Dialect.Name + "." + def.Name
}

// Is reports whether the op is an operation of this row.
func (def *OpDef) Is(op Op) bool { return !op.IsNil() && op.rec().def == def.num }

// AttrSlot returns the position of an inherent attribute, or -1. Op.AttrAt reads it without a search.
func (def *OpDef) AttrSlot(name string) int {
	if len(def.Attrs) <= 8 { // a search is faster than a hash
		return fieldIndex(def.Attrs, name)
	}
	for i, n := range def.attrs {
		if n == name {
			return i
		}
	}
	return -1
}

// OperandField returns the position of an operand field, or -1.
func (def *OpDef) OperandField(name string) int { return fieldIndex(def.Operands, name) }

// ResultField returns the position of a result field, or -1.
func (def *OpDef) ResultField(name string) int { return fieldIndex(def.Results, name) }

func fieldIndex(fields []Field, name string) int {
	for i := range fields {
		if fields[i].Name == name {
			return i
		}
	}
	return -1
}

// HasTrait reports whether the row has all the given traits.
func (def *OpDef) HasTrait(t Traits) bool { return def.Traits.Has(t) }
