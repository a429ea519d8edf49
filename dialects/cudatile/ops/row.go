package ops

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile/syntax"
	"github.com/tilewright/tilewright/ir"
)

// A Row is what OpDef.Ext holds in this dialect: what the table says about an operation beyond ir.OpDef.
type Row struct {
	// Group is the chapter of the specification.
	Group string
	// Relations say what operands, results and attributes have in common. The verifier checks them, and the parser
	// deduces from them the types that the text leaves out.
	Relations []Relation
}

// RowOf returns the row of one of the dialect's operations.
func RowOf(def *ir.OpDef) *Row { r, _ := def.Ext.(*Row); return r }

// A Relation says what the named operands, results or attributes have in common; absent ones do not count.
type Relation struct {
	Kind  RelationKind
	Names []string

	indexes []fieldIndex // of the names, if each stands for one operand or result
}

// A RelationKind is a property that values share.
type RelationKind uint8

// The kinds of relations.
const (
	SameType RelationKind = iota
	SameShape
	SameRank
	SameElementType
	// BoolShapedLike: the result is a tile of i1 of the shape that the named operands have.
	BoolShapedLike
	// PointsTo: the first is a tile of pointers of the second's shape to the second's element type.
	PointsTo
)

func (k RelationKind) String() string {
	return [...]string{"same_type", "same_shape", "same_rank", "same_element_type", "i1_result_shaped_like", "pointer_tile_matches"}[k]
}

func sameType(names ...string) Relation  { return Relation{Kind: SameType, Names: names} }
func sameShape(names ...string) Relation { return Relation{Kind: SameShape, Names: names} }
func sameRank(names ...string) Relation  { return Relation{Kind: SameRank, Names: names} }
func sameElem(names ...string) Relation  { return Relation{Kind: SameElementType, Names: names} }

// define says what a declared operation is.
func define(op *ir.OpDef, def ir.OpDef, group string, relations ...Relation) *ir.OpDef {
	row := &Row{Group: group, Relations: relations}
	def.Ext = row
	if len(relations) > 0 {
		def.VerifyTypes = row.verify
		for i := range relations {
			relations[i].indexes = fieldIndexes(&def, relations[i])
		}
	}
	if def.Print != nil {
		def.Print = syntax.Guarded(def.Print)
	}
	for _, list := range [][]ir.Field{def.Operands, def.Attrs, def.Results, def.Regions} {
		for i := range list {
			if list[i].Doc == "" {
				list[i].Doc = fieldDocs[list[i].Name]
			}
		}
	}
	return Dialect.Define(op, def)
}

func (r *Row) verify(op ir.Op) error {
	for i := range r.Relations {
		rel := &r.Relations[i]
		if rel.sameTypes(op) {
			continue
		}
		if err := rel.verify(op); err != nil {
			return err
		}
	}
	return nil
}

// The chapters of the specification.
const (
	groupFloat    = "Floating Point"
	groupInt      = "Integer"
	groupBits     = "Bitwise"
	groupCore     = "Core"
	groupControl  = "Control Flow"
	groupConvert  = "Conversions"
	groupMemory   = "Memory"
	groupViews    = "Views"
	groupAtomics  = "Atomics"
	groupMisc     = "Miscellaneous"
	groupMultimem = "Multimem"
	groupPreview  = "Preview"
)

// fields lists operands, results, attributes or regions of a row.
func fields(fs ...ir.Field) []ir.Field { return fs }

func one(name string, t ir.TypeConstraint) ir.Field { return ir.Field{Name: name, Type: t} }

func optional(name string, t ir.TypeConstraint) ir.Field {
	return ir.Field{Name: name, Type: t, Arity: ir.Optional}
}

func variadic(name string, t ir.TypeConstraint) ir.Field {
	return ir.Field{Name: name, Type: t, Arity: ir.Variadic}
}

func attr(name string, k *ir.AttrKind) ir.Field { return ir.Field{Name: name, Kind: k} }

func optAttr(name string, k *ir.AttrKind) ir.Field {
	return ir.Field{Name: name, Kind: k, Arity: ir.Optional}
}

func unit(name string) ir.Field { return optAttr(name, unitKind) }

func defAttr(name string, k *ir.AttrKind, def func(*ir.Context) ir.Attribute) ir.Field {
	return ir.Field{Name: name, Kind: k, Default: def}
}

// since marks a field that is newer than its operation.
func since(v ir.Version, f ir.Field) ir.Field { f.Since = v; return f }

// doc adds the text of the reference page to a field.
func doc(text string, f ir.Field) ir.Field { f.Doc = text; return f }

func result(t ir.TypeConstraint) []ir.Field { return fields(one("result", t)) }
func region(name string) []ir.Field         { return fields(ir.Field{Name: name}) }

// blocks says how many blocks a region has.
func blocks(n int, f ir.Field) ir.Field { f.Blocks = n; return f }

// A clause is an attribute of an elementwise operation with its place in the format.
type clause struct {
	field  ir.Field
	syntax string
}

// elementwiseOp is a row of the most common form: operands and result of one type, element by element.
type elementwiseOp struct {
	Group   string
	Summary string
	Doc     string
	Type    ir.TypeConstraint
	Args    string // names of the operands
	Clauses []clause
	Traits  ir.Traits
	Caps    []ir.CapImpl // when given, the row is not Pure
	Verify  func(op ir.Op) error
}

func elementwise(op *ir.OpDef, e elementwiseOp) *ir.OpDef {
	def := ir.OpDef{Summary: e.Summary, Doc: e.Doc, Verify: e.Verify, Traits: e.Traits,
		Results: result(e.Type), Caps: e.Caps}
	if e.Caps == nil {
		def.Traits |= ir.Pure
	}
	names := strings.Fields(e.Args)
	for _, n := range names {
		def.Operands = append(def.Operands, one(n, e.Type))
	}
	def.Syntax = "$" + strings.Join(names, " `,` $")
	for _, c := range e.Clauses {
		def.Attrs = append(def.Attrs, c.field)
		if c.syntax != "" {
			def.Syntax += " " + c.syntax
		}
	}
	names = append(names, "result")
	def.Syntax += " attr-dict `:` type($" + strings.Join(names, ", $") + ")"
	return define(op, def, e.Group, sameType(names...))
}
