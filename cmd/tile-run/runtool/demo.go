package runtool

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/leaf/cleanup"
	"github.com/tilewright/tilewright/internal/tooling/demo"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A show is the demonstration in progress.
type show struct {
	config *config
	w      io.Writer
	style
	kernel *launch.Case
	data   []byte
}

// runDemo takes the embedded kernel through the compiler, runs it, and shows what there is to see.
func (c *config) runDemo(ctx context.Context, stdout, stderr io.Writer) error {
	dir, remove, err := cleanup.TempDir("tilewright-demo-")
	if err != nil {
		return err
	}
	defer remove()
	folder, err := demo.Extract(dir)
	if err != nil {
		return err
	}
	s := &show{config: c, w: stdout, style: styleFor(stdout)}
	if s.kernel, err = launch.LoadCase(folder); err != nil {
		return err
	}
	if s.data, err = s.kernel.ReadModule(); err != nil {
		return err
	}
	p := &program{name: s.kernel.Module, data: s.data, errs: stderr, prints: stderr}
	module, err := p.read()
	if err != nil {
		return err
	}
	if err := s.facts(module); err != nil {
		return err
	}
	reference := interp.New(module)
	if module, err = p.read(); err != nil { // compiling changes it
		return err
	}
	result, err := s.compile(ctx, module)
	if err != nil {
		return err
	}
	s.code(string(result.PTX))
	return s.runs(ctx, reference, result)
}

func (s *show) printf(format string, args ...any) { fmt.Fprintf(s.w, format, args...) }

func (s *show) heading(text string) { s.printf("\n%s\n", s.bold(text)) }

// facts shows the input.
func (s *show) facts(module ir.Op) error {
	file, err := bytecode.Open(module.Context(), s.data)
	if err != nil {
		return err
	}
	var entry ir.Op
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.Entry) {
			entry = op
		}
		return ir.Advance
	})
	ops, loops := 0, 0
	entry.Walk(func(op ir.Op) ir.WalkResult {
		if ops++; op.Is(cudatile.For) {
			loops++
		}
		return ir.Advance
	})
	g := s.kernel.Grid
	s.printf("%s  a GEMM in f16, written in cuTile Python; %s\n\n", s.bold(s.kernel.Name), s.kernel.Note)
	s.printf("  bytecode  version %v, %d bytes, %d sections\n", file.Version, len(s.data), len(file.Sections))
	s.printf("  entry     @%s, %d parameters, %d operations, %d loop\n", entry.SymbolName(), entry.Body().NumArgs(), ops, loops)
	s.printf("  launch    %d x %d x %d tile blocks\n", g[0], g[1], g[2])
	return nil
}

// compile takes the module to PTX and shows the levels and the passes.
func (s *show) compile(ctx context.Context, module ir.Op) (*compile.Result, error) {
	r := &recorder{}
	r.note(property.CudaTile, module)
	opts := compile.Options{GPU: s.config.gpus[0], OptLevel: s.config.optLevel, Instruments: []pipeline.Instrument{r}}
	result, err := compile.To(ctx, module, opts)
	if err != nil {
		return nil, short(err)
	}
	s.heading(fmt.Sprintf("Levels on the way to PTX for %s at -O%d", opts.GPU, opts.OptLevel))
	most := 0
	for _, l := range r.levels {
		most = max(most, l.ops)
	}
	for _, l := range r.levels {
		s.printf("  %-10s %4d operations  %s\n", l.level.Dialect(), l.ops, s.bar(float64(l.ops), float64(most), 40))
	}
	s.heading(fmt.Sprintf("Passes: %d in %v", len(r.passes), r.total().Round(10*time.Microsecond)))
	s.passes(r)
	return result, nil
}

// shownPasses is how many passes get a line of their own.
const shownPasses = 14

// passes shows the time of the passes in their order; the fastest ones are summed up when there are many.
func (s *show) passes(r *recorder) {
	threshold := nth(r.passes, shownPasses)
	var slowest, rest time.Duration
	width := 0
	for _, p := range r.passes {
		slowest, width = max(slowest, p.elapsed), max(width, len(p.name))
	}
	shown, hidden := 0, 0
	for _, p := range r.passes {
		if p.elapsed < threshold || shown == shownPasses {
			hidden++
			rest += p.elapsed
			continue
		}
		shown++
		s.printf("  %-*s %6.2f ms  %s\n", width, p.name, ms(p.elapsed), s.bar(float64(p.elapsed), float64(slowest), 30))
	}
	if hidden > 0 {
		s.printf("  %s\n", s.dim(fmt.Sprintf("%-*s %6.2f ms", width, fmt.Sprintf("%d others", hidden), ms(rest))))
	}
}

func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }

// nth returns the time of the n-th slowest pass; zero when there are fewer.
func nth(passes []passRecord, n int) time.Duration {
	for _, p := range passes {
		slower := 0
		for _, q := range passes {
			if q.elapsed > p.elapsed {
				slower++
			}
		}
		if slower == n-1 {
			return p.elapsed
		}
	}
	return 0
}

const (
	shownCode = 12  // lines of the loop
	codeWidth = 108 // of such a line
)

// code shows what the PTX is made of, and its innermost loop.
func (s *show) code(text string) {
	ss := statements(text)
	counts, total, other := mix(ss)
	s.heading(fmt.Sprintf("PTX: %d bytes, %d instructions", len(text), total))
	parts := make([]string, 0, len(counts)+1)
	for _, c := range counts {
		parts = append(parts, fmt.Sprintf("%d %s", c.n, c.category))
	}
	parts = append(parts, fmt.Sprintf("%d others", other))
	s.printf("  %s\n", wrap(strings.Join(parts, ", "), codeWidth, "\n  "))
	loop := hottest(ss)
	if loop == nil {
		return
	}
	_, n, _ := mix(loop)
	s.heading(fmt.Sprintf("Its innermost loop, %d instructions, in excerpts", n))
	s.printf("  %s:\n", loop[0].label)
	lines, previous := 0, ""
	for _, inst := range loop[1 : len(loop)-1] {
		if inst.category == "" || inst.category == previous || lines == shownCode {
			continue
		}
		previous = inst.category
		lines++
		s.printf("    %s\n", clip(inst.text, codeWidth))
	}
	s.printf("    %s\n", loop[len(loop)-1].text)
}

// clip shortens a line.
func clip(text string, width int) string {
	if len(text) <= width {
		return text
	}
	return text[:width-3] + "..."
}

// wrap breaks a list at its commas.
func wrap(text string, width int, newline string) string {
	var sb strings.Builder
	column := 0
	for part := range strings.SplitAfterSeq(text, ", ") {
		if column > 0 && column+len(part) > width {
			sb.WriteString(newline)
			column = 0
		}
		sb.WriteString(part)
		column += len(part)
	}
	return sb.String()
}

// runs runs the kernel on both engines and compares.
func (s *show) runs(ctx context.Context, reference launch.Engine, code *compile.Result) error {
	emulator, err := code.Emulator("demo.ptx", s.kernel.Entry)
	if err != nil {
		return err
	}
	threads := 1
	if k := code.Kernel(s.kernel.Entry); k != nil {
		for _, n := range k.Block {
			threads *= n
		}
	}
	s.heading("Runs, compared with the expected matrix")
	wrong := false
	var took time.Duration
	for _, e := range []struct {
		title  string
		engine launch.Engine
	}{{"interpreter, on the tiles of the input", reference}, {"emulator, on the PTX", emulator}} {
		req := s.kernel.Request()
		start := time.Now()
		if err := e.engine.Run(ctx, req); err != nil {
			return fmt.Errorf("%s: %w", e.title, err)
		}
		took = time.Since(start)
		report, err := s.kernel.Check(req)
		if err != nil {
			return err
		}
		verdict := s.green("ok")
		if !report.OK() {
			verdict, wrong = s.red("wrong"), true
		}
		d := report.Outputs[0].Diff
		s.printf("  %-38s  %s  %d elements, worst error %v absolute, %v relative; %.1f ms\n",
			e.title, verdict, d.Elements, d.Absolute.Value, d.Relative.Value, ms(took))
	}
	stats := emulator.Stats
	s.printf("  %s\n", s.dim(fmt.Sprintf("emulated: %d threads in %d warps, %d warp instructions, %.0f million thread instructions a second",
		uint64(threads)*stats.CTAs, uint64(threads)*stats.CTAs/32, stats.WarpInstructions, float64(stats.ThreadInstructions)/took.Seconds()/1e6)))
	if wrong {
		return fmt.Errorf("an engine computed something else than expected")
	}
	return nil
}
