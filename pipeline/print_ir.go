package pipeline

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
)

// PrintIR is the instrument that prints the IR before and after passes, under MLIR's banners:
//
//	// -----// IR Dump After CSE (cse) //----- //
type PrintIR struct {
	// W is where the dumps go, unless Tree is set.
	W io.Writer
	// Print prints an operation.
	Print func(w io.Writer, op ir.Op) error

	// BeforeAll and AfterAll select all passes, Before and After those of the given names.
	BeforeAll, AfterAll bool
	Before, After       []string
	// Items, when not nil, selects these passes of the pipeline alone, after which the IR is printed.
	Items []*Item
	// OnlyChanged leaves out dumps after a pass that changed nothing; OnlyFailed those after a pass that did not fail.
	OnlyChanged, OnlyFailed bool
	// ModuleScope prints the outermost operation instead of that which the pass ran on.
	ModuleScope bool
	// Diff, when set, shows what a pass changed instead of the IR after it; only passes that change something are
	// shown.
	Diff *Diff
	// Tree, when set, is a folder that gets a file for each dump instead: see treeFile.
	Tree string

	before map[*Event]Fingerprint
	texts  map[*Event]string // of the IR before passes, for Diff
	counts map[ir.Op]int
	err    error
}

// Serial implements Serial: dumps come in the order in which passes run, and need no lock.
func (p *PrintIR) Serial() bool { return true }

// Err returns the first error in writing a dump.
func (p *PrintIR) Err() error { return p.err }

// BeforePass implements Instrument.
func (p *PrintIR) BeforePass(ev *Event) {
	if p.OnlyChanged && p.wantsAfter(ev) {
		if p.before == nil {
			p.before = make(map[*Event]Fingerprint)
		}
		p.before[ev] = FingerprintOf(ev.Op)
	}
	if p.Diff != nil && p.wantsAfter(ev) {
		if p.texts == nil {
			p.texts = make(map[*Event]string)
		}
		p.texts[ev] = p.bare(ev)
	}
	if p.BeforeAll || slices.ContainsFunc(p.Before, ev.Item.Pass.Called) {
		p.dump(ev, "Before", "")
	}
}

// AfterPass implements Instrument.
func (p *PrintIR) AfterPass(ev *Event) {
	old, compare := p.before[ev]
	delete(p.before, ev)
	defer delete(p.texts, ev)
	switch {
	case !p.wantsAfter(ev):
	case ev.Err != nil:
		p.dump(ev, "After", " Failed")
	case p.OnlyFailed:
	case compare && !changed(ev.Op, old):
	case p.Diff != nil:
		p.diff(ev)
	default:
		p.dump(ev, "After", "")
	}
}

func changed(op ir.Op, old Fingerprint) bool { return op.Erased() || FingerprintOf(op) != old }

// wantsAfter reports whether the pass is selected for dumps after it. OnlyChanged and OnlyFailed alone select all
// passes.
func (p *PrintIR) wantsAfter(ev *Event) bool {
	if p.Items != nil {
		return slices.Contains(p.Items, ev.Item)
	}
	return p.AfterAll || slices.ContainsFunc(p.After, ev.Item.Pass.Called) || (p.OnlyChanged || p.OnlyFailed || p.Diff != nil) && p.After == nil
}

func (p *PrintIR) dump(ev *Event, when, failed string) {
	p.write(ev, fmt.Sprintf("IR Dump %s %s%s (%s)", when, ev.Item.Pass.DisplayTitle(), failed, ev.Item.Pass.Name), p.text(ev))
}

// diff shows what a pass changed.
func (p *PrintIR) diff(ev *Event) {
	text := p.Diff.Unified("before", "after", p.texts[ev], p.bare(ev))
	if text != "" {
		pass := ev.Item.Pass
		p.write(ev, fmt.Sprintf("IR Diff After %s (%s)", pass.DisplayTitle(), pass.Name), []byte(strings.TrimSuffix(text, "\n")))
	}
}

// bare prints the operation of an event without what it says of how far it got, which each pass changes.
func (p *PrintIR) bare(ev *Event) string {
	op := p.scope(ev)
	if op.Erased() {
		return ""
	}
	states := make(map[ir.Op]ir.Attribute)
	EachState(op, func(op ir.Op, _ contract.State) { states[op] = op.Attr(contract.StateAttr) })
	for op := range states {
		op.SetAttr(contract.StateAttr, nil)
	}
	text := p.text(ev)
	for op, state := range states {
		op.SetAttr(contract.StateAttr, state)
	}
	return string(text) + "\n"
}

// scope returns the operation that is printed.
func (p *PrintIR) scope(ev *Event) ir.Op {
	if p.ModuleScope && !ev.Op.Erased() {
		return ev.Root
	}
	return ev.Op
}

// text prints the operation of an event.
func (p *PrintIR) text(ev *Event) []byte {
	var buf bytes.Buffer
	op := p.scope(ev)
	// The IR after a pass that failed may be so broken that it cannot be printed.
	if _, err := protect(func() error { return p.Print(&buf, op) }); err != nil {
		fmt.Fprintf(&buf, "// cannot be printed: %v", err)
	}
	if !op.Erased() && !op.ParentOp().IsNil() { // MLIR ends only outermost operations with a line break
		buf.Truncate(len(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))))
	}
	return buf.Bytes()
}

// write writes a text under a banner.
func (p *PrintIR) write(ev *Event, banner string, text []byte) {
	var buf bytes.Buffer
	fmt.Fprintf(&buf, "// -----// %s", banner)
	if p.ModuleScope && !ev.Op.Erased() {
		fmt.Fprintf(&buf, " (%s)", describe(ev.Op))
	}
	buf.WriteString(" //----- //\n")
	buf.Write(text)
	buf.WriteString("\n\n")
	if p.Tree != "" {
		p.keep(p.treeFile(ev, buf.Bytes()))
		return
	}
	_, err := p.W.Write(buf.Bytes())
	p.keep(err)
}

func (p *PrintIR) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}
