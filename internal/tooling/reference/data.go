package reference

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// dataSections returns the sections about what is no operation, with a line of the table of contents for each.
func dataSections(d *ir.Dialect) (text string, contents []string) {
	page := new(doc)
	for _, s := range []struct {
		title string
		sigil string
		defs  []ir.DataDef
	}{{"Types", "!", d.Types}, {"Attributes", "#", d.Attrs}} {
		if len(s.defs) == 0 {
			continue
		}
		var links []string
		page.heading(2, s.title)
		for i := range s.defs {
			def := &s.defs[i]
			name := DataName(d, s.sigil, def)
			links = append(links, fmt.Sprintf("[%s](#%s)", codeOr(name, def), anchor(dataHeading(name))))
			dataSection(page, name, def)
		}
		contents = append(contents, fmt.Sprintf("[%s](#%s) (%d): %s", s.title, anchor(s.title), len(links), strings.Join(links, ", ")))
	}
	if d == ops.Dialect {
		contents = append(contents, enumSections(page))
	}
	if line := keywordSections(page, d); line != "" {
		contents = append(contents, line)
	}
	return page.String(), contents
}

// DataName returns the name of a type or attribute. What is described by a dialect without hooks is spelled without a
// dialect.
func DataName(d *ir.Dialect, sigil string, def *ir.DataDef) string {
	if d.ParseType == nil && d.ParseAttr == nil {
		return def.Mnemonic
	}
	return sigil + d.Name + "." + def.Mnemonic
}

// dataHeading is the name in code type; that of a kind of builtin attribute is a word.
func dataHeading(name string) string {
	if strings.ContainsAny(name[:1], "!#") {
		return "`" + name + "`"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func codeOr(name string, def *ir.DataDef) string {
	if name == def.Mnemonic {
		return name
	}
	return "`" + def.Mnemonic + "`"
}

// dataSection writes the entry of a type or attribute.
func dataSection(page *doc, name string, def *ir.DataDef) {
	page.heading(3, dataHeading(name))
	page.para(def.Summary)
	page.para(def.Doc)
	page.para(wireText(def))
	if def.Syntax != "" {
		text := def.Syntax
		if name != def.Mnemonic {
			text = "`" + name + "` " + text
		}
		page.code("", text)
	}
	page.code("mlir", strings.Join(def.Examples, "\n"))
	var rules []string
	for _, r := range def.Rules {
		text := escape(r.Text)
		if r.Rejected != "" {
			text += fmt.Sprintf(": `%s` is rejected with \"%s\"", r.Rejected, escape(Rejection(r.Rejected)))
		}
		rules = append(rules, text)
	}
	page.list("Rules", rules)
}

// wireText says how the bytecode stores what the first example shows.
func wireText(def *ir.DataDef) string {
	if len(def.Examples) == 0 {
		return ""
	}
	t, a, err := ParseData(def.Examples[0])
	if err != nil {
		return ""
	}
	since, tag, fields, found := wireRow(t, a)
	if !found {
		return ""
	}
	parts := []string{"since " + since.String(), fmt.Sprintf("tag %d", tag)}
	if len(fields) > 0 {
		var names []string
		for _, f := range fields {
			text := "`" + f.Name + "`"
			if !f.Since.IsZero() {
				text += " (since " + f.Since.String() + ")"
			}
			if !f.Until.IsZero() {
				text += " (before " + f.Until.String() + ")"
			}
			names = append(names, text)
		}
		parts = append(parts, "stored as "+strings.Join(names, ", "))
	}
	return sentence(parts)
}

// wireRow finds the row that says how the bytecode stores a type or attribute.
func wireRow(t ir.Type, a ir.Attribute) (since ir.Version, tag uint32, fields []wire.Field, ok bool) {
	if t != nil {
		if ir.TypeDialect(t) != ops.Dialect {
			return since, 0, nil, false
		}
		row := wire.TypeRowOf(t)
		return row.Since, row.Tag, row.Fields, true
	}
	if row := wire.AttrRowOf(a); row != nil {
		return row.Since, row.Tag, row.Fields, true
	}
	for _, row := range wire.DebugRows {
		if row.Is(a) {
			return row.Since, row.Tag, row.Fields, true
		}
	}
	return since, 0, nil, false
}

// ParseData parses the text of a type or attribute.
func ParseData(text string) (ir.Type, ir.Attribute, error) {
	c := tileir.NewContext()
	c.AllowUnregistered = true
	module := `"t.op"() {a = ` + text + `} : () -> ()`
	op, err := asm.Parse(c, "in", []byte(module), tileir.Syntax())
	if err != nil {
		var d *ir.Diagnostic
		if errors.As(err, &d) {
			err = errors.New(d.Message)
		}
		return nil, nil, err
	}
	a := op.Body().First().Attr("a")
	if t, ok := a.(*ir.TypeAttr); ok {
		return t.Value, nil, nil
	}
	return nil, a, nil
}

// Rejection returns what is said about a type or attribute that breaks a rule; "" when it is accepted.
func Rejection(text string) string {
	_, _, err := ParseData(text)
	if err == nil {
		return ""
	}
	return err.Error()
}

func enumHeading(e *cudatile.Enum) string { return "#cuda_tile." + e.Mnemonic }

// enumSections writes the enums of cuda_tile.
func enumSections(page *doc) (contents string) {
	page.heading(2, "Enums")
	var links []string
	for _, e := range cudatile.Enums {
		links = append(links, link(e.Mnemonic, enumHeading(e)))
		page.heading(3, "`"+enumHeading(e)+"`")
		page.para(sentence([]string{e.Desc, "since " + e.Since.String()}))
		var items []string
		for i, c := range e.Cases {
			text := fmt.Sprintf("`%s` = %d", c.Keyword, i)
			if !c.Since.IsZero() {
				text += ", since " + c.Since.String()
			}
			if c.Doc != "" {
				text += ": " + escape(c.Doc)
			}
			items = append(items, text)
		}
		page.list("", items)
	}
	return fmt.Sprintf("[Enums](#enums) (%d): %s", len(links), strings.Join(links, ", "))
}

// keywords takes the description of a kind apart that admits certain words; see ir.KeywordKind.
func keywords(k *ir.AttrKind) (name string, words []string, ok bool) {
	name, rest, ok := strings.Cut(k.Desc, ", one of {")
	if !ok {
		return "", nil, false
	}
	return name, strings.Split(strings.TrimSuffix(rest, "}"), ", "), true
}

func keywordHeading(name string) string { return "Keywords: " + name }

// keywordSections writes the kinds of attributes that are keywords, which is what enums are in the dialects below
// cuda_tile.
func keywordSections(page *doc, d *ir.Dialect) (contents string) {
	kinds := make(map[string][]string)
	var names []string
	for _, def := range d.Ops() {
		for _, f := range def.Attrs {
			if name, words, ok := keywords(f.Kind); ok && kinds[name] == nil {
				kinds[name] = words
				names = append(names, name)
			}
		}
	}
	if names == nil {
		return ""
	}
	slices.Sort(names)
	page.heading(2, "Keywords")
	var links []string
	for _, name := range names {
		links = append(links, fmt.Sprintf("[%s](#%s)", name, anchor(keywordHeading(name))))
		page.heading(3, keywordHeading(name))
		page.printf("%s\n\n", strings.Join(codes(kinds[name]), ", "))
	}
	return fmt.Sprintf("[Keywords](#keywords) (%d): %s", len(links), strings.Join(links, ", "))
}
