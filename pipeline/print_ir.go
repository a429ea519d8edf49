package pipeline

import (
	"bytes"
	"fmt"
	"io"
	"slices"

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
	// OnlyChanged leaves out dumps after a pass that changed nothing; OnlyFailed those after a pass that did not fail.
	OnlyChanged, OnlyFailed bool
	// ModuleScope prints the outermost operation instead of that which the pass ran on.
	ModuleScope bool
	// Tree, when set, is a folder that gets a file for each dump instead: see treeFile.
	Tree string

	before map[*Event]Fingerprint
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
	if p.BeforeAll || slices.Contains(p.Before, ev.Item.Pass.Name) {
		p.dump(ev, "Before", "")
	}
}

// AfterPass implements Instrument.
func (p *PrintIR) AfterPass(ev *Event) {
	old, compare := p.before[ev]
	delete(p.before, ev)
	switch {
	case !p.wantsAfter(ev):
	case ev.Err != nil:
		p.dump(ev, "After", " Failed")
	case p.OnlyFailed:
	case compare && !changed(ev.Op, old):
	default:
		p.dump(ev, "After", "")
	}
}

func changed(op ir.Op, old Fingerprint) bool { return op.Erased() || FingerprintOf(op) != old }

// wantsAfter reports whether the pass is selected for dumps after it. OnlyChanged and OnlyFailed alone select all passes.
func (p *PrintIR) wantsAfter(ev *Event) bool {
	return p.AfterAll || slices.Contains(p.After, ev.Item.Pass.Name) || (p.OnlyChanged || p.OnlyFailed) && p.After == nil
}

func (p *PrintIR) dump(ev *Event, when, failed string) {
	var buf bytes.Buffer
	fmt.Fprintf(&buf, "// -----// IR Dump %s %s%s (%s)", when, ev.Item.Pass.DisplayTitle(), failed, ev.Item.Pass.Name)
	op := ev.Op
	if p.ModuleScope && !op.Erased() {
		fmt.Fprintf(&buf, " (%s)", describe(op))
		op = ev.Root
	}
	buf.WriteString(" //----- //\n")
	// The IR behind a pass that failed may be so broken that it cannot be printed.
	if _, err := protect(func() error { return p.Print(&buf, op) }); err != nil {
		fmt.Fprintf(&buf, "// cannot be printed: %v", err)
	}
	if !op.Erased() && !op.ParentOp().IsNil() { // MLIR ends only outermost operations with a line break
		buf.Truncate(len(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))))
	}
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
