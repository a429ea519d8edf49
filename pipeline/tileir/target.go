package tileir

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/target/sm"
)

// Asked is what a user says about the target.
type Asked struct {
	GPU      string // "": nothing
	OptLevel int
	// AnyOptLevel says that OptLevel is only a default.
	AnyOptLevel bool
	// TensorMaps is where TMA copies are to have their tensor maps from; contract.AutoTensorMaps: nothing.
	TensorMaps contract.TensorMaps
}

// Target is where every tool finds out what to compile a module for. It is the architecture that was asked for, else
// the one that the module names by an attribute of package contract, else passes.DefaultGPU. A module for another
// architecture than the one asked for is an error, and so is an unknown name, even if no pass uses the target. IR that
// was printed half way names the level of optimization and the source of tensor maps too.
func Target(module ir.Op, asked Asked) (*passes.Target, error) {
	t := &passes.Target{GPU: asked.GPU, OptLevel: asked.OptLevel, TensorMaps: asked.TensorMaps}
	if asked.GPU != "" {
		if _, err := sm.Lookup(asked.GPU); err != nil {
			return nil, err
		}
	}
	if named, by, ok := contract.Architecture(module); ok {
		if err := forGPU(t, named, by); err != nil {
			return nil, err
		}
	}
	var err error
	anyLevel := asked.AnyOptLevel
	pipeline.EachState(module, func(op ir.Op, s contract.State) {
		if err != nil {
			return
		}
		if anyLevel {
			t.OptLevel, anyLevel = s.OptLevel, false
		}
		if s.OptLevel != t.OptLevel {
			err = fmt.Errorf("'%s' was compiled at -O%d so far, and cannot go on at -O%d", op.Name(), s.OptLevel, t.OptLevel)
			return
		}
		if err = forGPU(t, s.GPU, contract.StateAttr); err != nil || s.TensorMaps == contract.AutoTensorMaps {
			return
		}
		if t.TensorMaps == contract.AutoTensorMaps {
			t.TensorMaps = s.TensorMaps
		}
		if s.TensorMaps != t.TensorMaps {
			err = fmt.Errorf("'%s' was compiled with --tensor-maps=%s so far, and cannot go on with %s", op.Name(), s.TensorMaps, t.TensorMaps)
		}
	})
	if t.GPU == "" {
		t.GPU = passes.DefaultGPU
	}
	return t, err
}

// forGPU makes a target one for the architecture that a module names by some attribute.
func forGPU(t *passes.Target, named, by string) error {
	if t.GPU != "" && t.GPU != named {
		return fmt.Errorf("the module is for '%s' (%s), but --gpu-name is '%s'", named, by, t.GPU)
	}
	if _, err := sm.Lookup(named); err != nil {
		return fmt.Errorf("the module is for '%s' (%s), which is no known architecture; there is %s", named, by, strings.Join(sm.Names(), ", "))
	}
	t.GPU = named
	return nil
}
