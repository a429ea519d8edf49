package runtool

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// An argument is one of --arg or --array, in the order of the command line.
type argument struct {
	array bool
	text  string
}

// arguments reads the arguments of a launch into the request. The result names arrays by their first argument.
//
// An array is what cuTile's calling convention makes of one: a pointer, the extents, and the strides, counted in
// elements. The integers have the type that the entry's parameters have there, i32 if nothing says.
func (c *LaunchFlags) arguments(req *launch.Request, module ir.Op) (names map[string]int, err error) {
	names = make(map[string]int)
	params := parameters(module, req.Entry)
	for _, a := range c.args {
		if other, ok := strings.CutPrefix(a.text, "@"); ok && !a.array {
			i, err := argumentIndex(other, names)
			if err != nil || i >= len(req.Args) || req.Args[i].Buffer == nil {
				return nil, fmt.Errorf("argument \"%s\": there is no buffer '%s' before it", a.text, other)
			}
			req.Args = append(req.Args, launch.Arg{Buffer: req.Args[i].Buffer})
			continue
		}
		name, text := "", a.text
		if n, rest, ok := strings.Cut(a.text, "="); ok && a.array && arrayName.MatchString(n) {
			name, text = n, rest
		}
		arg, err := launch.ParseArg(text, nil)
		if err != nil {
			return nil, err
		}
		if name != "" {
			if _, twice := names[name]; twice {
				return nil, fmt.Errorf("two arrays are called '%s'", name)
			}
			names[name] = len(req.Args)
		}
		first := len(req.Args)
		if req.Args = append(req.Args, arg); !a.array {
			continue
		}
		if arg.Buffer == nil {
			return nil, fmt.Errorf("array \"%s\" is a scalar, which --arg passes", a.text)
		}
		for i, n := range shapeAndStrides(arg.Buffer) {
			d := launch.I32
			if k := first + 1 + i; k < len(params) {
				if p, err := launch.ParseDType(strings.TrimSuffix(strings.TrimPrefix(spell(params[k].Type()), "tile<"), ">")); err == nil && p == launch.I64 {
					d = p
				}
			}
			bits, err := d.ParseValue(strconv.Itoa(n))
			if err != nil {
				return nil, fmt.Errorf("array \"%s\": %w", a.text, err)
			}
			req.Args = append(req.Args, launch.Arg{Scalar: launch.Scalar{DType: d, Bits: bits}})
		}
	}
	return names, nil
}

// arrayName is what an array may be called: no type of an element, which stands before a colon or a bracket.
var arrayName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// shapeAndStrides returns the extents of a buffer and its strides in C order, both in elements.
func shapeAndStrides(b *launch.Buffer) []int {
	rank := len(b.Shape)
	out := make([]int, 2*rank)
	stride := 1
	for i := rank - 1; i >= 0; i-- {
		out[i] = b.Shape[i]
		if i == rank-1 {
			out[i] *= b.DType.PerByte()
		}
		out[rank+i] = stride
		stride *= out[i]
	}
	return out
}

// argumentIndex is the number of an argument, which may be the name of an array.
func argumentIndex(text string, names map[string]int) (int, error) {
	if i, ok := names[text]; ok {
		return i, nil
	}
	n, err := strconv.ParseUint(text, 10, 16)
	return int(n), err
}

// numbered puts the number of an argument in the place of the name of an array, in NAME=FILE.
func numbered(text string, names map[string]int) string {
	head, rest, ok := strings.Cut(text, "=")
	if i, known := names[head]; ok && known {
		return strconv.Itoa(i) + "=" + rest
	}
	return text
}

// parameters are those of an entry of a module, as far as they are known.
func parameters(module ir.Op, entry string) []ir.Value {
	if module.IsNil() {
		return nil
	}
	if op := findEntry(module, entry); !op.IsNil() {
		return op.Body().Args()
	}
	return nil
}

var ptxEntry = regexp.MustCompile(`(?m)^\s*(?:\.visible\s+|\.weak\s+)?\.entry\s+([\w$%.]+)`)

// onlyEntry returns the name of the one entry that a program has.
func onlyEntry(file string, ptx []byte, module ir.Op) (string, error) {
	var names []string
	if module.IsNil() {
		for _, m := range ptxEntry.FindAllSubmatch(ptx, -1) {
			names = append(names, string(m[1]))
		}
	} else {
		names = entriesOf(module)
	}
	switch len(names) {
	case 1:
		return names[0], nil
	case 0:
		return "", fmt.Errorf("'%s' has no entry", file)
	}
	return "", fmt.Errorf("'%s' has %d entries, and --entry does not say which; entries: %s", file, len(names), suggest.List(names))
}

// entriesOf returns the names of the entries of a module.
func entriesOf(module ir.Op) (names []string) {
	module.Walk(func(op ir.Op) ir.WalkResult {
		if interp.IsEntry(op) {
			names = append(names, op.SymbolName())
		}
		return ir.Advance
	})
	return names
}
