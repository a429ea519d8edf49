package remark

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// A Class is a category of remarks.
type Class struct {
	Flag   string // what flags call it
	Name   string // what files call it: "Pass" of a YAML remark
	prefix string
}

// The classes. tileiras has flags for the first two.
var (
	Memory    = &Class{"memory", "Memory", "Remark"}
	Tensor    = &Class{"tensorcore", "Tensor-core", "Remark"}
	Loops     = &Class{"loops", "Loops", "Remark"}
	Resources = &Class{"resources", "Resources", "Remark"}
)

// Classes are all of them.
func Classes() []*Class { return []*Class{Memory, Tensor, Loops, Resources} }

// A Topic is a question that --why answers.
type Topic struct{ Name, Doc string }

// The topics.
var (
	TMA      = &Topic{"tma", "TMA copies: which loads and stores are transferred by them, and what the others lack"}
	MMA      = &Topic{"mma", "matrix instructions: which one each MMA has, and why no better one"}
	Pipeline = &Topic{"pipeline", "loops: which are pipelined, what bounds them, and what keeps the others from it"}
	Spill    = &Topic{"spill", "registers and shared memory: what takes them, and what does not fit"}
	Vector   = &Topic{"vector", "widths of accesses to memory and conflicts of banks"}
)

// Topics are all of them.
func Topics() []*Topic { return []*Topic{TMA, MMA, Pipeline, Spill, Vector} }

// A Field is an argument of a remark in addition to its text.
type Field struct{ Key, Doc string }

// A Kind is a row of the table.
type Kind struct {
	Name   string // without "Remark", as files have it in front
	Kind   ir.DecisionKind
	Class  *Class
	From   []string // the passes, or "ptxas"
	Topics []*Topic
	Fields []Field
	// Title is the text in files if tileiras has the kind too: its words. Anything after them follows as Detail.
	Title string
	Doc   string
}

// FullName is what files call a kind of remark.
func (k *Kind) FullName() string { return k.Class.prefix + k.Name }

// Answers reports whether remarks of the kind answer a question.
func (k *Kind) Answers(t *Topic) bool {
	for _, have := range k.Topics {
		if have == t {
			return true
		}
	}
	return false
}

// Of returns the kind of a decision, or nil.
func Of(d *ir.Decision) *Kind {
	if d == nil {
		return nil
	}
	return byName[d.Name]
}

var byName = make(map[string]*Kind)

func init() {
	for _, k := range Kinds() {
		byName[k.Name] = k
	}
}

// A Remark is a remark that is about to be reported.
type Remark struct {
	run *passes.Run
	d   *ir.Diagnostic
}

// New creates the diagnostic of a remark, for callers that are no pass.
func (k *Kind) New(function string, loc ir.Location, text string) *ir.Diagnostic {
	return &ir.Diagnostic{Severity: ir.Remark, Loc: loc, Message: text, Decision: &ir.Decision{Kind: k.Kind, Name: k.Name, Category: k.Class.Flag, Function: function}}
}

// At begins a remark about what is at a location.
func (k *Kind) At(r *passes.Run, loc ir.Location, format string, args ...any) *Remark {
	return &Remark{r, k.New(r.Op.SymbolName(), loc, fmt.Sprintf(format, args...))}
}

// In names the function, for passes on modules.
func (m *Remark) In(fn ir.Op) *Remark {
	m.d.Decision.Function = fn.SymbolName()
	return m
}

// Arg adds a field. One without a value is left out.
func (m *Remark) Arg(key, value string) *Remark {
	if value != "" {
		m.d.Decision.Args = append(m.d.Decision.Args, ir.DecisionArg{Key: key, Value: value})
	}
	return m
}

// Cure adds what to change.
func (m *Remark) Cure(format string, args ...any) *Remark {
	if format == "" {
		return m
	}
	return m.Arg(CureKey, fmt.Sprintf(format, args...))
}

// Missing adds facts that were needed and not known.
func (m *Remark) Missing(facts ...ir.MissingFact) *Remark {
	m.d.Decision.Missing = append(m.d.Decision.Missing, facts...)
	return m
}

// Report reports it.
func (m *Remark) Report() { m.run.Report(m.d) }

// ReportAlways reports it even if nobody asked for decisions, because the program asked for something that it
// does not get.
func (m *Remark) ReportAlways() {
	m.d.Decision.Always = true
	m.run.Report(m.d)
}

// Warn reports it as a warning: a request of the program that is not followed.
func (m *Remark) Warn() {
	m.d.Severity = ir.Warning
	m.ReportAlways()
}

// Shape spells the extents of a box with the contiguous dimension first, as tileiras does: of 128 rows of 64 elements
// "[64, 128]".
func Shape(box []int) string {
	out := make([]string, len(box))
	for i, n := range box {
		out[len(box)-1-i] = strconv.Itoa(n)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// OverruleOccupancy warns that a kernel is compiled for another number of CTAs on an SM than its hint asks for.
func OverruleOccupancy(r *passes.Run, hint, chosen int, why string) {
	HintOverruled.At(r, r.Op.Loc(), "hint 'occupancy = %d' of kernel '%s' is not followed, and %d is taken instead: %s", hint, r.Op.SymbolName(), chosen, why).
		Arg(HintKey, fmt.Sprintf("occupancy = %d", hint)).Arg(ChosenKey, strconv.Itoa(chosen)).Arg(ReasonKey, why).Warn()
}
