package asm

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// A formatCompiler reads a format and works out where blanks go.
type formatCompiler struct {
	def *ir.OpDef
	src string
	pos int

	seenOperand, seenRegion       []bool
	typedOperand, typedResult     []bool
	bound                         []bool
	attrDict, operands, successor bool
	regions                       bool

	// Whether the next element wants a blank before it, and whether the last was punctuation.
	wantSpace, punctuation bool
}

func compile(def *ir.OpDef) (*format, error) {
	c := &formatCompiler{
		def: def, src: def.Syntax, wantSpace: true,
		seenOperand: make([]bool, len(def.Operands)), seenRegion: make([]bool, len(def.Regions)),
		typedOperand: make([]bool, len(def.Operands)), typedResult: make([]bool, len(def.Results)),
		bound: make([]bool, len(def.Attrs)),
	}
	elements, err := c.list(false)
	if err != nil {
		return nil, fmt.Errorf("offset %d: %w", c.pos, err)
	}
	f := &format{def: def, elements: elements, bound: c.bound}
	if err := c.finish(f); err != nil {
		return nil, err
	}
	return f, nil
}

// finish checks that the format says everything that an operation needs.
func (c *formatCompiler) finish(f *format) error {
	if !c.attrDict {
		return fmt.Errorf("'attr-dict' is missing")
	}
	for i, field := range c.def.Operands {
		if !c.seenOperand[i] && !c.operands {
			return fmt.Errorf("operand '%s' is missing", field.Name)
		}
	}
	for i, field := range c.def.Regions {
		if !c.seenRegion[i] && !c.regions {
			return fmt.Errorf("region '%s' is missing", field.Name)
		}
	}
	if c.def.Successors != 0 && !c.successor {
		return fmt.Errorf("'successors' is missing")
	}
	for _, name := range []string{ir.OperandSegmentSizes, ir.ResultSegmentSizes} {
		if slot := c.def.AttrSlot(name); slot >= 0 {
			c.bound[slot] = true
		}
	}
	for i, field := range c.def.Attrs {
		if c.bound[i] {
			f.elided = append(f.elided, field.Name)
		}
	}
	return c.typeSources(f)
}

// typeSources decides where types come from that are not spelled.
func (c *formatCompiler) typeSources(f *format) error {
	same := c.def.Traits.Has(ir.SameOperandsAndResultType) && (anyTrue(c.typedOperand) || anyTrue(c.typedResult))
	for i, field := range c.def.Operands {
		source := spelled
		switch {
		case c.typedOperand[i]:
		case field.Type.Only != nil:
			source = onlyType
		case same:
			source = sameType
		default:
			return fmt.Errorf("the type of operand '%s' is not known", field.Name)
		}
		f.operandTypes = append(f.operandTypes, source)
	}
	for i, field := range c.def.Results {
		source := spelled
		switch {
		case c.typedResult[i]:
		case c.def.InferTypes != nil && !anyTrue(c.typedResult):
			source = inferred
		case field.Type.Only != nil && field.Arity == ir.One:
			source = onlyType
		case same && field.Arity == ir.One:
			source = sameType
		default:
			return fmt.Errorf("the type of result '%s' is not known", field.Name)
		}
		f.resultTypes = append(f.resultTypes, source)
	}
	return nil
}

func anyTrue(list []bool) bool {
	for _, b := range list {
		if b {
			return true
		}
	}
	return false
}

func (c *formatCompiler) skip() {
	for c.pos < len(c.src) && charClass[c.src[c.pos]]&classSpace != 0 {
		c.pos++
	}
}

// opt consumes text if it stands next.
func (c *formatCompiler) opt(text string) bool {
	c.skip()
	if !strings.HasPrefix(c.src[c.pos:], text) {
		return false
	}
	c.pos += len(text)
	return true
}

func (c *formatCompiler) expect(text string) error {
	if !c.opt(text) {
		return fmt.Errorf("expected '%s'", text)
	}
	return nil
}

// word consumes a name with dashes.
func (c *formatCompiler) word() string {
	c.skip()
	start := c.pos
	for c.pos < len(c.src) && (charClass[c.src[c.pos]]&classSuffix != 0 && c.src[c.pos] != '$') {
		c.pos++
	}
	return c.src[start:c.pos]
}

// list reads elements to the end, or inside a group to its closing parenthesis.
func (c *formatCompiler) list(inGroup bool) ([]element, error) {
	var out []element
	for {
		c.skip()
		if c.pos == len(c.src) {
			if inGroup {
				return nil, fmt.Errorf("expected ')' to close a group")
			}
			return out, nil
		}
		if inGroup && c.opt(")") {
			return out, nil
		}
		e, err := c.element(inGroup)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
}

func (c *formatCompiler) element(inGroup bool) (element, error) {
	switch c.src[c.pos] {
	case '`':
		return c.literal()
	case '$':
		return c.variable(inGroup)
	case '(':
		if inGroup {
			return element{}, fmt.Errorf("groups do not nest")
		}
		return c.group()
	}
	return c.directive()
}

func (c *formatCompiler) literal() (element, error) {
	end := strings.IndexByte(c.src[c.pos+1:], '`')
	if end < 0 {
		return element{}, fmt.Errorf("expected '`' to close a literal")
	}
	text := c.src[c.pos+1 : c.pos+1+end]
	c.pos += end + 2
	switch text {
	case "":
		c.wantSpace, c.punctuation = false, true
		return element{kind: elemSpace}, nil
	case " ":
		c.wantSpace, c.punctuation = false, false
		return element{kind: elemSpace, text: " "}, nil
	case `\n`, "\n":
		c.wantSpace, c.punctuation = false, true
		return element{kind: elemNewline}, nil
	}
	e := element{kind: elemLiteral, text: text, bare: isBare(text)}
	if !e.bare && !strings.Contains("< > ( ) [ ] { } , : = ? + * | / - -> ... ::", text) {
		return element{}, fmt.Errorf("'%s' is not a keyword or punctuation", text)
	}
	e.space = c.wantSpace && spaceBefore(text, c.punctuation)
	c.wantSpace = len(text) != 1 || !strings.Contains("<({[", text)
	c.punctuation = !e.bare
	return e, nil
}

// spaceBefore reports whether a literal wants a blank before it.
func spaceBefore(text string, afterPunctuation bool) bool {
	switch {
	case len(text) != 1:
		return true
	case afterPunctuation:
		return !strings.Contains(">)}],", text)
	}
	return !strings.Contains("<>(){}[],", text)
}

// spaced gives an element that is no literal the blank before it.
func (c *formatCompiler) spaced(e element) element {
	e.space = c.wantSpace || !c.punctuation
	c.wantSpace, c.punctuation = true, false
	return e
}

func (c *formatCompiler) variable(inGroup bool) (element, error) {
	c.pos++
	name := c.word()
	if i := c.def.OperandField(name); i >= 0 {
		if c.seenOperand[i] || c.operands {
			return element{}, fmt.Errorf("operand '%s' occurs twice", name)
		}
		c.seenOperand[i] = true
		return c.spaced(element{kind: elemOperand, index: i}), nil
	}
	if i := fieldNamed(c.def.Regions, name); i >= 0 {
		if c.seenRegion[i] || c.regions {
			return element{}, fmt.Errorf("region '%s' occurs twice", name)
		}
		if anyTrue(c.seenRegion[i:]) {
			return element{}, fmt.Errorf("region '%s' is out of order", name)
		}
		c.seenRegion[i] = true
		return c.spaced(element{kind: elemRegion, index: i}), nil
	}
	slot := c.def.AttrSlot(name)
	if slot < 0 {
		return element{}, fmt.Errorf("'$%s' is no operand, attribute or region", name)
	}
	if c.bound[slot] {
		return element{}, fmt.Errorf("attribute '%s' occurs twice", name)
	}
	c.bound[slot] = true
	e := element{kind: elemAttr, index: slot, text: name}
	if c.isUnit(slot) {
		if !inGroup {
			return element{}, fmt.Errorf("unit attribute '%s' must stand in a group", name)
		}
		wantSpace, punctuation := c.wantSpace, c.punctuation
		e = c.spaced(e)
		e.kind = elemUnitName
		c.wantSpace, c.punctuation = wantSpace, punctuation // as if not there, unless it is alone in its group
		return e, nil
	}
	return c.spaced(e), nil
}

// isUnit reports whether an attribute is present or absent, and nothing else.
func (c *formatCompiler) isUnit(slot int) bool {
	k := c.def.Attrs[slot].Kind
	return k.Parse == nil && (k == ir.UnitKind || strings.HasPrefix(k.Desc, "unit"))
}

func fieldNamed(fields []ir.Field, name string) int {
	for i := range fields {
		if fields[i].Name == name {
			return i
		}
	}
	return -1
}

func (c *formatCompiler) directive() (element, error) {
	switch name := c.word(); name {
	case "attr-dict", "attr-dict-with-keyword":
		if c.attrDict {
			return element{}, fmt.Errorf("'attr-dict' occurs twice")
		}
		c.attrDict, c.punctuation = true, false
		if name == "attr-dict" {
			return element{kind: elemAttrDict}, nil
		}
		return element{kind: elemAttrDictKeyword}, nil
	case "operands":
		if c.operands || anyTrue(c.seenOperand) {
			return element{}, fmt.Errorf("operands occur twice")
		}
		c.operands = true
		if len(c.def.Operands) > 1 && c.def.Traits.Has(ir.AttrSizedOperandSegments) {
			return element{}, fmt.Errorf("'operands' does not tell operand segments apart")
		}
		return c.spaced(element{kind: elemOperands}), nil
	case "regions":
		if c.regions || anyTrue(c.seenRegion) {
			return element{}, fmt.Errorf("regions occur twice")
		}
		c.regions = true
		return c.spaced(element{kind: elemRegions}), nil
	case "successors":
		c.successor = true
		return c.spaced(element{kind: elemSuccessors}), nil
	case "type":
		return c.typeDirective()
	case "functional-type":
		return c.functionalType()
	case "custom":
		return c.customDirective()
	case "":
		return element{}, fmt.Errorf("unexpected '%c'", c.src[c.pos])
	default:
		return element{}, fmt.Errorf("unknown directive '%s'", name)
	}
}

func (c *formatCompiler) typeDirective() (element, error) {
	e := element{kind: elemType}
	if err := c.expect("("); err != nil {
		return e, err
	}
	for {
		t, err := c.typeTarget()
		if err != nil {
			return e, err
		}
		e.targets = append(e.targets, t)
		if !c.opt(",") {
			break
		}
	}
	if len(e.targets) > 1 {
		for _, t := range e.targets[1:] {
			if c.isList(e.targets[0]) != c.isList(t) {
				return e, fmt.Errorf("type directive mixes variadic and other fields")
			}
		}
	}
	return c.spaced(e), c.expect(")")
}

// isList reports whether a type directive spells a list for the target.
func (c *formatCompiler) isList(t target) bool {
	switch t.kind {
	case targetOperand:
		return c.def.Operands[t.index].Arity == ir.Variadic
	case targetResult:
		return c.def.Results[t.index].Arity == ir.Variadic
	}
	return true
}

func (c *formatCompiler) typeTarget() (target, error) {
	if !c.opt("$") {
		switch name := c.word(); name {
		case "operands":
			return target{kind: targetOperands}, markAll(c.typedOperand, "operand")
		case "results":
			return target{kind: targetResults}, markAll(c.typedResult, "result")
		default:
			return target{}, fmt.Errorf("type directive of '%s'", name)
		}
	}
	name := c.word()
	if i := c.def.OperandField(name); i >= 0 {
		return target{targetOperand, i}, mark(c.typedOperand, i, name)
	}
	if i := c.def.ResultField(name); i >= 0 {
		return target{targetResult, i}, mark(c.typedResult, i, name)
	}
	return target{}, fmt.Errorf("'$%s' is no operand or result", name)
}

func mark(seen []bool, i int, name string) error {
	if seen[i] {
		return fmt.Errorf("the type of '%s' occurs twice", name)
	}
	seen[i] = true
	return nil
}

func markAll(seen []bool, what string) error {
	for i := range seen {
		if err := mark(seen, i, what); err != nil {
			return err
		}
	}
	return nil
}

func (c *formatCompiler) functionalType() (element, error) {
	e := element{kind: elemFuncType}
	for _, text := range []string{"(", "operands", ",", "results", ")"} {
		if err := c.expect(text); err != nil {
			return e, err
		}
	}
	if err := markAll(c.typedOperand, "operand"); err != nil {
		return e, err
	}
	return c.spaced(e), markAll(c.typedResult, "result")
}

func (c *formatCompiler) customDirective() (element, error) {
	e := element{kind: elemCustom}
	if err := c.expect("<"); err != nil {
		return e, err
	}
	e.text = c.word()
	if err := c.expect(">"); err != nil {
		return e, err
	}
	var ok bool
	if e.custom, ok = c.def.Dialect.Directives[e.text]; !ok {
		return e, fmt.Errorf("dialect '%s' has no directive '%s'", c.def.Dialect.Name, e.text)
	}
	if err := c.expect("("); err != nil {
		return e, err
	}
	for {
		if err := c.expect("$"); err != nil {
			return e, err
		}
		name := c.word()
		e.names = append(e.names, name)
		region := fieldNamed(c.def.Regions, name)
		switch slot := c.def.AttrSlot(name); {
		case slot >= 0:
			c.bound[slot] = true
		case region >= 0:
			c.seenRegion[region] = true
		default:
			return e, fmt.Errorf("'$%s' is no attribute or region", name)
		}
		if !c.opt(",") {
			break
		}
	}
	return c.spaced(e), c.expect(")")
}
