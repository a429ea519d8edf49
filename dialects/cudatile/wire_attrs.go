package cudatile

import "github.com/tilewright/tilewright/ir"

// An AttrRow is a kind of self-contained attribute: one that is stored with a tag that says what it is.
type AttrRow struct {
	Tag    uint32
	Name   string
	Since  ir.Version
	Fields []WireField
	// Is reports whether a is of this row.
	Is func(a ir.Attribute) bool
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
	{TagInteger, "Integer", V13_1, []WireField{wf("type", EncType), wf("value", EncIntBits)},
		func(a ir.Attribute) bool { return isAttr[*ir.IntegerAttr](a) && !isBool(a) }},
	{TagFloat, "Float", V13_1, []WireField{wf("type", EncType), wf("bits", EncFloatBits)}, isAttr[*ir.FloatAttr]},
	{TagBool, "Bool", V13_1, []WireField{wf("value", EncBool)}, isBool},
	{TagType, "Type", V13_1, []WireField{wf("type", EncType)}, isAttr[*ir.TypeAttr]},
	{TagString, "String", V13_1, []WireField{wf("string", EncString)}, isAttr[*ir.StringAttr]},
	{TagArray, "Array", V13_1, []WireField{wf("count", EncVarint), wf("elements", EncAttrs)}, isAttr[*ir.ArrayAttr]},
	{TagDense, "DenseElements", V13_1, []WireField{wf("type", EncType), wf("constant", EncConstant)}, isAttr[*ir.DenseElementsAttr]},
	{TagDivBy, "DivBy", V13_1, []WireField{wf("divisor", EncVarint), wf("flags", EncByte), ifFlag(0, wf("every", EncSignedVarint)),
		ifFlag(1, wf("along", EncSignedVarint))}, isAttr[*DivByAttr]},
	{TagSameElements, "SameElements", V13_1, []WireField{wf("values", EncI64Array)}, isAttr[*SameElementsAttr]},
	{TagDictionary, "Dictionary", V13_1, []WireField{wf("count", EncVarint), wf("entries", EncEntries)}, isAttr[*ir.DictAttr]},
	{TagOptimizationHints, "OptimizationHints", V13_1, []WireField{wf("count", EncVarint), wf("entries", EncEntries)}, isAttr[*HintsAttr]},
	{TagBounded, "Bounded", V13_1, []WireField{wf("flags", EncByte), ifFlag(0, wf("lb", EncSignedVarint)),
		ifFlag(1, wf("ub", EncSignedVarint))}, isAttr[*BoundedAttr]},
	{TagMultimemReductionKind, "MultimemReductionKind", V13_5, []WireField{enumField("value", MultimemReductions)},
		func(a ir.Attribute) bool { e, ok := a.(*EnumAttr); return ok && e.Enum == MultimemReductions }},
}

// AttrRowOf returns the row of a self-contained attribute, or nil when it has none.
func AttrRowOf(a ir.Attribute) *AttrRow {
	for i := range AttrRows {
		if AttrRows[i].Is(a) {
			return &AttrRows[i]
		}
	}
	return nil
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
	{TagUnknownLoc, "Unknown", V13_1, nil, isAttr[*ir.UnknownLoc]},
	{TagDICompileUnit, "DICompileUnit", V13_1, []WireField{wf("file", EncDebug)}, isAttr[*DICompileUnitAttr]},
	{TagDIFile, "DIFile", V13_1, []WireField{wf("name", EncString), wf("directory", EncString)}, isAttr[*DIFileAttr]},
	{TagDILexicalBlock, "DILexicalBlock", V13_1, []WireField{wf("scope", EncDebug), wf("file", EncDebug), wf("line", EncVarint),
		wf("column", EncVarint)}, isAttr[*DILexicalBlockAttr]},
	{TagDILoc, "DILoc", V13_1, []WireField{wf("scope", EncDebug), wf("filename", EncString), wf("line", EncVarint),
		wf("column", EncVarint)}, isAttr[*DILocAttr]},
	{TagDISubprogram, "DISubprogram", V13_1, []WireField{wf("file", EncDebug), wf("line", EncVarint), wf("name", EncString),
		wf("linkage_name", EncString), wf("compile_unit", EncDebug), wf("scope_line", EncVarint), from(V13_5, wf("flags", EncVarint))},
		isAttr[*DISubprogramAttr]},
	{TagCallSite, "CallSite", V13_1, []WireField{wf("callee", EncDebug), wf("caller", EncDebug)}, isAttr[*ir.CallSiteLoc]},
}
