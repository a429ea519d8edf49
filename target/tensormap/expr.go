package tensormap

import (
	"fmt"
	"slices"
)

// An Expr is an integer that the arguments of a launch give: one of them, a constant, or an operation. Exactly one of
// the three is set.
type Expr struct {
	Param *int   `json:"param,omitempty"` // the number of the parameter
	Const *int64 `json:"const,omitempty"`
	Op    string `json:"op,omitempty"`
	Bits  int    `json:"bits,omitempty"` // of the result of an operation, which wraps around; of an extension, of its operand
	Args  []Expr `json:"args,omitempty"`
}

// Param is an argument of the launch.
func Param(i int) Expr { return Expr{Param: &i} }

// Const is a constant.
func Const(n int64) Expr { return Expr{Const: &n} }

// The operations, by the name that they have in the IR.
var operations = map[string]func(a, b uint64) uint64{
	"addi": func(a, b uint64) uint64 { return a + b },
	"subi": func(a, b uint64) uint64 { return a - b },
	"muli": func(a, b uint64) uint64 { return a * b },
	"shli": func(a, b uint64) uint64 { return a << min(b, 63) },
	"andi": func(a, b uint64) uint64 { return a & b },
	"ori":  func(a, b uint64) uint64 { return a | b },
}

// Conversions: of the lowest bits of an operand.
var conversions = []string{"extsi", "extui", "trunci"}

// Computes reports whether an operation of the IR can be one of an expression.
func Computes(op string) bool { return operations[op] != nil || slices.Contains(conversions, op) }

// Operation is an operation of so many bits.
func Operation(op string, bits int, args ...Expr) Expr { return Expr{Op: op, Bits: bits, Args: args} }

// maxDepth bounds expressions that are read from a file.
const maxDepth = 64

// Value returns the value for arguments.
func (e *Expr) Value(args []uint64) (uint64, error) { return e.value(args, maxDepth) }

func (e *Expr) value(args []uint64, depth int) (uint64, error) {
	switch {
	case depth == 0:
		return 0, fmt.Errorf("tensor map: an expression is deeper than %d", maxDepth)
	case e.Param != nil:
		if *e.Param < 0 || *e.Param >= len(args) {
			return 0, fmt.Errorf("tensor map: parameter %d is not one of %d", *e.Param, len(args))
		}
		return args[*e.Param], nil
	case e.Const != nil:
		return uint64(*e.Const), nil
	}
	var v [2]uint64
	f, binary := operations[e.Op]
	if !Computes(e.Op) || e.Bits < 1 || e.Bits > 64 || len(e.Args) != 1 && !binary || len(e.Args) != 2 && binary {
		return 0, fmt.Errorf("tensor map: '%s' of %d bits with %d operands is no operation", e.Op, e.Bits, len(e.Args))
	}
	for i := range e.Args {
		var err error
		if v[i], err = e.Args[i].value(args, depth-1); err != nil {
			return 0, err
		}
	}
	unused := 64 - e.Bits
	if e.Op == "extsi" {
		return uint64(int64(v[0]<<unused) >> unused), nil
	}
	if binary {
		v[0] = f(v[0], v[1])
	}
	return v[0] << unused >> unused, nil
}
