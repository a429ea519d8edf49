package nvvmtoptx

import (
	"bytes"
	"fmt"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/property/nvvmprop"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
)

// TileLaunch, if set to true in a target, makes kernels for launchers of tile kernels, which give a grid and
// nothing else. Entries are marked as compiled from Tile IR, and all shared memory is static. Beyond 48 KiB,
// ptxas accepts that with --enable-extended-smem=true.
var TileLaunch = passes.NewTargetKey[bool]("tile-launch")

// A Style is how a module is written: LineInfo and TileLaunch.
type Style struct{ Lines, TileLaunch bool }

// LineInfo, when set to true in a target, adds source locations to the PTX.
var LineInfo = passes.NewTargetKey[bool]("line-info")

// The names of the artifacts.
const (
	PTXArtifact    = "ptx"    // the text of the module
	LaunchArtifact = "launch" // a *Launch; as a file, its JSON
)

var instructions = passes.NewStatistic("ptx-statements", "statements of PTX written")

// Pass is emit-ptx.
var Pass = passes.Register(&passes.Pass{
	Name:        "emit-ptx",
	Summary:     "emit the kernels of a module as PTX",
	Doc:         "Leaves the PTX module as artifact \"ptx\", and block sizes, shared memory and parameters of its kernels as artifact \"launch\". The IR stays unchanged.",
	On:          "builtin.module",
	Requires:    []*passes.Property{property.NVVM, nvvmprop.MathExpanded, nvvmprop.LegalArith},
	Establishes: []*passes.Property{property.PTX},
	Statistics:  []*passes.Statistic{instructions},
	Run:         run,
})

func run(r *passes.Run) error {
	var style Style
	style.Lines, _ = LineInfo.Get(r.Target)
	style.TileLaunch, _ = TileLaunch.Get(r.Target)
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	m, launch, err := Emit(r.Op, arch, style)
	if err != nil {
		return err
	}
	n := 0
	for _, e := range m.Entries {
		n += e.Body.Len()
	}
	r.Add(instructions, n)
	var text bytes.Buffer
	if _, err := m.WriteTo(&text); err != nil {
		return fmt.Errorf("writing PTX: %w", err)
	}
	r.SetArtifact(PTXArtifact, passes.Text(text.Bytes()))
	r.SetArtifact(LaunchArtifact, launch)
	return nil
}

// Emit builds the PTX module of the kernels in a module, for an architecture.
//
// It takes two steps, because the head of a module depends on its bodies. `.version`, `.target` and the variables
// of shared memory are known when the last instruction has been written. The target decides whether these
// variables are static or extern.
func Emit(module ir.Op, arch *sm.Arch, style Style) (*ptx.Module, *Launch, error) {
	m := new(ptx.Module)
	launch := new(Launch)
	var emitters []*emitter
	// The PTX version and the suffix of the target follow from what the kernels use, so that the text asks for the
	// oldest driver that can run it.
	needs := newFeatures(arch)
	// Variables first, since PTX wants a symbol declared before it is named, and a variable of the IR may be after a
	// kernel.
	globals := make(map[string]bool)
	for op := range module.Body().Ops() {
		if !op.Is(nvvm.GlobalVar) {
			continue
		}
		v, err := globalVariable(op)
		if err != nil {
			return nil, nil, err
		}
		globals[v.Name] = true
		m.Vars = append(m.Vars, v)
	}
	for op := range module.Body().Ops() {
		if op.Is(nvvm.GlobalVar) {
			continue
		}
		if !op.Is(nvvm.Func) {
			return nil, nil, op.Errorf("cannot be written as PTX")
		}
		e := newEmitter(op, needs, globals, style.Lines)
		if err := e.function(); err != nil {
			return nil, nil, err
		}
		if style.TileLaunch {
			e.entry.Directives.Language = ptx.TileIRLanguage
			if err := e.need(op, sm.DirectiveLanguage); err != nil {
				return nil, nil, err
			}
		}
		emitters = append(emitters, e)
		m.Entries = append(m.Entries, e.entry)
	}
	// Collected while bodies were written: which functions are called, and under which types, only the calls say.
	m.Funcs = needs.funcs
	var err error
	if m.Target, err = needs.target(); err != nil {
		return nil, nil, ir.Errorf(module.Loc(), "%v", err)
	}
	launch.Target, launch.Version = m.Target.String(), m.Target.Version.String()
	for _, e := range emitters {
		k := e.launch()
		v, err := e.sharedVariable(m.Target, k, style.TileLaunch)
		if err != nil {
			return nil, nil, err
		}
		if v != nil {
			m.Vars = append(m.Vars, v)
		}
		if k.DynamicShared > 0 {
			m.Comments = append(m.Comments, fmt.Sprintf("%s: %d bytes of dynamic shared memory", k.Name, k.DynamicShared))
		}
		launch.Kernels = append(launch.Kernels, k)
	}
	if err := m.Verify(); err != nil {
		return nil, nil, ir.Errorf(module.Loc(), "the PTX module is malformed: %v", err)
	}
	return m, launch, nil
}

// features collects what the target must have.
type features struct {
	arch *sm.Arch
	list []sm.Feature
	seen map[sm.Feature]bool
	// funcs are the functions outside the module that its kernels call.
	funcs []*ptx.Func
}

func newFeatures(a *sm.Arch) *features {
	return &features{arch: a, seen: make(map[sm.Feature]bool)}
}

func (f *features) target() (sm.Target, error) { return f.arch.Target(f.list...) }

// need notes that op uses a feature, and fails if the architecture has not got it.
//
// An error here names the operation of the IR; the same instruction in the text would be an error of ptxas, in
// a line that nobody wrote.
func (e *emitter) need(op ir.Op, f sm.Feature) error {
	if !e.features.arch.Has(f) {
		return op.Errorf("needs %s, which %s does not have", f.Doc(), e.features.arch)
	}
	if !e.features.seen[f] {
		e.features.seen[f] = true
		e.features.list = append(e.features.list, f)
	}
	return nil
}
