package dapserver

import (
	"fmt"
	"strings"

	"github.com/google/go-dap"
	"github.com/tilewright/tilewright/internal/tooling/debug"
	"github.com/tilewright/tilewright/internal/tooling/debug/expr"
	"github.com/tilewright/tilewright/ir/source"
)

const (
	maxHandles = 1 << 14 // lists of variables of one stop
	maxParts   = 100     // parts that a list has
	maxShown   = 64 << 10
)

// handle numbers a list of variables, which is made when the client asks for it. 0 stands for none.
func (s *session) handle(list func() []dap.Variable) int {
	if len(s.handles) == maxHandles {
		return 0
	}
	s.handles = append(s.handles, list)
	return len(s.handles)
}

func (s *session) scopes(r *dap.ScopesRequest) {
	f, err := s.frame(r.Arguments.FrameId)
	if err != nil {
		s.fail(&r.Request, "%v", err)
		return
	}
	scope := func(name, hint string, expensive bool, list func() []debug.Variable) dap.Scope {
		return dap.Scope{Name: name, PresentationHint: hint, Expensive: expensive, VariablesReference: s.handle(func() []dap.Variable { return s.shown(f, list()) })}
	}
	operation := dap.Scope{Name: "Operation", VariablesReference: s.handle(func() []dap.Variable {
		out := []dap.Variable{{Name: "next", Value: f.Op().Name()}}
		if region := f.Region(); region != "" {
			out = append(out, dap.Variable{Name: "access", Value: region})
		}
		for _, v := range f.Operands() {
			v.Name = "operand " + v.Name
			out = append(out, s.variable(f, v.Name, "", v.Array))
		}
		for _, v := range f.Results() {
			out = append(out, s.variable(f, "result before "+v.Name, "", v.Array))
		}
		return out
	})}
	s.send(&dap.ScopesResponse{Response: to(&r.Request), Body: dap.ScopesResponseBody{Scopes: []dap.Scope{
		scope("Variables", "locals", false, f.Variables), scope("Arguments", "arguments", false, f.Arguments), scope("Tile block", "", false, f.Where), operation,
		scope("Tile IR values", "registers", true, f.Values),
	}}})
}

func (s *session) shown(f *debug.Frame, list []debug.Variable) []dap.Variable {
	out := make([]dap.Variable, 0, len(list))
	for _, v := range list {
		out = append(out, s.variable(f, v.Name, v.Name, v.Array))
	}
	return out
}

// variable shows an array under a name. evaluate is an expression for it; "": there is none.
func (s *session) variable(f *debug.Frame, name, evaluate string, a expr.Array) dap.Variable {
	v := dap.Variable{Name: name, Value: source.Printable(a.Summary()), Type: typeOf(a), EvaluateName: evaluate}
	if addr, ok := f.Address(evaluate); ok && evaluate != "" {
		v.MemoryReference = fmt.Sprintf("%#x", addr)
	}
	if len(a.Shape) > 0 && !a.Tuple && a.Count() > 0 {
		v.VariablesReference = s.handle(func() []dap.Variable { return s.parts(f, evaluate, a, 0, a.Shape[0]) })
	}
	return v
}

func typeOf(a expr.Array) string {
	switch {
	case a.Type == "":
		return ""
	case len(a.Shape) == 0:
		return a.Type
	}
	return a.Type + " " + a.Dims()
}

// parts are the elements along the first dimension, from one to before another: one by one if they are few, else in
// ranges.
func (s *session) parts(f *debug.Frame, evaluate string, a expr.Array, from, to int64) (out []dap.Variable) {
	size := int64(1)
	for (to-from+size-1)/size > maxParts {
		size *= maxParts
	}
	for i := from; i < to; i += size {
		end := min(i+size, to)
		if size == 1 {
			name := fmt.Sprintf("[%d]", i)
			inner := ""
			if evaluate != "" {
				inner = evaluate + name
			}
			out = append(out, s.variable(f, name, inner, a.Row(i)))
			continue
		}
		part := a.Part(0, i, end)
		out = append(out, dap.Variable{Name: fmt.Sprintf("[%d:%d]", i, end), Value: part.Summary(), VariablesReference: s.handle(func() []dap.Variable { return s.parts(f, evaluate, a, i, end) })})
	}
	return out
}

func (s *session) variables(r *dap.VariablesRequest) {
	n := r.Arguments.VariablesReference
	if n < 1 || n > len(s.handles) {
		s.fail(&r.Request, "there is no list of variables %d at this stop", n)
		return
	}
	list := s.handles[n-1]()
	if from := r.Arguments.Start; from > 0 {
		list = list[min(from, len(list)):]
	}
	if count := r.Arguments.Count; count > 0 && count < len(list) {
		list = list[:count]
	}
	if list == nil {
		list = []dap.Variable{}
	}
	s.send(&dap.VariablesResponse{Response: to(&r.Request), Body: dap.VariablesResponseBody{Variables: list}})
}

// help is what the console of a client answers to "help".
var help = `x               a tile or an array, as a table
x[0, 5], x[:4]  an element, a part
picture(x)      a drawing of it
block == (3, 0) the tile block; grid, step
Functions: ` + strings.Join(expr.Functions(), ", ") + `
Operators: those of Python. Names beginning with % are values of Tile IR.`

func (s *session) evaluate(r *dap.EvaluateRequest) {
	a := r.Arguments
	f, err := s.frame(a.FrameId)
	if err != nil {
		s.fail(&r.Request, "%v", err)
		return
	}
	text := strings.TrimSpace(a.Expression)
	if a.Context == "repl" && text == "help" {
		s.send(&dap.EvaluateResponse{Response: to(&r.Request), Body: dap.EvaluateResponseBody{Result: help}})
		return
	}
	e, err := expr.Parse(text)
	if err != nil {
		s.fail(&r.Request, "%v", err)
		return
	}
	value, err := e.Eval(f)
	if err != nil {
		s.fail(&r.Request, "%v", err)
		return
	}
	shown := s.variable(f, text, text, value)
	if a.Context == "repl" || a.Context == "clipboard" || value.Picture {
		shown.Value = source.Printable(value.Show())
	}
	s.send(&dap.EvaluateResponse{Response: to(&r.Request), Body: dap.EvaluateResponseBody{Result: shown.Value[:min(len(shown.Value), maxShown)], Type: shown.Type,
		VariablesReference: shown.VariablesReference, MemoryReference: shown.MemoryReference}})
}
