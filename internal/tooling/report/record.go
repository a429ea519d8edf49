package report

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline"
)

// A recorder is the instrument that keeps what each pass leaves.
type recorder struct {
	page   *Page
	labels *labels
	book   *book
	passes map[*pipeline.Item]int
	// op is what the latest pass ran on, and last its text, to see whether a pass changed it.
	op      ir.Op
	last    string
	current int // the pass that runs; -1 for none
	before  func(ev *pipeline.Event)
	watch   []func(ev *pipeline.Event)
	said    map[[3]string]*Remark
	left    int // bytes of dumps that may still be kept
}

// maxDumps bounds the text that is looked at, before lines that are the same are merged: a pipeline of 60 passes over
// a module of 2 MB.
const maxDumps = 128 << 20

// Serial implements pipeline.Serial: the text of a level is complete.
func (r *recorder) Serial() bool { return true }

// BeforePass implements pipeline.Instrument.
func (r *recorder) BeforePass(ev *pipeline.Event) {
	at, ok := r.passes[ev.Item]
	if !ok {
		at = len(r.page.Passes)
		r.passes[ev.Item] = at
		r.page.Passes = append(r.page.Passes, &Pass{Name: ev.Item.Pass.Name, Step: ev.Item.Step, Doc: ev.Item.Pass.Summary})
	}
	r.current = at
	r.page.Passes[at].Before += count(ev.Op)
	r.before(ev)
	if r.op != ev.Op { // passes that ran on other operations may have changed it, from inside or outside
		r.op, r.last = ev.Op, r.print(ev.Op)
	}
}

// AfterPass implements pipeline.Instrument.
func (r *recorder) AfterPass(ev *pipeline.Event) {
	at := r.passes[ev.Item]
	p := r.page.Passes[at]
	p.Runs++
	p.Run += milliseconds(ev.Elapsed)
	p.Verify += milliseconds(ev.Verify)
	if ev.Err != nil {
		p.Error = ev.Err.Error()
	}
	r.current = -1
	if ev.Op.Erased() {
		return
	}
	p.Ops += count(ev.Op)
	if level := pipeline.LevelOf(ev.Root); level != nil {
		p.Level = level.Level()
	}
	for _, f := range r.watch {
		f(ev)
	}
	text := r.print(ev.Op)
	if text == r.last {
		return
	}
	r.last = text
	p.Changed++
	r.keep(&Document{Kind: kindIR, Title: title(p), Level: p.Level, Function: ev.Op.SymbolName(), Pass: at}, text)
}

func title(p *Pass) string {
	if p.Step != "" {
		return p.Step
	}
	return p.Name
}

// input keeps what the passes start from.
func (r *recorder) input(root ir.Op) {
	d := &Document{Kind: kindIR, Title: "input", Pass: -1}
	if level := pipeline.LevelOf(root); level != nil {
		d.Level = level.Level()
	}
	text := r.print(root)
	r.op, r.last = root, text
	r.keep(d, text)
}

func (r *recorder) keep(d *Document, text string) {
	if r.left -= len(text); r.left < 0 {
		if r.left+len(text) >= 0 {
			r.page.Missing = append(r.page.Missing, "the dumps from '"+d.Title+"' on: the module is too large for all of them")
		}
		return
	}
	d.Lines, d.Labels = r.book.split(text)
	r.page.Docs = append(r.page.Docs, d)
}

// print returns the text of an operation with marks. What cannot be printed, as after a pass that failed, is no text.
func (r *recorder) print(op ir.Op) string {
	var buf bytes.Buffer
	if err := asm.Print(&buf, op, asm.PrintOptions{Comment: r.labels.comment, ElideLargeElements: maxElements}); err != nil {
		return ""
	}
	return buf.String()
}

// maxElements is how many elements of a constant a dump shows.
const maxElements = 64

// diagnostic keeps a remark, a warning or an error.
func (r *recorder) diagnostic(d *ir.Diagnostic) {
	key := [3]string{d.Severity.String(), r.labels.place(d.Loc), d.Message}
	if m := r.said[key]; m != nil { // of two versions of a loop, or of operations of one line
		m.Labels = append(m.Labels, r.labels.of(d.Loc)...)
		slices.Sort(m.Labels)
		m.Labels = slices.Compact(m.Labels)
		return
	}
	if len(r.page.Remarks) == maxRemarks {
		r.page.Missing = append(r.page.Missing, "further remarks")
	}
	if len(r.page.Remarks) >= maxRemarks {
		return
	}
	m := &Remark{Severity: d.Severity.String(), Message: d.Message, Place: r.labels.place(d.Loc), Labels: r.labels.of(d.Loc), Pass: r.current}
	if d.Decision != nil {
		m.Severity, m.Category, m.Function = strings.ToLower(d.Decision.Kind.String()), d.Decision.Category, d.Decision.Function
	}
	for _, n := range d.Notes {
		text := n.Message
		if at := r.labels.place(n.Loc); at != "" {
			text = at + ": " + text
		}
		m.Notes = append(m.Notes, text)
	}
	r.said[key] = m
	r.page.Remarks = append(r.page.Remarks, m)
}

const maxRemarks = 20_000

func count(op ir.Op) (n int) {
	op.Walk(func(ir.Op) ir.WalkResult { n++; return ir.Advance })
	return n
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
