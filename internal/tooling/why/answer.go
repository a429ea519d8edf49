package why

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/ptxas"
)

// Remarks compiles the program and returns what passes decided, each once, with what Locate adds. The text of the
// kernels comes with it.
func (s *Source) Remarks(ctx context.Context) (ds []*ir.Diagnostic, ptx *compile.Result, err error) {
	module, err := s.Read()
	if err != nil {
		return nil, nil, err
	}
	seen := make(remark.Seen)
	var failed error
	defer module.Context().Diag.Push(func(d *ir.Diagnostic) {
		switch {
		case d.Severity == ir.Error && failed == nil:
			failed = d
		case remark.Of(d.Decision) != nil && seen.First(d):
			ds = append(ds, d)
		}
	})()
	opts := s.Options
	opts.To, opts.Decisions, opts.Record, opts.Instruments = property.PTX, true, false, nil
	if ptx, err = compile.To(ctx, module, opts); err != nil {
		if failed != nil {
			err = failed
		}
		return nil, nil, err
	}
	return ds, ptx, s.Locate(ctx, ds)
}

// Answer writes what passes decided about a topic, for people. It begins with what was not done. Each entry has its
// place, the line of the user's source, the reason, what is missing, the cure, and what that is worth. With an
// assembler, spills are counted; nil means that there is none.
func (s *Source) Answer(ctx context.Context, w io.Writer, topic *remark.Topic, assembler *ptxas.Tool) error {
	ds, result, err := s.Remarks(ctx)
	if err != nil {
		return err
	}
	if topic == remark.Spill && assembler != nil {
		more, err := spilled(ctx, assembler, result)
		if err != nil {
			return err
		}
		ds = append(ds, more...)
	}
	ds = slices.DeleteFunc(ds, func(d *ir.Diagnostic) bool { return !remark.Of(d.Decision).Answers(topic) })
	slices.SortStableFunc(ds, func(a, b *ir.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Decision.Function, b.Decision.Function), cmp.Compare(order[a.Decision.Kind], order[b.Decision.Kind]))
	})
	var buf bytes.Buffer
	fmt.Fprintf(&buf, "%s: %s\n", topic.Name, topic.Doc)
	if len(ds) == 0 {
		buf.WriteString("\nnothing in the program is about it\n")
	}
	sources, t := new(source.Reader), s.trier(ctx)
	function := ""
	for _, d := range ds {
		if d.Decision.Function != function {
			function = d.Decision.Function
			fmt.Fprintf(&buf, "\nkernel '%s'\n", source.Printable(s.Arguments.name(function)))
		}
		say(&buf, sources, d, t)
	}
	together(&buf, ds, t, s.Arguments)
	_, err = w.Write(buf.Bytes())
	return err
}

// order is which kinds of decisions come first.
var order = map[ir.DecisionKind]int{ir.Failed: 0, ir.Missed: 1, ir.Analysis: 2, ir.Passed: 3}

// say writes one remark.
func say(buf *bytes.Buffer, sources *source.Reader, d *ir.Diagnostic, t *trier) {
	fmt.Fprintln(buf)
	if f := ir.FileLocOf(d.Loc); f != nil {
		fmt.Fprintf(buf, "%s:%d:%d: ", source.Printable(f.File), f.Line, f.Column)
		fmt.Fprintf(buf, "%s\n", source.Printable(spoken(d, sources)))
		for line := range strings.Lines(source.Line(f.File, sources.Text(f.File), f.Line, f.Column)) {
			buf.WriteString("    " + line)
		}
	} else {
		fmt.Fprintf(buf, "%s\n", source.Printable(d.Message))
	}
	if d.Decision.Arg(remark.WorthKey) == "" && curable(d) {
		if text := t.worth(d); text != "" {
			d.Decision.Args = append(d.Decision.Args, ir.DecisionArg{Key: remark.WorthKey, Value: text})
		}
	}
	for _, key := range []string{remark.FactKey, remark.LostKey, remark.CureKey, remark.WorthKey} {
		for _, a := range d.Decision.Args {
			if a.Key == key {
				text := a.Value
				if key == remark.CureKey {
					text = curedInPython(d, text)
				}
				fmt.Fprintf(buf, "    %-7s %s\n", labels[key], source.Printable(text))
			}
		}
	}
}

var labels = map[string]string{remark.FactKey: "fact:", remark.LostKey: "lost:", remark.CureKey: "cure:", remark.WorthKey: "worth:"}

// curable reports whether a promise, or a change that can be tried, might cure what a remark is about.
func curable(d *ir.Diagnostic) bool {
	return len(d.Decision.Missing) > 0 || remark.Of(d.Decision) == remark.MMAMissed
}

// together says what all cures of a kernel are worth, where there is more than one: a product wants both its factors
// by the better way.
func together(buf *bytes.Buffer, ds []*ir.Diagnostic, t *trier, args Arguments) {
	for len(ds) > 0 {
		fn := ds[0].Decision.Function
		n := slices.IndexFunc(ds, func(d *ir.Diagnostic) bool { return d.Decision.Function != fn })
		if n < 0 {
			n = len(ds)
		}
		var all []*ir.Diagnostic
		worth := make(map[string]bool)
		for _, d := range ds[:n] {
			if curable(d) {
				all = append(all, d)
				worth[d.Decision.Arg(remark.WorthKey)] = true
			}
		}
		if ds = ds[n:]; len(worth) < 2 {
			continue
		}
		if text := t.worth(all...); text != "" {
			fmt.Fprintf(buf, "\nall of these in '%s' together: %s\n", source.Printable(args.name(fn)), text)
		}
	}
}

// spilled asks the assembler which kernels spill.
func spilled(ctx context.Context, tool *ptxas.Tool, code *compile.Result) (ds []*ir.Diagnostic, err error) {
	got, err := tool.Assemble(ctx, code.PTX, ptxas.Options{Arch: code.Launch.Target, OptLevel: 3})
	if err != nil {
		return nil, err
	}
	for _, e := range got.Entries {
		text := fmt.Sprintf("the assembler gives threads %d registers, and spills %d bytes of stores and %d of loads", e.Registers, e.SpillStores, e.SpillLoads)
		d := remark.Spilled.New(e.Entry, nil, text)
		add := func(key, value string) {
			d.Decision.Args = append(d.Decision.Args, ir.DecisionArg{Key: key, Value: value})
		}
		add("Registers", fmt.Sprint(e.Registers))
		add("SpillStores", fmt.Sprint(e.SpillStores))
		add("SpillLoads", fmt.Sprint(e.SpillLoads))
		if e.SpillStores+e.SpillLoads == 0 {
			d.Decision.Kind, d.Message = ir.Passed, fmt.Sprintf("the assembler gives threads %d registers, and spills nothing", e.Registers)
		} else {
			add(remark.CureKey, "make tiles smaller, or ask for more warps or fewer tile blocks of an SM (the hint occupancy)")
		}
		ds = append(ds, d)
	}
	return ds, nil
}
