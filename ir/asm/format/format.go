package format

import (
	"fmt"
	"sync"

	"github.com/tilewright/tilewright/ir"
)

// The language of declarative formats, OpDef.Syntax:
//
//	`text`                   a keyword or punctuation, as it is; ` ` prints a blank, `` none, `\n` a new line
//	$name                    the operand, attribute or region of that name. An attribute is spelled by its kind, a
//	                         unit attribute by its name
//	attr-dict                the attributes that no other element spells, defaults left out
//	attr-dict-with-keyword   the same, after the word "attributes"
//	type($a, $b, ...)        the type of $a, which $b has too; the types of $a when it is variadic
//	type(operands)           the types of all operands; type(results) of all results
//	functional-type(operands, results)
//	operands, regions, successors
//	( elements )?            elements that are there when the one marked ^ has a value; parsing decides by the first
//	( elements ) : ( others )?
//	custom<Name>($a, ...)    what the dialect's directive of that name spells
//
// Optional operands after the same literal are told apart by their types, see optional.go.
//
// Types that the format does not spell come from the row: the constraint that admits one type only, the trait
// SameOperandsAndResultType, and for results InferTypes.

// A Kind says what an element is.
type Kind uint8

const (
	Literal Kind = iota
	Space
	Newline
	Operand
	Attr
	UnitName // a unit attribute spelled by its name
	Region
	AttrDict
	AttrDictKeyword
	Type
	FuncType
	Operands
	Regions
	Successors
	Group
	Custom
)

// An Element is one item of a compiled format.
type Element struct {
	Kind    Kind
	Space   bool     // a blank is printed first
	Text    string   // of a literal; name of a directive
	Bare    bool     // the literal is a word
	Index   int      // of the operand, attribute slot or region
	Targets []Target // of a type directive
	Names   []string // arguments of a custom directive
	Custom  ir.Directive

	// Of a group:
	Then, Other []Element
	Anchor      Target
	First       *Element // decides whether the group is there, when parsing
	Unit        int      // attribute slot of a unit attribute that the group's presence sets, or -1
}

// A TargetKind says what a target is.
type TargetKind uint8

const (
	TargetOperand TargetKind = iota
	TargetResult
	TargetAttr
	TargetRegion
	TargetOperands // all
	TargetResults
)

// A Target is something that a directive or an anchor refers to.
type Target struct {
	Kind  TargetKind
	Index int
}

// A Format is a compiled OpDef.Syntax.
type Format struct {
	Def      *ir.OpDef
	Elements []Element
	Bound    []bool // by attribute slot: spelled outside the dictionary
	Elided   []string
	Runs     [][]int // operand fields that are told apart by types, see optionalRuns
	// How the types of operands and results that no element spells are known.
	operandTypes, ResultTypes []Source
}

// A Source says how the type of an operand or result is known.
type Source uint8

const (
	Spelled Source = iota
	OnlyType
	SameType
	Inferred
)

var formats sync.Map // *ir.OpDef -> *format or error

// Of returns the compiled format of a row that has one.
func Of(def *ir.OpDef) (*Format, error) {
	c, ok := formats.Load(def)
	if !ok {
		f, err := compile(def)
		if err != nil {
			c = fmt.Errorf("assembly format of %q: %w", def.FullName(), err)
		} else {
			c = f
		}
		formats.Store(def, c)
	}
	if err, ok := c.(error); ok {
		return nil, err
	}
	return c.(*Format), nil
}

// Check reports what is wrong with the declarative format of a row; nil when it has none. A test calls it for
// every row, so that users never see its errors.
func Check(def *ir.OpDef) error {
	if def.Syntax == "" {
		return nil
	}
	_, err := Of(def)
	return err
}
