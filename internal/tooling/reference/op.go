package reference

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

// opSection writes the entry of an operation.
func opSection(page *doc, root string, def *ir.OpDef, w *words) error {
	ex, err := readExample(root, def)
	if err != nil {
		return err
	}
	page.heading(3, "`"+def.FullName()+"`")
	page.para(def.Summary)
	page.para(def.Doc)
	page.para(origin(def))
	if def.Syntax != "" {
		page.code("", "operation ::= `"+def.FullName()+"` "+def.Syntax)
	} else if syntax := HandSyntax(def); syntax != "" {
		page.code("", def.FullName()+" "+syntax)
	}
	page.code("mlir", ex.text)
	page.printf("<sub>[%s](../../%s)</sub>\n\n", ExampleFile(def), ExampleFile(def))

	page.list("Operands", values(def, def.Operands))
	page.list("Attributes", attributes(def))
	page.list("Results", values(def, def.Results))
	page.list("Regions", regions(def))
	page.list("Properties", properties(def, ex, w, &err))
	return err
}

// origin says since when the bytecode has an operation, and under which number.
func origin(def *ir.OpDef) string {
	if def.Dialect != ops.Dialect {
		return ""
	}
	var parts []string
	switch {
	case def.Since == cudatile.Preview:
		parts = append(parts, "no released version of the bytecode has it")
	case !def.Since.IsZero():
		parts = append(parts, "since "+def.Since.String())
	case def.Opcode != 0:
		parts = append(parts, "the bytecode has a section of its own for it")
	default:
		parts = append(parts, "the bytecode does not have it")
	}
	if def.Opcode != 0 || !def.Since.IsZero() {
		parts = append(parts, fmt.Sprintf("opcode `0x%02x`", def.Opcode))
	}
	return sentence(parts)
}

var arities = map[ir.Arity]string{ir.Optional: "optional", ir.Variadic: "any number"}

// values lists operands or results.
func values(def *ir.OpDef, fields []ir.Field) (out []string) {
	for i := range fields {
		f := &fields[i]
		notes := []string{typeText(f.Type.Desc)}
		if a := arities[f.Arity]; a != "" {
			notes = append(notes, a)
		}
		out = append(out, item(f, append(notes, since(def, f)...)))
	}
	return out
}

// alternatives is a list of types as diagnostics have it.
var alternatives = regexp.MustCompile(`\w+(?: or \w+){2,}`)

// typeText sets a list of types in code, for readers of the page:
//
//	tile of i1 or i8 or i16 values   ->   tile of `i1`, `i8`, `i16`
func typeText(desc string) string {
	text := alternatives.ReplaceAllStringFunc(escape(desc), func(list string) string {
		return strings.Join(codes(strings.Split(list, " or ")), ", ")
	})
	return strings.ReplaceAll(text, "` values", "`")
}

func attributes(def *ir.OpDef) (out []string) {
	for i := range def.Attrs {
		f := &def.Attrs[i]
		if wire.ImplicitSegments(f) {
			continue // the trait says so
		}
		notes := []string{kindText(f.Kind)}
		if f.Arity == ir.Optional {
			notes = append(notes, "optional")
		}
		if f.Default != nil {
			notes = append(notes, "default `"+defaultText(def, f)+"`")
		}
		out = append(out, item(f, append(notes, since(def, f)...)))
	}
	return out
}

// kindText links the kinds that the page explains.
func kindText(k *ir.AttrKind) string {
	if wire, ok := k.Wire.(wire.Form); ok && wire.Enum != nil {
		return link(wire.Enum.Mnemonic, enumHeading(wire.Enum))
	}
	if name, _, ok := keywords(k); ok {
		return fmt.Sprintf("[%s](#%s)", name, anchor(keywordHeading(name)))
	}
	return escape(k.Desc)
}

// defaultText spells a default: an enum by its keyword, as custom syntax does.
func defaultText(def *ir.OpDef, f *ir.Field) string {
	a := f.Default(ir.NewContext(def.Dialect))
	if e, ok := a.(*cudatile.EnumAttr); ok {
		return e.String()
	}
	return ir.AttrString(a)
}

func regions(def *ir.OpDef) (out []string) {
	for i := range def.Regions {
		f := &def.Regions[i]
		var notes []string
		switch {
		case f.Blocks == 1:
			notes = append(notes, "one block")
		case f.Blocks > 1:
			notes = append(notes, fmt.Sprintf("%d blocks", f.Blocks))
		case def.Traits.Has(ir.SingleBlock):
			notes = append(notes, "at most one block")
		default:
			notes = append(notes, "any number of blocks")
		}
		if a := arities[f.Arity]; a != "" {
			notes = append(notes, a)
		}
		out = append(out, item(f, notes))
	}
	return out
}

func item(f *ir.Field, notes []string) string {
	text := "`" + f.Name + "`: " + strings.Join(notes, ", ")
	if f.Doc != "" {
		text += "; " + escape(f.Doc)
	}
	return text
}

// since says when a field is newer than its operation.
func since(def *ir.OpDef, f *ir.Field) []string {
	if !def.Since.Less(f.Since) {
		return nil
	}
	return []string{"since " + f.Since.String()}
}

// properties lists what holds for the operation in all its forms.
func properties(def *ir.OpDef, ex example, w *words, err *error) (out []string) {
	add := func(label, text string) {
		if text != "" {
			out = append(out, label+": "+text)
		}
	}
	traits, e := w.traitsOf(def)
	if e != nil {
		*err = e
	}
	add("Traits", strings.Join(codes(traits), ", "))
	add("Capabilities", strings.Join(codes(def.CapNames()), ", "))
	add("Effects", ex.effects())
	add("Constraints", strings.Join(relations(def), "; "))
	if def.AttrSlot("optimization_hints") >= 0 {
		add("Hints", strings.Join(codes(cudatile.HintKeys(def)), ", "))
	}
	add("Stands in", strings.Join(codes(def.Parents), ", "))
	if def.Successors != 0 {
		add("Successors", map[bool]string{true: "any number", false: fmt.Sprint(def.Successors)}[def.Successors < 0])
	}
	var does []string
	for _, h := range []struct {
		has  bool
		text string
	}{
		{def.Fold != nil, "folds"},
		{def.InferTypes != nil, "infers the types of its results"},
		{def.Verify != nil || def.VerifyRegions != nil, "has rules beyond those of its fields and traits"},
	} {
		if h.has {
			does = append(does, h.text)
		}
	}
	add("Hooks", strings.Join(does, ", "))
	return out
}

// relations says in words what a row of cuda_tile states about its fields together.
func relations(def *ir.OpDef) (out []string) {
	row := ops.RowOf(def)
	if row == nil {
		return nil
	}
	for _, r := range row.Relations {
		names := codes(r.Names)
		all := strings.Join(names, ", ")
		switch r.Kind {
		case ops.SameType:
			out = append(out, all+" have the same type")
		case ops.SameShape:
			out = append(out, all+" have the same shape")
		case ops.SameRank:
			out = append(out, all+" have the same rank")
		case ops.SameElementType:
			out = append(out, all+" have the same element type")
		case ops.BoolShapedLike:
			out = append(out, "the result is a tile of i1 of the shape of "+all)
		case ops.PointsTo:
			out = append(out, names[0]+" are pointers to elements of "+names[1]+", in the same shape")
		}
	}
	return out
}
