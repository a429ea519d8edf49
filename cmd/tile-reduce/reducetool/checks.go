package reducetool

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
)

// A check is a built-in test. It keeps to what was wrong with the input: a pass that crashes must be the one that
// crashes on the input. Otherwise the reduction would end at another bug, which smaller modules often have.
type check struct {
	name, doc string
	test      func(k *checker, ctx context.Context, text []byte) (bool, error)
}

var checks = []check{
	{"crashes", "a pass panics", func(k *checker, ctx context.Context, text []byte) (bool, error) {
		return k.fails(ctx, text, pipeline.Crashed)
	}},
	{"invalid", "a pass leaves IR that the verifier rejects, or that lacks a property", func(k *checker, ctx context.Context, text []byte) (bool, error) {
		return k.fails(ctx, text, pipeline.Invalid, pipeline.Broken)
	}},
	{"engines", "interpreter and PTX emulator leave different results of --case", (*checker).differ},
	{"spills", "ptxas keeps registers in memory", (*checker).spills},
}

func checkNames() (names []string) {
	for _, c := range checks {
		names = append(names, c.name)
	}
	return names
}

// checksHelp describes the checks for the list of flags.
func checksHelp() string {
	var list []string
	for _, c := range checks {
		list = append(list, c.name+" ("+c.doc+")")
	}
	return strings.Join(list, ", ")
}

// A checker holds what the candidates of a reduction have in common.
type checker struct {
	check  *check
	config *config
	kase   *launch.Case
	ptxas  *ptxas.Tool

	pass string // that failed on the input
	kind string // how engines differed on it
}

func newChecker(c *config) (*checker, error) {
	k := &checker{config: c}
	for i := range checks {
		if checks[i].name == c.check {
			k.check = &checks[i]
		}
	}
	if k.check == nil {
		return nil, fmt.Errorf("unknown check '%s'%s; there is %s", c.check, suggest.DidYouMean(c.check, checkNames()), strings.Join(checkNames(), ", "))
	}
	if k.engines() != (c.kase != "") {
		return nil, errors.New("--case is what --check=engines executes, and for it alone")
	}
	if c.pipeline != "" {
		if k.engines() || k.check.name == "spills" {
			return nil, fmt.Errorf("--check=%s is of the default pipeline, and cannot be combined with --pass-pipeline", k.check.name)
		}
		if _, err := pipeline.Parse(passes.Default, c.pipeline); err != nil {
			return nil, err
		}
	}
	return k, nil
}

func (k *checker) engines() bool { return k.check.name == "engines" }

// prepare reads what the check needs besides the module.
func (k *checker) prepare() (err error) {
	if k.engines() {
		k.kase, err = launch.LoadCase(k.config.kase)
	}
	if k.check.name == "spills" {
		k.ptxas, err = ptxas.Find(k.config.ptxas)
	}
	return err
}

// interesting reports whether a module has what the check looks for.
func (k *checker) interesting(ctx context.Context, text []byte) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, k.config.timeout)
	defer cancel()
	ok, err := k.check.test(k, limited, text)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if limited.Err() != nil {
		return false, nil
	}
	return ok, err
}

func read(text []byte) (ir.Op, error) {
	ctx := tileir.NewContext()
	ctx.Diag.Push(func(*ir.Diagnostic) {}) // what is said of candidates is of no use
	return tileir.Read(ctx, "candidate.mlir", text)
}

// compile compiles a module to PTX, or by the pipeline that the command line names.
func (k *checker) compile(ctx context.Context, text []byte) (*compile.Result, error) {
	module, err := read(text)
	if err != nil {
		return nil, err
	}
	pipeline.Forget(module) // a smaller module need not have the properties that the input has
	if k.config.pipeline == "" {
		return compile.To(ctx, module, compile.Options{GPU: k.config.gpu, OptLevel: k.config.optLevel})
	}
	target, err := tileir.Target(module, tileir.Asked{GPU: k.config.gpu, OptLevel: k.config.optLevel})
	if err != nil {
		return nil, err
	}
	p, err := pipeline.ParseFor(passes.Default, k.config.pipeline, target)
	if err != nil {
		return nil, err
	}
	in := pipeline.Inspect(passes.Default, module, target)
	m := &pipeline.Manager{Target: target, Input: &in}
	_, err = m.Run(ctx, p, module)
	return &compile.Result{Module: module, Pipeline: p}, err
}

// fails reports whether a pass fails in one of some ways: the pass that failed on the input.
func (k *checker) fails(ctx context.Context, text []byte, kinds ...pipeline.FailureKind) (bool, error) {
	_, err := k.compile(ctx, text)
	var f *pipeline.Failure
	if !errors.As(err, &f) {
		return false, nil
	}
	for _, kind := range kinds {
		if f.Kind == kind && (k.pass == "" || k.pass == f.Pass.Name) {
			k.pass = f.Pass.Name
			return true, nil
		}
	}
	return false, nil
}

// How engines differ.
const (
	differentResults = "leave different results"
	emulatorFails    = "differ in that PTX cannot be executed"
)

// differ executes a module in the interpreter and as PTX.
func (k *checker) differ(ctx context.Context, text []byte) (bool, error) {
	module, err := read(text)
	if err != nil {
		return false, nil
	}
	want := k.kase.Request()
	e := interp.New(module)
	e.LooseIndices = true
	if e.Run(ctx, want) != nil {
		return false, nil // what has no meaning shows nothing
	}
	result, err := k.compile(ctx, text)
	if err != nil {
		return false, nil
	}
	emu, err := result.Emulator(k.kase.Name+".ptx", k.kase.Entry)
	if err != nil {
		return false, nil
	}
	got, kind := k.kase.Request(), differentResults
	if emu.Run(ctx, got) != nil {
		kind = emulatorFails
	} else if same, err := k.same(got, want); err != nil || same {
		return false, err
	}
	if k.kind == "" {
		k.kind = kind
	}
	return k.kind == kind, nil
}

// same compares what two engines left, by the tolerances of the case.
func (k *checker) same(got, want *launch.Request) (bool, error) {
	expect := make([]launch.Expect, len(k.kase.Expect))
	for i, e := range k.kase.Expect {
		expect[i] = e
		if e.Segment {
			expect[i].Want = want.Segments[e.Arg].Buffer()
		} else {
			expect[i].Want = want.Args[e.Arg].Buffer
		}
	}
	r, err := launch.Check(k.kase.Name, got, expect)
	return err == nil && r.OK(), err
}

// spills reports whether ptxas keeps registers in memory.
func (k *checker) spills(ctx context.Context, text []byte) (bool, error) {
	result, err := k.compile(ctx, text)
	if err != nil || result.Launch == nil {
		return false, nil
	}
	cubin, err := k.ptxas.Assemble(ctx, result.PTX, ptxas.Options{Arch: result.Launch.Target, OptLevel: 3})
	if err != nil {
		return false, nil
	}
	for _, e := range cubin.Entries {
		if e.SpillStores+e.SpillLoads > 0 {
			return true, nil
		}
	}
	return false, nil
}
