package format

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/lexer"
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

func compile(def *ir.OpDef) (*Format, error) {
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
	f := &Format{Def: def, Elements: elements, Bound: c.bound, Runs: optionalRuns(def, elements)}
	if err := c.finish(f); err != nil {
		return nil, err
	}
	return f, nil
}

// finish checks that the format says everything that an operation needs.
func (c *formatCompiler) finish(f *Format) error {
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
			f.Elided = append(f.Elided, field.Name)
		}
	}
	return c.typeSources(f)
}

// typeSources decides where types come from that are not spelled.
func (c *formatCompiler) typeSources(f *Format) error {
	same := c.def.Traits.Has(ir.SameOperandsAndResultType) && (anyTrue(c.typedOperand) || anyTrue(c.typedResult))
	for i, field := range c.def.Operands {
		source := Spelled
		switch {
		case c.typedOperand[i]:
		case field.Type.Only != nil:
			source = OnlyType
		case same:
			source = SameType
		default:
			return fmt.Errorf("the type of operand '%s' is not known", field.Name)
		}
		f.operandTypes = append(f.operandTypes, source)
	}
	for i, field := range c.def.Results {
		source := Spelled
		switch {
		case c.typedResult[i]:
		case c.def.InferTypes != nil && !anyTrue(c.typedResult):
			source = Inferred
		case field.Type.Only != nil && field.Arity == ir.One:
			source = OnlyType
		case same && field.Arity == ir.One:
			source = SameType
		default:
			return fmt.Errorf("the type of result '%s' is not known", field.Name)
		}
		f.ResultTypes = append(f.ResultTypes, source)
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
	for c.pos < len(c.src) && lexer.IsClass(c.src[c.pos], lexer.ClassSpace) {
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
	for c.pos < len(c.src) && (lexer.IsClass(c.src[c.pos], lexer.ClassSuffix) && c.src[c.pos] != '$') {
		c.pos++
	}
	return c.src[start:c.pos]
}

// list reads elements to the end, or inside a group to its closing parenthesis.
func (c *formatCompiler) list(inGroup bool) ([]Element, error) {
	var out []Element
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

func (c *formatCompiler) element(inGroup bool) (Element, error) {
	switch c.src[c.pos] {
	case '`':
		return c.literal()
	case '$':
		return c.variable(inGroup)
	case '(':
		if inGroup {
			return Element{}, fmt.Errorf("groups do not nest")
		}
		return c.group()
	}
	return c.directive()
}

func (c *formatCompiler) literal() (Element, error) {
	end := strings.IndexByte(c.src[c.pos+1:], '`')
	if end < 0 {
		return Element{}, fmt.Errorf("expected '`' to close a literal")
	}
	text := c.src[c.pos+1 : c.pos+1+end]
	c.pos += end + 2
	switch text {
	case "":
		c.wantSpace, c.punctuation = false, true
		return Element{Kind: Space}, nil
	case " ":
		c.wantSpace, c.punctuation = false, false
		return Element{Kind: Space, Text: " "}, nil
	case `\n`, "\n":
		c.wantSpace, c.punctuation = false, true
		return Element{Kind: Newline}, nil
	}
	e := Element{Kind: Literal, Text: text, Bare: lexer.IsBare(text)}
	if !e.Bare && !strings.Contains("< > ( ) [ ] { } , : = ? + * | / - -> ... ::", text) {
		return Element{}, fmt.Errorf("'%s' is not a keyword or punctuation", text)
	}
	e.Space = c.wantSpace && spaceBefore(text, c.punctuation)
	c.wantSpace = len(text) != 1 || !strings.Contains("<({[", text)
	c.punctuation = !e.Bare
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
func (c *formatCompiler) spaced(e Element) Element {
	e.Space = c.wantSpace || !c.punctuation
	c.wantSpace, c.punctuation = true, false
	return e
}

func (c *formatCompiler) variable(inGroup bool) (Element, error) {
	c.pos++
	name := c.word()
	if i := c.def.OperandField(name); i >= 0 {
		if c.seenOperand[i] || c.operands {
			return Element{}, fmt.Errorf("operand '%s' occurs twice", name)
		}
		c.seenOperand[i] = true
		return c.spaced(Element{Kind: Operand, Index: i}), nil
	}
	if i := fieldNamed(c.def.Regions, name); i >= 0 {
		if c.seenRegion[i] || c.regions {
			return Element{}, fmt.Errorf("region '%s' occurs twice", name)
		}
		if anyTrue(c.seenRegion[i:]) {
			return Element{}, fmt.Errorf("region '%s' is out of order", name)
		}
		c.seenRegion[i] = true
		return c.spaced(Element{Kind: Region, Index: i}), nil
	}
	slot := c.def.AttrSlot(name)
	if slot < 0 {
		return Element{}, fmt.Errorf("'$%s' is no operand, attribute or region", name)
	}
	if c.bound[slot] {
		return Element{}, fmt.Errorf("attribute '%s' occurs twice", name)
	}
	c.bound[slot] = true
	e := Element{Kind: Attr, Index: slot, Text: name}
	if c.isUnit(slot) {
		if !inGroup {
			return Element{}, fmt.Errorf("unit attribute '%s' must stand in a group", name)
		}
		wantSpace, punctuation := c.wantSpace, c.punctuation
		e = c.spaced(e)
		e.Kind = UnitName
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

func (c *formatCompiler) directive() (Element, error) {
	switch name := c.word(); name {
	case "attr-dict", "attr-dict-with-keyword":
		if c.attrDict {
			return Element{}, fmt.Errorf("'attr-dict' occurs twice")
		}
		c.attrDict, c.punctuation = true, false
		if name == "attr-dict" {
			return Element{Kind: AttrDict}, nil
		}
		return Element{Kind: AttrDictKeyword}, nil
	case "operands":
		if c.operands || anyTrue(c.seenOperand) {
			return Element{}, fmt.Errorf("operands occur twice")
		}
		c.operands = true
		if len(c.def.Operands) > 1 && c.def.Traits.Has(ir.AttrSizedOperandSegments) {
			return Element{}, fmt.Errorf("'operands' does not tell operand segments apart")
		}
		return c.spaced(Element{Kind: Operands}), nil
	case "regions":
		if c.regions || anyTrue(c.seenRegion) {
			return Element{}, fmt.Errorf("regions occur twice")
		}
		c.regions = true
		return c.spaced(Element{Kind: Regions}), nil
	case "successors":
		c.successor = true
		return c.spaced(Element{Kind: Successors}), nil
	case "type":
		return c.typeDirective()
	case "functional-type":
		return c.functionalType()
	case "custom":
		return c.customDirective()
	case "":
		return Element{}, fmt.Errorf("unexpected '%c'", c.src[c.pos])
	default:
		return Element{}, fmt.Errorf("unknown directive '%s'", name)
	}
}

func (c *formatCompiler) typeDirective() (Element, error) {
	e := Element{Kind: Type}
	if err := c.expect("("); err != nil {
		return e, err
	}
	for {
		t, err := c.typeTarget()
		if err != nil {
			return e, err
		}
		e.Targets = append(e.Targets, t)
		if !c.opt(",") {
			break
		}
	}
	if len(e.Targets) > 1 {
		for _, t := range e.Targets[1:] {
			if c.isList(e.Targets[0]) != c.isList(t) {
				return e, fmt.Errorf("type directive mixes variadic and other fields")
			}
		}
	}
	return c.spaced(e), c.expect(")")
}

// isList reports whether a type directive spells a list for the target.
func (c *formatCompiler) isList(t Target) bool {
	switch t.Kind {
	case TargetOperand:
		return c.def.Operands[t.Index].Arity == ir.Variadic
	case TargetResult:
		return c.def.Results[t.Index].Arity == ir.Variadic
	}
	return true
}

func (c *formatCompiler) typeTarget() (Target, error) {
	if !c.opt("$") {
		switch name := c.word(); name {
		case "operands":
			return Target{Kind: TargetOperands}, markAll(c.typedOperand, "operand")
		case "results":
			return Target{Kind: TargetResults}, markAll(c.typedResult, "result")
		default:
			return Target{}, fmt.Errorf("type directive of '%s'", name)
		}
	}
	name := c.word()
	if i := c.def.OperandField(name); i >= 0 {
		return Target{TargetOperand, i}, mark(c.typedOperand, i, name)
	}
	if i := c.def.ResultField(name); i >= 0 {
		return Target{TargetResult, i}, mark(c.typedResult, i, name)
	}
	return Target{}, fmt.Errorf("'$%s' is no operand or result", name)
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

func (c *formatCompiler) functionalType() (Element, error) {
	e := Element{Kind: FuncType}
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

func (c *formatCompiler) customDirective() (Element, error) {
	e := Element{Kind: Custom}
	if err := c.expect("<"); err != nil {
		return e, err
	}
	e.Text = c.word()
	if err := c.expect(">"); err != nil {
		return e, err
	}
	var ok bool
	if e.Custom, ok = c.def.Dialect.Directives[e.Text]; !ok {
		return e, fmt.Errorf("dialect '%s' has no directive '%s'", c.def.Dialect.Name, e.Text)
	}
	if err := c.expect("("); err != nil {
		return e, err
	}
	for {
		if err := c.expect("$"); err != nil {
			return e, err
		}
		name := c.word()
		e.Names = append(e.Names, name)
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
