package asm

import (
	"context"
	"io"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/format"
	"github.com/tilewright/tilewright/ir/asm/index"
	"github.com/tilewright/tilewright/ir/asm/naming"
	"github.com/tilewright/tilewright/ir/asm/parser"
	"github.com/tilewright/tilewright/ir/asm/printer"
	"github.com/tilewright/tilewright/ir/asm/resource"
)

type (
	// ParseOptions say how to read a file.
	ParseOptions = parser.Options
	// An Error says that a text was rejected. The context's diagnostics have the reason as well.
	Error = parser.Error
	// PrintOptions say how to print.
	PrintOptions = printer.Options

	// A ResourceGroup is one group of a file's metadata.
	ResourceGroup = resource.Group
	// A Resource is one entry of a group.
	Resource = resource.Entry

	// An Index says what stands where in a text, for editors.
	Index = index.Index
	// An OpSpan is where an operation stands.
	OpSpan = index.OpSpan
	// A ValueDef is a name for N values.
	ValueDef = index.ValueDef
	// A Mention is a name of a value or of a block in the text.
	Mention = index.Mention
)

// MaxSource is the most bytes of one text.
const MaxSource = parser.MaxSource

// Parse reads the operations of a file. The result is a detached operation in an arena of its own. Errors are
// reported as diagnostics of ctx; the error that is returned repeats the first. The context keeps src, which must not
// be changed afterwards.
func Parse(ctx *ir.Context, file string, src []byte, opts ParseOptions) (ir.Op, error) {
	return parser.Parse(ctx, file, src, opts)
}

// ParseIndexed reads a text as Parse does, but goes on after errors, up to a number of them, and says what stands
// where. The index is never nil; the operation is, when the entire file makes no sense. It stops with the
// context's error when that is done.
func ParseIndexed(ctx context.Context, c *ir.Context, file string, src []byte, opts ParseOptions) (ir.Op, *Index, error) {
	return parser.ParseIndexed(ctx, c, file, src, opts)
}

// ParseType reads a type that stands alone.
func ParseType(ctx *ir.Context, text string) (ir.Type, error) { return parser.ParseType(ctx, text) }

// ParseAttr reads an attribute that stands alone; t, which may be nil, is the type that a number without one has.
func ParseAttr(ctx *ir.Context, text string, t ir.Type) (ir.Attribute, error) {
	return parser.ParseAttr(ctx, text, t)
}

// Print writes the text of an operation. Isolated operations in it are printed in parallel.
func Print(w io.Writer, op ir.Op, opts PrintOptions) error { return printer.Print(w, op, opts) }

// String returns the text of an operation without locations, as diagnostics and tests show it.
func String(op ir.Op) string { return printer.String(op) }

// TypeString returns the text of a type.
func TypeString(t ir.Type) string { return printer.TypeString(t) }

// AttrString returns the text of an attribute.
func AttrString(a ir.Attribute) string { return printer.AttrString(a) }

// CheckSyntax reports what is wrong with the declarative format of a row; nil when it has none. A test calls it for
// every row, so that users never see its errors.
func CheckSyntax(def *ir.OpDef) error { return format.Check(def) }

// ValueNames returns what Print calls the values inside of an isolated operation, as %tview or %0#1; the function it
// returns says "" for values of elsewhere. It is for tools that speak about values to those who read the text.
func ValueNames(isolated ir.Op) func(ir.Value) string {
	names := naming.Inside(isolated, true, nil)
	return func(v ir.Value) string {
		n := names.Get(v)
		if n.ID == 0 {
			return ""
		}
		return string(names.Append(nil, n))
	}
}
