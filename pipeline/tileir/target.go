package tileir

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/target/sm"
)

// Target is where every tool finds out what to compile a module for: the architecture that was asked for ("" when none was), else the one that the module
// names by an attribute of package contract, else passes.DefaultGPU. That the module is for another architecture than asked for, or that there is none of the
// name, is an error whether or not any pass will look at it.
func Target(module ir.Op, asked string, optLevel int) (*passes.Target, error) {
	t := &passes.Target{GPU: asked, OptLevel: optLevel}
	if asked != "" {
		if _, err := sm.Lookup(asked); err != nil {
			return nil, err
		}
	}
	named, by, ok := contract.Architecture(module)
	switch {
	case !ok && asked == "":
		t.GPU = passes.DefaultGPU
	case !ok:
	case asked != "" && asked != named:
		return nil, fmt.Errorf("the module is for '%s' (%s), but --gpu-name is '%s'", named, by, asked)
	default:
		if _, err := sm.Lookup(named); err != nil {
			return nil, fmt.Errorf("the module is for '%s' (%s), which is no known architecture; there is %s", named, by, strings.Join(sm.Names(), ", "))
		}
		t.GPU = named
	}
	return t, nil
}
