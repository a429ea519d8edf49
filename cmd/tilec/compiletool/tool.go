package compiletool

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/leaf/cache"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/internal/tooling/why"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
)

// Main runs the tool and returns its exit status. program is the path that it was called by, which decides between
// tilec and tileiras; args are without it.
func Main(ctx context.Context, program string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := personaFor(program)
	return cli.Checked(p.name, stdout, stderr, func(stdout io.Writer) int { return p.main(ctx, program, args, stdin, stdout, stderr) })
}

func (p *persona) main(ctx context.Context, program string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if err := passes.Default.Err(); err != nil {
		p.complain(stderr, err)
		return p.status[notCompiled]
	}
	c, err := parse(p, program, args)
	if errors.Is(err, cli.ErrHelp) {
		writeHelp(stdout, p)
		return cli.OK
	}
	if errors.Is(err, errNoInput) {
		writeReferenceHelp(stdout, p, false)
	}
	if err != nil {
		kind := failureOf(err)
		p.complain(stderr, err)
		return p.status[kind]
	}
	for _, line := range c.complaints {
		fmt.Fprintln(stderr, source.Printable(line))
	}
	if ctx, err = cli.WithLog(ctx, stderr, c.log); err != nil {
		p.complain(stderr, err)
		return p.status[badCombination]
	}
	s := newSession(c, stderr)
	switch {
	case c.help:
		writeReferenceHelp(stdout, p, c.hidden)
		return cli.OK
	case c.about.Asked():
		if err := c.about.Answer(stdout, c.tool()); err != nil {
			return s.fail(badFlag, err)
		}
		return cli.OK
	case c.listVersions:
		writeVersions(stdout)
		return cli.OK
	case c.version:
		if err := c.writeVersion(ctx, stdout); err != nil {
			return s.fail(notWritten, err)
		}
		return cli.OK
	}
	if c.isBatch() {
		b, err := newBatch(c)
		if err != nil {
			return s.fail(failureOf(err), err)
		}
		return b.run(ctx, stderr)
	}
	if s.cache, err = c.caching.open(stderr); err != nil {
		return s.fail(badFlag, err)
	}
	defer s.cache.Close()
	return s.start(ctx, stdin, stdout)
}

func newSession(c *config, stderr io.Writer) *session {
	return &session{config: c, stderr: stderr, timing: pipeline.NewTiming()}
}

// start runs the compiler, watched if the environment asks for it, and reports.
func (s *session) start(ctx context.Context, stdin io.Reader, stdout io.Writer) int {
	return s.reported(ctx, s.observed(ctx, stdin, stdout))
}

func (s *session) observed(ctx context.Context, stdin io.Reader, stdout io.Writer) int {
	if dir := os.Getenv(dumpVar); dir != "" || os.Getenv(delegateVar) != "" {
		return s.watched(ctx, dir, stdin, stdout)
	}
	return s.run(ctx, stdin, stdout)
}

// watched runs the compiler as run does, for the environment: it leaves a dump, and compares with another compiler.
func (s *session) watched(ctx context.Context, dir string, stdin io.Reader, stdout io.Writer) int {
	var said bytes.Buffer
	s.stderr = io.MultiWriter(s.stderr, &said)
	s.left = &dump{print: s.printOp, files: make(map[string][]byte)}
	status := s.run(ctx, stdin, stdout)
	if program := os.Getenv(delegateVar); program != "" && (s.emit == emitCubin || s.emit == "") {
		s.left.files["delegate.txt"] = []byte(s.delegate(ctx, program, s.given, status, s.left.files["kernel.cubin"]))
	}
	if dir == "" {
		return status
	}
	s.left.files["command.txt"] = fmt.Appendf(nil, "%q\nadded: %q\nexit status: %d\n", s.given, s.added, status)
	s.left.files["errors.txt"] = said.Bytes()
	s.left.files["input.tileirbc"] = s.data
	stem := strings.TrimSuffix(filepath.Base(s.name), filepath.Ext(s.name))
	if err := s.left.write(dir, cmp.Or(stem, "none")); err != nil {
		cli.Warn(s.stderr, "%s: %v", dumpVar, err)
	}
	return status
}

// A session is one run of the compiler.
type session struct {
	*config
	stderr io.Writer
	timing *pipeline.Timing
	ctx    *ir.Context
	name   string
	data   []byte
	dumps  *pipeline.PrintIR
	left   *dump // nil without an environment that asks for it
	cache  *cache.Cache
	ran    *pipeline.Pipeline

	kernels   pipeline.KernelPlans // of --plan
	planned   string               // its text
	described []byte               // how kernels must be launched; nil where nobody asks
}

// fail reports an error, unless the diagnostics said it all, and returns the exit status.
func (s *session) fail(f failure, err error) int {
	if err != nil {
		s.complain(s.stderr, err)
	}
	var flag *flagError
	said := errors.As(err, &flag) && !errors.Is(err, errSaid)
	if last := s.last(f, s.data); last != "" && !said {
		fmt.Fprintln(s.stderr, last)
	}
	return s.status[f]
}

func (s *session) run(ctx context.Context, stdin io.Reader, stdout io.Writer) int {
	var err error
	if s.name, s.data, err = s.read(stdin); err != nil {
		return s.fail(noInput, err)
	}
	if s.persona == tileiras {
		if err := s.checkAsReference(s.data); err != nil {
			return s.fail(failureOf(err), err)
		}
	}
	var tool *ptxas.Tool
	if s.emit == emitCubin && s.output == "-" && cli.IsTerminal(stdout) {
		return s.fail(badCombination, errors.New("a cubin is no text: send standard output elsewhere"))
	}
	if s.emit == emitCubin && s.text { // before any work is done in vain
		if tool, err = ptxas.Find(s.ptxas); err != nil {
			return s.fail(notCompiled, err)
		}
	}
	if s.text && len(s.data) == 0 {
		return s.fail(notTileIR, fmt.Errorf("%s is empty", s.name))
	}
	if s.kernels, s.planned, err = cli.ReadPlan(passes.Default, s.plan); err != nil {
		return s.fail(badFlag, err)
	}
	switch {
	case s.why != "":
		return s.say(ctx, stdout, s.answer)
	case s.printPlan:
		return s.say(ctx, stdout, s.explainPlan)
	}
	key, kept := s.key(ctx)
	if kept {
		r := s.cache.Get(key)
		zerolog.Ctx(ctx).Debug().Str("component", "cache").Stringer("key", key).Bool("found", r != nil).Msg("looked up")
		if r != nil {
			_, _ = s.stderr.Write(r.Said) // as the compilation did
			return s.deliver(r, stdout)
		}
	}
	r, status := s.make(ctx, tool)
	if r == nil {
		return status
	}
	if kept {
		s.cache.Put(key, r)
	}
	return s.deliver(r, stdout)
}

// deliver writes a result.
func (s *session) deliver(r *cache.Result, stdout io.Writer) int {
	if err := s.write(r, stdout); err != nil {
		return s.fail(notWritten, err)
	}
	return cli.OK
}

// make compiles the input. When there is no result the exit status is that of the failure.
func (s *session) make(ctx context.Context, tool *ptxas.Tool) (r *cache.Result, status int) {
	r = &cache.Result{Files: make(map[string][]byte)}
	to := s.stderr
	var said bytes.Buffer
	s.stderr = io.MultiWriter(to, &said)
	defer func() { s.stderr = to }()
	var err error
	s.ctx = tileir.NewContext()
	s.ctx.Diag.Push(s.remarks.filter(s.handler(s.ctx, s.stderr), s.quote))
	var module ir.Op
	s.timed("Parser", func() { module, err = s.parseModule() })
	if err != nil {
		var invalid *ir.VerifyError
		if errors.As(err, &invalid) {
			return nil, s.fail(notCompiled, nil)
		}
		return nil, s.fail(notTileIR, nil)
	}
	if s.persona == tileiras {
		for _, check := range []func() error{s.openRemarks, s.checkLibraries} {
			if err := check(); err != nil {
				return nil, s.fail(failureOf(err), err)
			}
		}
	}
	if tool == nil && s.emit == emitCubin {
		if tool, err = ptxas.Find(s.ptxas); err != nil && hasEntries(module) {
			return nil, s.fail(notCompiled, err)
		}
	}
	source := &why.Source{Read: s.again, Options: s.compiling(module)}
	out, err := s.compile(ctx, module, tool)
	if s.left != nil && err == nil {
		s.left.files["kernel."+s.emit] = out
	}
	s.report()
	if err != nil {
		return nil, s.fail(notCompiled, short(err))
	}
	r.Files[outputFile], r.Said = out, said.Bytes()
	if s.described != nil {
		r.Files[launchFile] = s.described
	}
	if s.remarks.asked() && (s.remarks.format == remarksYAML || s.persona == tileiras) {
		if err := source.Locate(ctx, s.remarks.got); err != nil {
			return nil, s.fail(notCompiled, err)
		}
		var buf bytes.Buffer
		if s.remarks.format == remarksYAML {
			s.remarks.writeYAML(&buf)
		} else {
			s.remarks.writeReport(&buf)
		}
		r.Files[remarksFile] = buf.Bytes()
	}
	return r, cli.OK
}

// compile makes the output.
func (s *session) compile(ctx context.Context, module ir.Op, tool *ptxas.Tool) ([]byte, error) {
	if s.emit == emitMLIR {
		return s.print(module)
	}
	opts := s.compiling(module)
	opts.Instruments, opts.Reproducer = s.instruments(), &pipeline.Reproducer{Path: s.repro, Input: s.again}
	result, err := compile.To(ctx, module, opts)
	if err == nil && s.dumps != nil {
		err = s.dumps.Err()
	}
	if err != nil {
		return nil, err
	}
	s.ran = result.Pipeline
	if s.launchJSON != "" && result.Launch != nil {
		if s.described, err = result.Launch.Bytes(); err != nil {
			return nil, err
		}
	}
	if s.dumpPipeline {
		fmt.Fprintln(s.stderr, result.Pipeline)
	}
	if s.stats {
		if err := pipeline.WriteStatistics(s.stderr, result.Pipeline, result.Statistics); err != nil {
			return nil, err
		}
		fmt.Fprintln(s.stderr, compile.Count(result.Fallbacks))
	}
	switch s.emit {
	case emitPTX:
		return result.PTX, nil
	case emitCubin:
		return s.assemble(ctx, tool, result)
	}
	return s.print(module)
}

// compiling returns what the command line says of the compilation itself.
func (s *session) compiling(module ir.Op) compile.Options {
	asked := s.gpu
	if !s.flags.Changed("gpu-name") {
		asked = "" // the default counts for modules that name none
	}
	return compile.Options{GPU: asked, OptLevel: s.optLevel, AnyOptLevel: !s.flags.Changed("opt-level"), Record: s.emit != emitPTX && s.emit != emitCubin || s.printing.Any(),
		To: s.goal(), LineInfo: s.lineInfo || s.debug, TileLaunch: s.tileLaunch(), TensorMaps: s.maps(module), NoVerify: !s.verifyEach, Decisions: s.remarks.asked(), PassOptions: s.options(), Kernels: s.kernels,
		Fallback: !s.flags.Changed("verify-each")} // who asks for checks wants to see which one fails
}

// tileLaunch reports whether kernels are for launchers that give a grid and nothing else: those that call tileiras.
func (s *session) tileLaunch() bool { return s.persona == tileiras }

// maps returns how kernels are to have tensor maps. What the module says goes before what the tool is called by.
func (s *session) maps(module ir.Op) contract.TensorMaps {
	to := s.tensorMaps
	if to == contract.AutoTensorMaps {
		pipeline.EachState(module, func(_ ir.Op, said contract.State) { to = said.TensorMaps })
	}
	return cmp.Or(to, s.persona.maps)
}

// again reads the input once more, for a reproducer.
func (s *session) again() (ir.Op, error) { return tileir.Read(tileir.NewContext(), s.name, s.data) }

func (s *session) print(module ir.Op) ([]byte, error) {
	var buf bytes.Buffer
	err := s.printOp(&buf, module)
	buf.WriteByte('\n')
	return buf.Bytes(), err
}

func (s *session) printOp(w io.Writer, op ir.Op) error {
	return asm.Print(w, op, asm.PrintOptions{DebugInfo: s.debugInfo || pipeline.NeedsLocations(op), Generic: s.generic})
}

func (s *session) assemble(ctx context.Context, tool *ptxas.Tool, code *compile.Result) ([]byte, error) {
	if s.left != nil {
		s.left.files["kernel.ptx"] = code.PTX
	}
	if tool == nil {
		return emptyCubin(code.Launch.Target)
	}
	opts := ptxas.Options{Arch: code.Launch.Target, OptLevel: s.optLevel, LineInfo: s.lineInfo && !s.debug, Debug: s.debug, ExtendedShared: s.tileLaunch()}
	if s.sanitize != "" {
		opts.Extra = append(opts.Extra, "-sanitize="+s.sanitize, "-g-tmem-access-check")
	}
	if s.controls != "" {
		opts.Extra = append(opts.Extra, "--apply-controls="+s.controls)
	}
	var result *ptxas.Result
	var err error
	s.timed("Assembler (ptxas)", func() { result, err = tool.Assemble(ctx, code.PTX, opts) })
	if err != nil {
		return nil, err
	}
	return result.Cubin, nil
}

// instruments returns those that flags ask for.
func (s *session) instruments() []pipeline.Instrument {
	var out []pipeline.Instrument
	if s.config.timing {
		out = append(out, s.timing)
	}
	if s.dumps = s.printing.PrintIR(s.stderr, s.printOp); s.dumps != nil {
		out = append(out, s.dumps)
	}
	if s.left != nil {
		out = append(out, s.left)
	}
	return out
}

// timed measures work outside the pipeline.
func (s *session) timed(name string, f func()) {
	start := time.Now()
	f()
	s.timing.Add(name, time.Since(start))
}

// report writes the times, as far as the run came.
func (s *session) report() {
	if !s.config.timing {
		return
	}
	var ran []*pipeline.Pipeline
	if s.ran != nil {
		ran = append(ran, s.ran)
	}
	_ = s.timing.WriteTree(s.stderr, ran...) // a report that cannot be written is no reason to keep the output
}

// write writes the remarks and the output.
func (s *session) write(r *cache.Result, stdout io.Writer) error {
	if remarks, ok := r.Files[remarksFile]; ok {
		to := "-"
		if s.remarks.format == remarksYAML {
			to = s.remarks.file
		}
		if err := cli.Write(to, remarks, stdout); err != nil {
			return err
		}
	}
	if description, ok := r.Files[launchFile]; ok {
		if err := cli.Write(s.launchJSON, description, stdout); err != nil {
			return err
		}
	}
	return cli.Write(s.output, r.Files[outputFile], stdout)
}

// short leaves out of an error what the diagnostics said already.
func short(err error) error {
	var f *pipeline.Failure
	if !errors.As(err, &f) {
		return err
	}
	if again := f.Repeats("tile-opt"); again != "" {
		return fmt.Errorf("%s; %s", f.What(), again)
	}
	return errors.New(f.What())
}
