package cudatiletesting

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// Priorities is an enum that got a case in 250.1.
var Priorities = &cudatile.Enum{Name: "BytecodeTestPriority", Mnemonic: "bytecode_test_priority", Desc: "test priority", Since: V250_0,
	Cases: []cudatile.EnumCase{{Keyword: "low"}, {Keyword: "normal"}, {Keyword: "high", Since: V250_1}}}

var priorityKind = &ir.AttrKind{Name: "enum " + Priorities.Name, Desc: "test priority attribute",
	Wire: wire.Form{Enc: wire.EncEnum, Enum: Priorities}, Check: func(a ir.Attribute) bool { _, ok := Priorities.ValueOf(a); return ok }}

// ValueAttr is an attribute that is new in 250.1.
type ValueAttr struct {
	ir.AttrBase
	Value int64
}

type valueKey int64

// Value returns #cuda_tile.bytecode_test_value<v>.
func Value(c *ir.Context, v int64) *ValueAttr {
	return ir.UniqueAttr(c, ops.Dialect, valueKey(v), func() *ValueAttr { return &ValueAttr{Value: v} })
}

// PrintAttr implements ir.Attribute.
func (a *ValueAttr) PrintAttr(p ir.AsmPrinter) {
	p.Str(valueMnemonic + "<")
	p.Int(a.Value)
	p.Str(">")
}

const valueMnemonic = "bytecode_test_value"

// testTag is the tag of the attribute and of the type.
const testTag = 200

func isValue(a ir.Attribute) bool { _, ok := a.(*ValueAttr); return ok }

var (
	valueKind = &ir.AttrKind{Name: valueMnemonic, Desc: "testing attribute", Check: isValue, Wire: wire.Form{Enc: wire.EncTagged}}
	valueRow  = wire.AttrRow{Tag: testTag, Name: "BytecodeTestValue", Since: V250_1, Is: isValue,
		Fields: []wire.Field{{Name: "value", Form: wire.Form{Enc: wire.EncSignedVarint}}},
		Split:  func(a ir.Attribute) []int64 { return []int64{a.(*ValueAttr).Value} },
		Make:   func(c *ir.Context, parts []int64) ir.Attribute { return Value(c, parts[0]) }}
)

func parseAttr(p ir.AsmParser, mnemonic string) ir.Attribute {
	switch mnemonic {
	case valueMnemonic:
		return parseValue(p)
	case Priorities.Mnemonic:
		return parsePriority(p)
	}
	return nil
}

// parseValue parses "<7>".
func parseValue(p ir.AsmParser) ir.Attribute {
	p.Expect("<")
	v := p.Integer()
	p.Expect(">")
	if p.Failed() {
		return nil
	}
	return Value(p.Context(), v)
}

// parsePriority parses "<low>".
func parsePriority(p ir.AsmParser) ir.Attribute {
	p.Expect("<")
	v, ok := keywordOf(p, Priorities)
	p.Expect(">")
	if !ok || p.Failed() {
		return nil
	}
	return Priorities.Attr(p.Context(), v)
}

// keywordOf parses a keyword of e.
func keywordOf(p ir.AsmParser, e *cudatile.Enum) (value uint32, ok bool) {
	pos := p.Pos()
	keyword := p.Keyword()
	value, ok = e.Lookup(keyword)
	if !ok {
		p.ErrorAt(pos, "expected %s to be one of: %s, but got '%s'", e.Desc, strings.Join(e.Keywords(), ", "), keyword)
	}
	return value, ok
}
