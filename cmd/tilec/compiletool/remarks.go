package compiletool

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/leaf/lazy"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/remark"
)

// remarks is what the user wants to know about the compiler's decisions. What an optimisation decided has a kind
// (ir.Decision); other remarks are analyses.
type remarks struct {
	all, analysis, failed, missed, passed string
	format, file                          string

	got []*ir.Diagnostic
}

var (
	remarkCategories = []string{"none", "all", "memory", "tensorcore"}
	remarkFormats    = []string{"command-line", remarksYAML}
)

const remarksYAML = "yaml"

func (r *remarks) define(fs *pflag.FlagSet) {
	categories := "`" + strings.Join(remarkCategories, "|") + "`"
	fs.StringVar(&r.all, "remarks", "", "show remarks of all kinds, of this category: "+categories)
	fs.StringVar(&r.analysis, "remarks-analysis", "", "show analysis remarks of this category: "+categories)
	fs.StringVar(&r.failed, "remarks-failed", "", "show failed remarks of this category: "+categories)
	fs.StringVar(&r.missed, "remarks-missed", "", "show missed remarks of this category: "+categories)
	fs.StringVar(&r.passed, "remarks-passed", "", "show passed remarks of this category: "+categories)
	fs.StringVar(&r.format, "remark-format", "command-line", "show remarks as `"+strings.Join(remarkFormats, "|")+"`")
	fs.StringVar(&r.file, "remarks-output-file", "tileir_remarks.yaml", "the `FILE` for remarks as yaml")
}

func (r *remarks) check() error {
	for _, f := range r.flags() {
		if *f.value != "" && !slices.Contains(remarkCategories, *f.value) {
			return flagErrorf(badFlag, "unknown value '%s' of --%s%s; values: %s", *f.value, f.name,
				suggest.DidYouMean(*f.value, remarkCategories), strings.Join(remarkCategories, ", "))
		}
	}
	if !slices.Contains(remarkFormats, r.format) {
		return flagErrorf(badFlag, "unknown value '%s' of --remark-format; values: %s", r.format, strings.Join(remarkFormats, ", "))
	}
	return nil
}

// A remarkFlag asks for the remarks of one kind, of the category that is its value.
type remarkFlag struct {
	name  string
	kind  ir.DecisionKind
	value *string
}

func (r *remarks) flags() []remarkFlag {
	return []remarkFlag{{"remarks-analysis", ir.Analysis, &r.analysis}, {"remarks-missed", ir.Missed, &r.missed}, {"remarks-passed", ir.Passed, &r.passed},
		{"remarks-failed", ir.Failed, &r.failed}, {"remarks", anyKind, &r.all}}
}

// anyKind stands for all.
const anyKind ir.DecisionKind = 0xff

// classOf sorts a remark; nil for one that is no row of the table, which is shown when all are asked for.
func classOf(d *ir.Diagnostic) *remark.Class {
	if k := remark.Of(d.Decision); k != nil {
		return k.Class
	}
	return nil
}

// wanted reports whether the user asked for a remark. One that is no decision of an optimisation is an analysis.
func (r *remarks) wanted(d *ir.Diagnostic) bool {
	c := classOf(d)
	for _, f := range r.flags() {
		if (f.kind == anyKind || f.kind == kindOf(d)) && (*f.value == "all" || c != nil && *f.value == c.Flag) {
			return true
		}
	}
	return false
}

func kindOf(d *ir.Diagnostic) ir.DecisionKind {
	if d.Decision == nil {
		return ir.Analysis
	}
	return d.Decision.Kind
}

// asked reports whether the user asked for remarks of any kind, so that a file of them is due.
func (r *remarks) asked() bool {
	return slices.ContainsFunc(r.flags(), func(f remarkFlag) bool { return *f.value != "" && *f.value != "none" })
}

// filter takes the remarks out of the diagnostics that next gets, and keeps each that was asked for, once. It shows
// them as diagnostics if they are not written otherwise.
func (r *remarks) filter(next ir.DiagHandler, show bool) ir.DiagHandler {
	seen := make(remark.Seen)
	return func(d *ir.Diagnostic) {
		if d.Severity != ir.Remark {
			next(d)
			return
		}
		if r.wanted(d) && seen.First(d) {
			if r.got = append(r.got, d); r.format != remarksYAML && show {
				next(d)
			}
		}
	}
}

// names are what a remark is called in a report: its category and kind.
func names(d *ir.Diagnostic) (category, name string) {
	k := remark.Of(d.Decision)
	if k == nil {
		return "Other", "Remark"
	}
	return k.Class.Name, k.FullName()
}

// fields are what a remark says: its text, in the words of tileiras for what that has too, and its fields.
func fields(d *ir.Diagnostic) []ir.DecisionArg {
	k := remark.Of(d.Decision)
	if k == nil {
		return []ir.DecisionArg{{Key: "Remark", Value: d.Message}}
	}
	if k.Title == "" {
		return append([]ir.DecisionArg{{Key: "Remark", Value: d.Message}}, d.Decision.Args...)
	}
	out := append([]ir.DecisionArg{{Key: "Remark", Value: k.Title}}, d.Decision.Args...)
	if strings.HasPrefix(d.Message, k.Title) {
		return out
	}
	return append(out, ir.DecisionArg{Key: "Detail", Value: d.Message})
}

// writeYAML writes the remarks as a stream of documents.
func (r *remarks) writeYAML(w io.Writer) {
	for i, d := range r.got {
		category, name := names(d)
		fmt.Fprintf(w, "--- !%s\nPass:            %s\nName:            %s\n", kindOf(d), category, name)
		if f := ir.FileLocOf(d.Loc); f != nil {
			fmt.Fprintf(w, "DebugLoc:        { File: %s, Line: %d, Column: %d }\n", yamlQuoted(f.File), f.Line, f.Column)
		}
		fmt.Fprintf(w, "Function:        %s\nArgs:\n  - RemarkId:    %d\n", yamlString(r.functionOf(d)), i+1)
		for _, a := range fields(d) {
			fmt.Fprintf(w, "  - %-12s %s\n", a.Key+":", yamlString(a.Value))
		}
		io.WriteString(w, "...\n")
	}
}

// writeReport writes the remarks for people, as tileiras does: by function and category.
func (r *remarks) writeReport(w io.Writer) {
	for _, fn := range distinct(r.got, r.functionOf) {
		fmt.Fprintf(w, "in function: %s:\n\n", fn)
		for _, category := range distinct(r.got, func(d *ir.Diagnostic) string { c, _ := names(d); return c }) {
			first := true
			for _, d := range r.got {
				c, _ := names(d)
				if c != category || r.functionOf(d) != fn {
					continue
				}
				if first {
					fmt.Fprintf(w, "  category: %s\n", category)
				}
				first = false
				writeOne(w, d)
			}
		}
	}
}

// writeOne writes a remark of a report: the text, the place, the name, and the fields, of which reasons have the
// place in front.
func writeOne(w io.Writer, d *ir.Diagnostic) {
	_, name := names(d)
	said := fields(d)
	kind := strings.ToLower(kindOf(d).String())
	if kindOf(d) == ir.Failed {
		kind = "failed"
	}
	fmt.Fprintf(w, "    remark[%s]: %s\n", kind, said[0].Value)
	at := ""
	if f := ir.FileLocOf(d.Loc); f != nil {
		fmt.Fprintf(w, "      --> %q:%d:%d\n", f.File, f.Line, f.Column)
		at = fmt.Sprintf("loc(%q:%d:%d): ", f.File, f.Line, f.Column)
	}
	fmt.Fprintf(w, "       |\n       = name: %s\n", name)
	for _, a := range said[1:] {
		if a.Key == remark.ReasonKey {
			fmt.Fprintf(w, "       = reason: %s%s\n", at, a.Value)
			continue
		}
		fmt.Fprintf(w, "       = note: %s = %s\n", a.Key, a.Value)
	}
	io.WriteString(w, "\n")
}

// functionOf is the function that a remark is about.
func (r *remarks) functionOf(d *ir.Diagnostic) string {
	if d.Decision == nil {
		return "?"
	}
	return cmp.Or(d.Decision.Function, "?")
}

// distinct returns what f says of the remarks, each once, in their order.
func distinct(ds []*ir.Diagnostic, f func(*ir.Diagnostic) string) (out []string) {
	for _, d := range ds {
		if s := f(d); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// plainYAML is text that YAML takes for a string, or a number, without quotes, wherever it stands.
var plainYAML = lazy.Regexp(`^[A-Za-z0-9_.][A-Za-z0-9_.,;()/+<>=*^-]*( [A-Za-z0-9_.,;()/+<>=*^-]+)*$`)

// yamlString writes a string as plain text where it can be, as LLVM's writer does.
func yamlString(s string) string {
	if plainYAML().MatchString(s) {
		return s
	}
	return yamlQuoted(s)
}

// yamlQuoted quotes a string: in single quotes if all of it is printable, else in double ones. YAML's double quotes
// understand the escapes of Go that strconv writes for printable text and control characters.
func yamlQuoted(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
