package runtool

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/target/engine/interp"
)

// traceAll asks for all values.
const traceAll = "all"

// maxTraced is how many elements of a tile are printed.
const maxTraced = 16

// A tracer prints the values of a CTA when they are computed.
type tracer struct {
	w     io.Writer
	names map[ir.Value]string // of the values to print
}

// newTracer finds the values of an entry by the names that the printed module gives them.
func newTracer(w io.Writer, module ir.Op, entry string, wanted []string) (*tracer, error) {
	t := &tracer{w: w, names: make(map[ir.Value]string)}
	values := make(map[string]ir.Value)
	if found := findEntry(module, entry); !found.IsNil() {
		nameOf := asm.ValueNames(found)
		found.Walk(func(op ir.Op) ir.WalkResult {
			for _, r := range op.Results() {
				if op != found {
					values[nameOf(r)] = r
				}
			}
			return ir.Advance
		})
	}
	for _, name := range wanted {
		if name == traceAll {
			for n, v := range values {
				t.names[v] = n
			}
			continue
		}
		if !strings.HasPrefix(name, "%") {
			name = "%" + name
		}
		v, ok := values[name]
		if !ok {
			known := make([]string, 0, len(values))
			for n := range values {
				known = append(known, n)
			}
			slices.Sort(known)
			return nil, fmt.Errorf("no operation of entry '%s' has a result '%s'%s", entry, name, suggest.DidYouMean(name, known))
		}
		if !interp.Traceable(v.Type()) {
			return nil, fmt.Errorf("'%s' is a %s, and only tiles can be traced", name, ir.TypeString(v.Type()))
		}
		t.names[v] = name
	}
	return t, nil
}

func findEntry(module ir.Op, name string) (found ir.Op) {
	module.Walk(func(op ir.Op) ir.WalkResult {
		if interp.IsEntry(op) && op.SymbolName() == name {
			found = op
			return ir.Interrupt
		}
		return ir.Advance
	})
	return found
}

func (t *tracer) event(e interp.Event) {
	for _, tile := range e.Tiles {
		name, ok := t.names[tile.Value]
		if !ok {
			continue
		}
		elements := make([]string, min(len(tile.Bits), maxTraced))
		for i := range elements {
			elements[i] = tile.Text(i)
		}
		more := ""
		if n := len(tile.Bits) - len(elements); n > 0 {
			more = fmt.Sprintf(", and %d more", n)
		}
		at := ""
		if l := ir.FileLocOf(e.Op.Loc()); l != nil {
			at = fmt.Sprintf("%s:%d:%d: ", l.File, l.Line, l.Column)
		}
		fmt.Fprintf(t.w, "%sstep %d: %s = [%s%s] : %s\n", at, e.Step, name, strings.Join(elements, ", "), more, ir.TypeString(tile.Value.Type()))
	}
}
