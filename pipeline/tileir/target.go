package tileir

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// GPU returns the name of the architecture to compile a module for: the one that was asked for, else the one that the module names by an attribute of
// package contract, else "". That the module is for another architecture than asked for, or for one that there is not, is an error.
func GPU(module ir.Op, asked string) (string, error) {
	named, by, ok := contract.Architecture(module)
	switch {
	case !ok:
		return asked, nil
	case asked != "" && asked != named:
		return "", fmt.Errorf("the module is for '%s' (%s), but --gpu-name is '%s'", named, by, asked)
	}
	if _, err := sm.Lookup(named); err != nil {
		return "", fmt.Errorf("the module is for '%s' (%s), which is no known architecture; there is %s", named, by, strings.Join(sm.Names(), ", "))
	}
	return named, nil
}
