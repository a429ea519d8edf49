package asm

import (
	"fmt"
	"sync"

	"github.com/tilewright/tilewright/ir"
)

// The language of declarative formats, OpDef.Syntax:
//
//	`text`                   a keyword or punctuation, as it is; ` ` prints a blank, `` none, `\n` a new line
//	$name                    the operand, attribute or region of that name. An attribute is spelled by its kind, a unit attribute
//	                         by its name
//	attr-dict                the attributes that no other element spells, defaults left out
//	attr-dict-with-keyword   the same, behind the word "attributes"
//	type($a, $b, ...)        the type of $a, which $b has too; the types of $a when it is variadic
//	type(operands)           the types of all operands; type(results) of all results
//	functional-type(operands, results)
//	operands, regions, successors
//	( elements )?            elements that are there when the one marked ^ has a value; parsing decides by the first
//	( elements ) : ( others )?
//	custom<Name>($a, ...)    what the dialect's directive of that name spells
//
// Types that the format does not spell come from the row: the constraint that admits one type only, the trait
// SameOperandsAndResultType, and for results InferTypes.

type elementKind uint8

const (
	elemLiteral elementKind = iota
	elemSpace
	elemNewline
	elemOperand
	elemAttr
	elemUnitName // a unit attribute spelled by its name
	elemRegion
	elemAttrDict
	elemAttrDictKeyword
	elemType
	elemFuncType
	elemOperands
	elemRegions
	elemSuccessors
	elemGroup
	elemCustom
)

// An element is one item of a compiled format.
type element struct {
	kind    elementKind
	space   bool     // a blank is printed first
	text    string   // of a literal; name of a directive
	bare    bool     // the literal is a word
	index   int      // of the operand, attribute slot or region
	targets []target // of a type directive
	names   []string // arguments of a custom directive
	custom  ir.Directive

	// Of a group:
	then, other []element
	anchor      target
	first       *element // decides whether the group is there, when parsing
	unit        int      // attribute slot of a unit attribute that the group's presence sets, or -1
}

type targetKind uint8

const (
	targetOperand targetKind = iota
	targetResult
	targetAttr
	targetRegion
	targetOperands // all
	targetResults
)

// A target is something that a directive or an anchor refers to.
type target struct {
	kind  targetKind
	index int
}

// A format is a compiled OpDef.Syntax.
type format struct {
	def      *ir.OpDef
	elements []element
	bound    []bool // by attribute slot: spelled outside the dictionary
	elided   []string
	// How the types of operands and results that no element spells are known.
	operandTypes, resultTypes []typeSource
}

type typeSource uint8

const (
	spelled typeSource = iota
	onlyType
	sameType
	inferred
)

var formats sync.Map // *ir.OpDef -> *format or error

// formatOf returns the compiled format of a row that has one.
func formatOf(def *ir.OpDef) (*format, error) {
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
	return c.(*format), nil
}

// CheckSyntax reports what is wrong with the declarative format of a row; nil when it has none. A test calls it for every row, so that
// users never see its errors.
func CheckSyntax(def *ir.OpDef) error {
	if def.Syntax == "" {
		return nil
	}
	_, err := formatOf(def)
	return err
}
