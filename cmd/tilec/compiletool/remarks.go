package compiletool

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/suggest"
	"github.com/tilewright/tilewright/ir"
)

// remarks is what the user wants to know about the compiler's decisions. What an optimisation decided has a kind (ir.Decision); other remarks are analyses.
type remarks struct {
	all, analysis, failed, missed, passed string
	format, file                          string

	got []*ir.Diagnostic
}

var (
	remarkCategories = []string{"none", "all", "memory", "tensorcore"}
	remarkFormats    = []string{"command-line", "yaml"}
)

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
	for _, f := range []struct{ flag, value string }{
		{"remarks", r.all}, {"remarks-analysis", r.analysis}, {"remarks-failed", r.failed}, {"remarks-missed", r.missed}, {"remarks-passed", r.passed},
	} {
		switch {
		case f.value == "" || f.value == "none" || f.value == "all":
		case slices.Contains(remarkCategories, f.value):
			return flagErrorf(notCompiled, "--%s=%s is not available yet: remarks have no categories; all and none are available", f.flag, f.value)
		default:
			return flagErrorf(badFlag, "unknown value '%s' of --%s%s; values: %s", f.value, f.flag,
				suggest.DidYouMean(f.value, remarkCategories), strings.Join(remarkCategories, ", "))
		}
	}
	if !slices.Contains(remarkFormats, r.format) {
		return flagErrorf(badFlag, "unknown value '%s' of --remark-format; values: %s", r.format, strings.Join(remarkFormats, ", "))
	}
	return nil
}

// wanted reports whether the user asked for a remark. One that is no decision of an optimisation is an analysis.
func (r *remarks) wanted(d *ir.Diagnostic) bool {
	return r.all == "all" || map[ir.DecisionKind]string{ir.Passed: r.passed, ir.Missed: r.missed, ir.Analysis: r.analysis}[kindOf(d)] == "all"
}

func kindOf(d *ir.Diagnostic) ir.DecisionKind {
	if d.Decision == nil {
		return ir.Analysis
	}
	return d.Decision.Kind
}

// asked reports whether the user asked for remarks of any kind, so that a file of them is due.
func (r *remarks) asked() bool {
	return r.all == "all" || r.analysis == "all" || r.failed == "all" || r.missed == "all" || r.passed == "all"
}

// filter takes the remarks out of the diagnostics that next gets. Without a flag they are dropped.
func (r *remarks) filter(next ir.DiagHandler) ir.DiagHandler {
	return func(d *ir.Diagnostic) {
		if d.Severity != ir.Remark {
			next(d)
			return
		}
		if r.wanted(d) {
			if r.got = append(r.got, d); r.format == "command-line" {
				next(d)
			}
		}
	}
}

// writeYAML writes the remarks as a stream of documents, each once.
func (r *remarks) writeYAML(w io.Writer) {
	seen := make(map[string]bool)
	for _, d := range r.got {
		if key := d.Error(); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		name := "Remark"
		if d.Decision != nil {
			name = d.Decision.Category
		}
		fmt.Fprintf(w, "--- !%s\nPass: Tilewright\nName: %s\n", kindOf(d), name)
		if f := ir.FileLocOf(d.Loc); f != nil {
			fmt.Fprintf(w, "DebugLoc: { File: %s, Line: %d, Column: %d }\n", yamlString(f.File), f.Line, f.Column)
		}
		fmt.Fprintf(w, "Args:\n  - Remark: %s\n...\n", yamlString(d.Message))
	}
}

// yamlString quotes a string. Double-quoted YAML understands the escapes of Go that strconv writes for printable text and control characters.
func yamlString(s string) string { return strconv.Quote(s) }
