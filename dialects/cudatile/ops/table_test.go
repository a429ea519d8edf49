package ops

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/facts"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir"
)

// The published description of the format that the table is compared with.
type (
	specFile struct {
		Ops []specOp `json:"ops"`
	}
	specField struct {
		Name, Type, Arity, Since string
	}
	specAttr struct {
		Name, Kind string
		Optional   bool
		Default    *string
		Since      string
		Encoding   string
	}
	specOp struct {
		Mnemonic        string
		Opcode          uint32
		Since           string
		Group           string
		Alias           struct{ Mnemonic string }
		Operands        []specField
		Attributes      []specAttr
		Results         []specField
		Regions         []struct{ Name, Blocks string }
		Traits          []string
		MemoryEffects   string           `json:"memory_effects"`
		TypeConstraints []map[string]any `json:"type_constraints"`
		Flags           []struct {
			Bit              int
			Field, Of, Since string
		}
		FlagsSince     string `json:"flags_since"`
		Parent         []string
		SerialisedAsOp *bool `json:"serialised_as_op"`
		Wire           []specWire
	}
	specWire struct {
		Field, Name, Arity, Enc, Since string
	}
)

func readSpec(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(filepath.Dir(corpus.Dir(t)), "spec", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func versionText(v ir.Version) string {
	if v == cudatile.Preview {
		return "preview"
	}
	return v.String()
}

func sinceText(s string) string { return strings.Fields(s + " ")[0] }

func TestOpsMatchSpec(t *testing.T) {
	t.Parallel()
	var spec specFile
	readSpec(t, "cuda_tile_ops.json", &spec)
	const renamed = 1 // rows for the old name of an operation
	if len(spec.Ops)+renamed != len(Dialect.Ops()) {
		t.Errorf("operations: got %d, want %d", len(Dialect.Ops()), len(spec.Ops)+renamed)
	}
	for _, want := range spec.Ops {
		name := want.Mnemonic
		if want.Alias.Mnemonic != "" {
			name = want.Alias.Mnemonic
		}
		def := Dialect.Lookup(name)
		if def == nil {
			t.Errorf("%s: no row", want.Mnemonic)
			continue
		}
		compareOp(t, def, &want)
	}
}

func compareOp(t *testing.T, def *ir.OpDef, want *specOp) {
	t.Helper()
	check := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s: got %v, want %v", def.Name, what, got, want)
		}
	}
	check("opcode", def.Opcode, want.Opcode)
	check("group", RowOf(def).Group, want.Group)
	stored := want.SerialisedAsOp == nil || *want.SerialisedAsOp
	check("stored", wire.Stored(def), stored)
	if stored {
		check("since", versionText(def.Since), sinceText(want.Since))
	}
	check("operands", fieldTexts(def, def.Operands), specTexts(want.Since, want.Operands))
	check("results", fieldTexts(def, def.Results), specTexts(want.Since, want.Results))
	check("attributes", attrTexts(def), specAttrTexts(want))
	check("flags", flagTexts(def), specFlags(want, stored))
	check("relations", relationTexts(def), specRelations(want))
	check("traits", traitTexts(def), specTraits(want))
	check("effects", effectText(def), specEffects(want))
	check("parents", len(def.Parents), len(want.Parent))
	for i, p := range want.Parent {
		check("parent", def.Parents[i], "cuda_tile."+p)
	}
	check("regions", len(def.Regions), len(want.Regions))
	for i, r := range want.Regions {
		check("region", def.Regions[i].Name, r.Name)
		check("blocks", def.Regions[i].Blocks == 1, r.Blocks == "exactly 1")
	}
	if stored {
		check("layout", layout(def), specLayout(want))
	}
}

func fieldTexts(def *ir.OpDef, fs []ir.Field) []string {
	out := []string{}
	for i := range fs {
		since := wire.SinceOf(def, &fs[i])
		out = append(out, fmt.Sprintf("%s: %s %s %s", fs[i].Name, typeDesc(fs[i].Type.Desc), fs[i].Arity, versionText(since)))
	}
	return out
}

// typeDesc turns the words of a diagnostic into those of the description.
func typeDesc(desc string) string {
	switch desc {
	case "number type or any cuda_tile type":
		return desc
	case "any type":
		return "any"
	case "tile of any type values":
		return "tile<any>"
	case "cuda tile token type":
		return "token"
	case "tensor view type":
		return "tensor_view"
	case "partition view type":
		return "partition_view"
	case "strided view type":
		return "strided_view"
	case "gather/scatter view type":
		return "gather_scatter_view"
	case "TileView instance":
		return "tile-view (partition_view|strided_view|gather_scatter_view)"
	}
	if i := strings.Index(desc, "tile type of "); i >= 0 {
		desc = "tile of " + desc[i+len("tile type of "):]
	}
	desc = strings.ReplaceAll(strings.TrimSuffix(desc, " values"), " or ", "|")
	desc = strings.ReplaceAll(desc, "Pointer type", "ptr")
	return strings.Replace(desc, "0D tile of", "scalar tile (rank 0) of", 1)
}

// later returns the newer of two versions in text.
func later(a, b string) string {
	if a == "preview" || b == "preview" {
		return "preview"
	}
	return max(a, b) // of equal length
}

func specTexts(opSince string, fs []specField) []string {
	out := []string{}
	for _, f := range fs {
		arity := f.Arity
		typ := strings.TrimSuffix(f.Type, " ")
		out = append(out, fmt.Sprintf("%s: %s %s %s", f.Name, typ, arity, later(f.Since, sinceText(opSince))))
	}
	return out
}

func attrTexts(def *ir.OpDef) []string {
	out := []string{}
	c := ir.NewContext(Dialect)
	for i := range def.Attrs {
		f := &def.Attrs[i]
		if wire.ImplicitSegments(f) {
			continue
		}
		d := "null"
		if f.Default != nil {
			switch a := f.Default(c).(type) {
			case *cudatile.EnumAttr:
				d = a.String()
			case *ir.IntegerAttr:
				d = fmt.Sprint(a.Value)
			case *ir.DenseArrayAttr:
				d = "all false"
			}
			if !f.Kind.Check(f.Default(c)) {
				d = "of another kind"
			}
		} else if wire.Of(f).Enc == wire.EncNone {
			d = "false"
		}
		since := wire.SinceOf(def, f)
		if !wire.Stored(def) && since.IsZero() {
			since = cudatile.V13_1
		}
		out = append(out, fmt.Sprintf("%s: %s %v %s %s", f.Name, wire.Of(f), f.Arity == ir.Optional, d, versionText(since)))
	}
	return out
}

func specAttrTexts(op *specOp) []string {
	out := []string{}
	for _, a := range op.Attributes {
		d := "null"
		if a.Default != nil {
			d = *a.Default
		}
		out = append(out, fmt.Sprintf("%s: %s %v %s %s", a.Name, a.Encoding, a.Optional, d, a.Since))
	}
	return out
}

func flagTexts(def *ir.OpDef) []string {
	out := []string{}
	for i, b := range wire.FlagBits(def) {
		of := "attr"
		if b.Operand {
			of = "operand"
		}
		out = append(out, fmt.Sprintf("%d %s %s %s", i, b.Name, of, versionText(b.Since)))
	}
	return out
}

func specFlags(op *specOp, stored bool) []string {
	out := []string{}
	if !stored {
		return out
	}
	for _, f := range op.Flags {
		out = append(out, fmt.Sprintf("%d %s %s %s", f.Bit, f.Field, f.Of, f.Since))
	}
	return out
}

func relationTexts(def *ir.OpDef) []string {
	out := []string{}
	for _, r := range RowOf(def).Relations {
		names := append([]string(nil), r.Names...)
		sort.Strings(names)
		out = append(out, r.Kind.String()+" "+strings.Join(names, " "))
	}
	sort.Strings(out)
	return out
}

func specRelations(op *specOp) []string {
	out := []string{}
	for _, c := range op.TypeConstraints {
		for kind, v := range c {
			var names []string
			switch v := v.(type) {
			case []any:
				for _, n := range v {
					names = append(names, strings.Fields(n.(string))[0]) // without "(if present)"
				}
			case map[string]any:
				for _, n := range v {
					names = append(names, n.(string))
				}
			}
			sort.Strings(names)
			out = append(out, kind+" "+strings.Join(names, " "))
		}
	}
	sort.Strings(out)
	return out
}

// comparedTraits maps the traits that both sides know.
var comparedTraits = map[string]ir.Traits{
	"pure": ir.Pure, "same_operands_and_result_shape": ir.SameOperandsAndResultShape,
	"attr_sized_operand_segments": ir.AttrSizedOperandSegments, "terminator": ir.Terminator, "single_block": ir.SingleBlock,
	"isolated_from_above": ir.IsolatedFromAbove, "constant_like": ir.ConstantLike, "symbol": ir.Symbol, "graph_region": ir.GraphRegion,
	"no_terminator": ir.NoTerminator, "symbol_table": ir.SymbolTable, "same_operands_shape": ir.SameOperandsShape,
	"same_operands_and_result_element_type": ir.SameOperandsAndResultElementType,
}

func traitTexts(def *ir.OpDef) []string {
	out := []string{}
	for name, t := range comparedTraits {
		if def.Traits.Has(t) {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

func specTraits(op *specOp) []string {
	out := []string{}
	for _, name := range op.Traits {
		if comparedTraits[name] != 0 {
			out = append(out, name)
		}
	}
	switch op.Mnemonic {
	case "entry":
		out = append(out, "symbol") // function_like implies it
	case "insert", "fpowi":
		out = append(out, "pure") // like extract and pow
	}
	if strings.HasPrefix(op.Mnemonic, "multimem_") {
		out = append(out, "attr_sized_operand_segments") // their records are of that form
	}
	sort.Strings(out)
	return out
}

func effectText(def *ir.OpDef) string {
	if def.Traits.Has(ir.Pure) {
		return "none"
	}
	if def.Traits.Has(ir.RecursiveEffects) {
		return "recursive"
	}
	if len(def.Caps) > 0 && &facts.NoEffects[0] == &def.Caps[0] {
		return "none"
	}
	return "unknown"
}

func specEffects(op *specOp) string {
	switch op.Mnemonic {
	case "assume", "insert", "fpowi":
		return "none" // see Assume; insert and fpowi are like extract and pow
	}
	return strings.Fields(op.MemoryEffects)[0]
}

// layout lists the parts of a record as the description does.
func layout(def *ir.OpDef) []string {
	out := []string{"opcode"}
	if wire.CountsResults(def) {
		out = append(out, "result_count")
	}
	for _, r := range def.Results {
		out = append(out, "result_type "+r.Name)
	}
	if len(wire.FlagBits(def)) > 0 {
		out = append(out, "flags")
	}
	for i := range def.Attrs {
		if f := &def.Attrs[i]; wire.Of(f).Enc != wire.EncNone {
			out = append(out, "attribute "+f.Name)
		}
	}
	if wire.CountsOperands(def) {
		out = append(out, "operands")
	} else {
		for _, f := range def.Operands {
			out = append(out, "operand "+f.Name)
		}
	}
	if len(def.Regions) > 0 {
		out = append(out, "region_count")
	}
	for _, r := range def.Regions {
		out = append(out, "region "+r.Name)
	}
	return out
}

func specLayout(op *specOp) []string {
	out := []string{}
	for _, w := range op.Wire {
		out = append(out, strings.TrimSpace(w.Field+" "+w.Name))
	}
	return out
}

// TestDocumented says that every row, and everything in it, is explained.
func TestDocumented(t *testing.T) {
	t.Parallel()
	for _, def := range Dialect.Ops() {
		if def.Summary == "" || !strings.HasSuffix(def.Doc, ".") || strings.Contains(def.Doc, def.Summary) {
			t.Errorf("%s: the summary %q and the description %q must be sentences of their own", def.Name, def.Summary, def.Doc)
		}
	}
	for _, e := range cudatile.Enums {
		for _, c := range e.Cases {
			if c.Doc == "" {
				t.Errorf("%s: '%s' is not explained", e.Name, c.Keyword)
			}
		}
	}
}
