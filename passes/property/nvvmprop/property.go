// Package nvvmprop declares the properties of level nvvm, each with its check.
package nvvmprop

import (
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	// MathExpanded: elementary functions are arithmetic.
	MathExpanded = passes.NewProperty("math-expanded", "has elementary functions written as arithmetic", property.NVVM, passes.Check{Ops: mathExpanded})
	// LegalArith: the target has an instruction for each arithmetic operation.
	LegalArith = passes.NewProperty("legal-arith", "has only arithmetic that the target has instructions for", property.NVVM, passes.Check{Ops: legalArith})
)
