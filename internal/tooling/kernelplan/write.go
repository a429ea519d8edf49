package kernelplan

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/tileaa/plankernel"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
)

// Write compiles a module and prints the plans of its kernels. What else the compilation says goes on to the handler
// of the context. The module is compiled in place.
func Write(ctx context.Context, w io.Writer, module ir.Op, opts compile.Options) error {
	kernels := pipeline.KernelNames(module)
	diag := module.Context().Diag
	var decided []*ir.Diagnostic
	var others []*ir.Diagnostic
	restore := diag.Push(func(d *ir.Diagnostic) {
		if d.Decision != nil && !d.Decision.Always {
			decided = append(decided, d)
		} else {
			others = append(others, d)
		}
	})
	told := make(map[string]string)
	for pass, text := range opts.PassOptions {
		told[pass] = text
	}
	if told[plankernel.Pass.Name] == "" {
		told[plankernel.Pass.Name] = "try=" + plankernel.Prices
	}
	opts.PassOptions, opts.Decisions = told, true
	result, err := compile.To(ctx, module, opts)
	restore()
	for _, d := range others {
		diag.Emit(d)
	}
	if err != nil {
		return err
	}
	p := printer{w: w, result: result, decided: decided}
	for i, kernel := range kernels {
		if i > 0 {
			p.printf("\n")
		}
		p.kernel(kernel)
	}
	return p.err
}

type printer struct {
	w       io.Writer
	result  *compile.Result
	decided []*ir.Diagnostic
	err     error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) kernel(kernel string) {
	p.printf("kernel %s {\n", pipeline.KernelName(kernel))
	p.result.Pipeline.Walk(func(_ *pipeline.OpPipeline, it pipeline.Item) {
		// These are the levels where passes choose. Others carry out.
		if at := it.Pass.Level(); at != property.TileAA && at != property.TileAS {
			return
		}
		said := make(map[string]bool)
		for _, d := range p.by(kernel, it.Pass) {
			if text := place(d.Loc) + oneLine(d.Message); !said[text] {
				said[text] = true
				p.printf("  // %s\n", text)
			}
		}
		// What tries variants is left out: the plan holds what it chose.
		if pipeline.Planned(it.Pass) && !it.Pass.Tries {
			p.printf("  %s\n", p.result.Kernels.Item(kernel, it))
		}
	})
	p.printf("}\n")
	p.candidates(kernel)
}

// candidates prints the prices of alternatives. Those that make no difference share a line.
func (p *printer) candidates(kernel string) {
	var rows [][2]string
	var same []string
	for _, d := range p.decided {
		if remark.Of(d.Decision) != remark.Candidate || d.Decision.Function != kernel {
			continue
		}
		now, name, price := d.Decision.Arg(remark.ChosenPriceKey), d.Decision.Arg(remark.CandidateKey), d.Decision.Arg(remark.PriceKey)
		if rows == nil {
			rows = append(rows, [2]string{"as it is", now})
		}
		if price == now {
			same = append(same, name)
		} else {
			rows = append(rows, [2]string{name, price})
		}
	}
	wide := 0
	for _, r := range rows {
		wide = max(wide, len(r[0]))
	}
	for _, r := range rows {
		p.printf("// %-*s  %s\n", wide, r[0], r[1])
	}
	if len(same) > 0 {
		p.printf("// of the same price: %s\n", strings.Join(same, ", "))
	}
}

// by returns what a pass decided about a kernel.
func (p *printer) by(kernel string, pass *passes.Pass) (out []*ir.Diagnostic) {
	for _, d := range p.decided {
		kind := remark.Of(d.Decision)
		if kind != nil && kind != remark.Candidate && d.Decision.Function == kernel && slices.Contains(kind.From, pass.Name) {
			out = append(out, d)
		}
	}
	return out
}

// place returns where a decision is about, to stand before its message.
func place(loc ir.Location) string {
	if loc == nil {
		return ""
	}
	f := ir.FileLocOf(loc)
	if f == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d: ", f.File, f.Line, f.Column)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
