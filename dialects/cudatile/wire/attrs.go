package wire

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// An AttrRow is a kind of self-contained attribute: one that is stored with a tag that says what it is.
type AttrRow struct {
	Tag    uint32
	Name   string
	Since  ir.Version
	Fields []Field
	// Is reports whether a is of this row.
	Is func(a ir.Attribute) bool
	// Split and Make take the attribute of an extension apart and put it together; those of the dialect itself need
	// none. Every field of such a row is an EncSignedVarint.
	Split func(a ir.Attribute) []int64
	Make  func(c *ir.Context, parts []int64) ir.Attribute
}

func attrRow(tag uint32, name string, since ir.Version, fields []Field, is func(ir.Attribute) bool) AttrRow {
	return AttrRow{Tag: tag, Name: name, Since: since, Fields: fields, Is: is}
}

func isAttr[A ir.Attribute](a ir.Attribute) bool { _, ok := a.(A); return ok }

func isBool(a ir.Attribute) bool {
	i, ok := a.(*ir.IntegerAttr)
	return ok && ir.BitWidth(i.Type()) == 1
}

// The tags of self-contained attributes.
const (
	TagInteger               = 1
	TagFloat                 = 2
	TagBool                  = 3
	TagType                  = 4
	TagString                = 5
	TagArray                 = 6
	TagDense                 = 7
	TagDivBy                 = 8
	TagSameElements          = 9
	TagDictionary            = 10
	TagOptimizationHints     = 11
	TagBounded               = 12
	TagMultimemReductionKind = 13
)

// AttrRows lists the self-contained attributes, by tag. An i1 is written as Bool and read from both.
var AttrRows = []AttrRow{
	attrRow(TagInteger, "Integer", cudatile.V13_1, []Field{wf("type", EncType), wf("value", EncIntBits)},
		func(a ir.Attribute) bool { return isAttr[*ir.IntegerAttr](a) && !isBool(a) }),
	attrRow(TagFloat, "Float", cudatile.V13_1, []Field{wf("type", EncType), wf("bits", EncFloatBits)}, isAttr[*ir.FloatAttr]),
	attrRow(TagBool, "Bool", cudatile.V13_1, []Field{wf("value", EncBool)}, isBool),
	attrRow(TagType, "Type", cudatile.V13_1, []Field{wf("type", EncType)}, isAttr[*ir.TypeAttr]),
	attrRow(TagString, "String", cudatile.V13_1, []Field{wf("string", EncString)}, isAttr[*ir.StringAttr]),
	attrRow(TagArray, "Array", cudatile.V13_1, []Field{wf("count", EncVarint), wf("elements", EncAttrs)}, isAttr[*ir.ArrayAttr]),
	attrRow(TagDense, "DenseElements", cudatile.V13_1, []Field{wf("type", EncType), wf("constant", EncConstant)}, isAttr[*ir.DenseElementsAttr]),
	attrRow(TagDivBy, "DivBy", cudatile.V13_1, []Field{wf("divisor", EncVarint), wf("flags", EncByte), ifFlag(0, wf("every", EncSignedVarint)),
		ifFlag(1, wf("along", EncSignedVarint))}, isAttr[*cudatile.DivByAttr]),
	attrRow(TagSameElements, "SameElements", cudatile.V13_1, []Field{wf("values", EncI64Array)}, isAttr[*cudatile.SameElementsAttr]),
	attrRow(TagDictionary, "Dictionary", cudatile.V13_1, []Field{wf("count", EncVarint), wf("entries", EncEntries)}, isAttr[*ir.DictAttr]),
	attrRow(TagOptimizationHints, "OptimizationHints", cudatile.V13_1, []Field{wf("count", EncVarint), wf("entries", EncEntries)}, isAttr[*cudatile.HintsAttr]),
	attrRow(TagBounded, "Bounded", cudatile.V13_1, []Field{wf("flags", EncByte), ifFlag(0, wf("lb", EncSignedVarint)),
		ifFlag(1, wf("ub", EncSignedVarint))}, isAttr[*cudatile.BoundedAttr]),
	attrRow(TagMultimemReductionKind, "MultimemReductionKind", cudatile.V13_5, []Field{enumField("value", cudatile.MultimemReductions)},
		func(a ir.Attribute) bool {
			e, ok := a.(*cudatile.EnumAttr)
			return ok && e.Enum == cudatile.MultimemReductions
		}),
}

// The tags of debug attributes. Every other tag is read as the unknown location.
const (
	TagUnknownLoc     = 0
	TagDICompileUnit  = 1
	TagDIFile         = 2
	TagDILexicalBlock = 3
	TagDILoc          = 4
	TagDISubprogram   = 5
	TagCallSite       = 6
)

// DebugRows lists the debug attributes, by tag.
var DebugRows = []AttrRow{
	attrRow(TagUnknownLoc, "Unknown", cudatile.V13_1, nil, isAttr[*ir.UnknownLoc]),
	attrRow(TagDICompileUnit, "DICompileUnit", cudatile.V13_1, []Field{wf("file", EncDebug)}, isAttr[*cudatile.DICompileUnitAttr]),
	attrRow(TagDIFile, "DIFile", cudatile.V13_1, []Field{wf("name", EncString), wf("directory", EncString)}, isAttr[*cudatile.DIFileAttr]),
	attrRow(TagDILexicalBlock, "DILexicalBlock", cudatile.V13_1, []Field{wf("scope", EncDebug), wf("file", EncDebug), wf("line", EncVarint),
		wf("column", EncVarint)}, isAttr[*cudatile.DILexicalBlockAttr]),
	attrRow(TagDILoc, "DILoc", cudatile.V13_1, []Field{wf("scope", EncDebug), wf("filename", EncString), wf("line", EncVarint),
		wf("column", EncVarint)}, isAttr[*cudatile.DILocAttr]),
	attrRow(TagDISubprogram, "DISubprogram", cudatile.V13_1, []Field{wf("file", EncDebug), wf("line", EncVarint), wf("name", EncString),
		wf("linkage_name", EncString), wf("compile_unit", EncDebug), wf("scope_line", EncVarint), from(cudatile.V13_5, wf("flags", EncVarint))},
		isAttr[*cudatile.DISubprogramAttr]),
	attrRow(TagCallSite, "CallSite", cudatile.V13_1, []Field{wf("callee", EncDebug), wf("caller", EncDebug)}, isAttr[*ir.CallSiteLoc]),
}
