package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes"
)

// A Reproducer writes a file that repeats a failure: the input with its locations, and how it was processed, as the
// resource group that MLIR tools read back with --run-reproducer.
type Reproducer struct {
	// Path is the file; empty: one in the folder for temporary files, and only for faults of passes: not when a pass
	// rejects its input, unless Failure.Keep is called.
	Path string
	// Input makes the IR unchanged before the pipeline ran.
	Input func() (ir.Op, error)
}

const (
	sectionExternal = "external_resources"
	groupReproducer = "mlir_reproducer"
	groupTarget     = "tilewright_target" // a group of its own, because MLIR tools reject unknown keys in theirs
)

// reproduce writes the file for a failure and notes its name in it.
func (m *Manager) reproduce(p *Pipeline, f *Failure) {
	rep := m.Reproducer
	if rep == nil {
		return
	}
	f.write = func() {
		_, err := protect(func() (err error) {
			f.Reproducer, f.Elsewhere, err = rep.write(m.resources(p))
			return err
		})
		if err != nil {
			f.Reproducer = ""
			f.Err = fmt.Errorf("%w (no reproducer could be written: %v)", f.Err, err)
		}
	}
	if rep.Path != "" || f.Kind.isOurs() {
		f.Keep()
	}
}

func (m *Manager) resources(p *Pipeline) []asm.ResourceGroup {
	groups := []asm.ResourceGroup{{Section: sectionExternal, Key: groupReproducer, Entries: []asm.Resource{
		{Key: "pipeline", Text: p.String()},
		{Key: "disable_threading", IsBool: true, Bool: m.Workers == 1},
		{Key: "verify_each", IsBool: true, Bool: !m.NoVerify},
	}}}
	if t := m.Target; t != nil && (t.GPU != "" || t.OptLevel != 0 || t.TensorMaps != contract.AutoTensorMaps) {
		groups = append(groups, asm.ResourceGroup{Section: sectionExternal, Key: groupTarget, Entries: []asm.Resource{
			{Key: "gpu_name", Text: t.GPU},
			{Key: "opt_level", Text: strconv.Itoa(t.OptLevel)},
			{Key: "tensor_maps", Text: t.TensorMaps.String()},
		}})
	}
	return groups
}

// write returns the file that it wrote. When the one that was asked for cannot be written, which why says, it is a
// temporary one: a failure may be hard to come by again.
func (rep *Reproducer) write(groups []asm.ResourceGroup) (path string, why, err error) {
	op, err := rep.Input()
	if err != nil {
		return "", nil, err
	}
	var buf bytes.Buffer
	if err := asm.Print(&buf, op, asm.PrintOptions{DebugInfo: true, Resources: groups}); err != nil {
		return "", nil, err
	}
	if rep.Path != "" {
		if why = os.WriteFile(rep.Path, buf.Bytes(), 0o666); why == nil {
			return rep.Path, nil, nil
		}
	}
	file, err := os.CreateTemp("", "tilewright-crash-*.mlir")
	if err != nil {
		return "", why, errors.Join(why, err)
	}
	_, err = file.Write(buf.Bytes())
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return file.Name(), why, err
}

// A Recipe is how a reproducer says that its IR is to be processed.
type Recipe struct {
	Pipeline         string
	VerifyEach       bool
	DisableThreading bool
	Target           passes.Target
}

// RecipeFrom finds the recipe among the resources of a file.
func RecipeFrom(groups []asm.ResourceGroup) (Recipe, bool) {
	rec, found := Recipe{VerifyEach: true}, false
	for i := range groups {
		g := &groups[i]
		switch {
		case g.Section != sectionExternal:
		case g.Key == groupReproducer:
			found = true
			for _, e := range g.Entries {
				switch e.Key {
				case "pipeline":
					rec.Pipeline = e.Text
				case "verify_each":
					rec.VerifyEach = e.Bool
				case "disable_threading":
					rec.DisableThreading = e.Bool
				}
			}
		case g.Key == groupTarget:
			gpu, _ := g.Get("gpu_name")
			opt, _ := g.Get("opt_level")
			rec.Target.GPU = gpu.Text
			maps, _ := g.Get("tensor_maps")
			_ = rec.Target.TensorMaps.Set(maps.Text)        // of an older tool: auto
			rec.Target.OptLevel, _ = strconv.Atoi(opt.Text) // a reproducer that someone edited runs at -O0
		}
	}
	return rec, found
}
