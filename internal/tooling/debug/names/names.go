package names

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp"
)

// A Named is a value and what a function calls it.
type Named struct {
	Name  string
	Value ir.Value
}

// A Table has the names of the values of an entry.
type Table struct {
	in         map[string][]Named // by the callers of the function, see key; in the order of the program
	parameters map[ir.Value]string
	sources    map[string]*source
	text       func(file string) []byte
	order      map[ir.Value]int
}

// Frames returns the positions of an operation: its own, and those of the calls around it that were inlined, from the
// inside out. Functions of installed packages are left out, unless there is nothing else.
func Frames(op ir.Op) []ir.Frame {
	chain := ir.CallChain(op.Loc())
	own := slices.DeleteFunc(slices.Clone(chain), func(f ir.Frame) bool { return installed(f.File) })
	if len(own) == 0 {
		return chain
	}
	return own
}

func installed(file string) bool {
	return strings.Contains(file, "/site-packages/") || strings.Contains(file, "/dist-packages/") || strings.Contains(file, `\site-packages\`)
}

// key identifies a list of frames.
func key(frames []ir.Frame) string {
	var b strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&b, "%s:%d:%d;", f.File, f.Line, f.Column)
	}
	return b.String()
}

// Of finds the names of the values of an entry. text returns the source of a file, or nil.
func Of(entry ir.Op, text func(file string) []byte) *Table {
	t := &Table{in: make(map[string][]Named), parameters: make(map[ir.Value]string), sources: make(map[string]*source), text: text, order: make(map[ir.Value]int)}
	t.results(entry)
	t.carried(entry)
	entry.WalkPost(t.parameter)
	t.number(entry)
	return t
}

// number counts values in the order in which they are made: those of a region before the results of its operation.
func (t *Table) number(op ir.Op) {
	for i := range op.NumRegions() {
		for b := range op.Region(i).Blocks() {
			for _, v := range b.Args() {
				t.order[v] = len(t.order)
			}
			for inner := range b.Ops() {
				t.number(inner)
			}
		}
	}
	for _, v := range op.Results() {
		t.order[v] = len(t.order)
	}
}

// In returns the values that the function with these callers names.
func (t *Table) In(callers []ir.Frame) []Named { return t.in[key(callers)] }

// Parameter returns what the author calls a parameter of the entry; "" if that is not known.
func (t *Table) Parameter(v ir.Value) string { return t.parameters[v] }

// source returns what the file of a frame names. Only Python is read.
func (t *Table) source(f ir.Frame) *source {
	s, known := t.sources[f.File]
	if !known {
		if strings.HasSuffix(f.File, ".py") {
			if text := t.text(f.File); text != nil {
				s = scan(text)
			}
		}
		t.sources[f.File] = s
	}
	return s
}

// A group is the operations that one expression has become, and what the expression is assigned to.
type group struct {
	callers string
	name    string
	ops     map[ir.Op]bool
	list    []ir.Op
}

// results names the results of expressions that are assigned.
func (t *Table) results(entry ir.Op) {
	groups := make(map[string]*group)
	var all []*group
	entry.WalkPost(func(op ir.Op) {
		if op == entry || op.NumResults() == 0 {
			return
		}
		chain := Frames(op)
		for i, f := range chain {
			s := t.source(f)
			if s == nil {
				continue
			}
			name := s.assigned[place{f.Line, f.Column}]
			if name == "" {
				continue
			}
			k := key(chain[i:])
			g := groups[k]
			if g == nil {
				g = &group{callers: key(chain[i+1:]), name: name, ops: make(map[ir.Op]bool)}
				groups[k], all = g, append(all, g)
			}
			g.ops[op], g.list = true, append(g.list, op)
		}
	})
	for _, g := range all {
		if v := g.result(); !v.IsNil() {
			t.add(g.callers, Named{g.name, v})
		}
	}
}

func (t *Table) add(callers string, n Named) { t.in[callers] = append(t.in[callers], n) }

// result returns the value of the expression: the last one that is used outside of it. If the expression was fused into
// another operation, there is none.
func (g *group) result() ir.Value {
	var last, lastQuiet ir.Value
	for _, op := range g.list {
		for _, v := range op.Results() {
			if !interp.Traceable(v.Type()) || !g.escapes(v) {
				continue
			}
			if fused(g, v) {
				return ir.Value{}
			}
			if Quiet(op) {
				lastQuiet = v
			} else {
				last = v
			}
		}
	}
	if last.IsNil() {
		return lastQuiet
	}
	return last
}

func (g *group) escapes(v ir.Value) bool {
	for u := range v.Uses() {
		if !g.ops[u.Owner()] {
			return true
		}
	}
	return false
}

// fused reports whether the product that an expression computes has become part of an fma outside of it: then both
// factors are of the expression, or one is a number that only the product repeats.
func fused(g *group, v ir.Value) bool {
	for u := range v.Uses() {
		op := u.Owner()
		if !op.Is(cudatile.Fma) || g.ops[op] {
			continue
		}
		a, b := op.Operand(0), op.Operand(1)
		if v != a && v != b {
			continue
		}
		other := a
		if v == a {
			other = b
		}
		if def := other.DefiningOp(); !def.IsNil() && g.ops[def] || v.DefiningOp().Is(cudatile.Broadcast) {
			return true
		}
	}
	return false
}

// quiet operations make descriptions and constants. Front ends move them to where no statement of theirs stands.
var quiet = map[*ir.OpDef]bool{
	cudatile.Constant: true, cudatile.Assume: true, cudatile.MakeToken: true, cudatile.MakeTensorView: true, cudatile.MakePartitionView: true,
	cudatile.MakeStridedView: true, cudatile.MakeGatherScatterView: true, cudatile.GetTileBlockID: true, cudatile.GetNumTileBlocks: true,
}

// Quiet reports whether an operation computes nothing that its author would stop at: a constant or one that is
// repeated, a view, or an assumption.
func Quiet(op ir.Op) bool {
	for op.Is(cudatile.Reshape) || op.Is(cudatile.Broadcast) {
		if op = op.Operand(0).DefiningOp(); op.IsNil() {
			return true
		}
	}
	return quiet[op.Def()]
}

// carried names the arguments of loops and the results of loops and ifs after what goes into them.
func (t *Table) carried(entry ir.Op) {
	// What goes into a loop may come out of another one, in either order of names. Two rounds reach a loop in a loop.
	for range 2 {
		entry.Walk(func(op ir.Op) ir.WalkResult {
			switch {
			case op.Is(cudatile.For), op.Is(scf.For):
				t.loop(op, op.Operands()[min(3, op.NumOperands()):], op.Body().Args()[1:])
				t.counter(op)
			case op.Is(cudatile.Loop), op.Is(scf.Loop):
				t.loop(op, op.Operands(), op.Body().Args())
			case op.Is(cudatile.If), op.Is(scf.If):
				t.branches(op)
			}
			return ir.Advance
		})
	}
}

// counter names the counter of a loop: for NAME in.
func (t *Table) counter(op ir.Op) {
	chain := Frames(op)
	if len(chain) == 0 {
		return
	}
	s := t.source(chain[0])
	if s == nil {
		return
	}
	if names := s.loops[place{chain[0].Line, chain[0].Column}]; len(names) == 1 && names[0] != "" {
		t.once(key(chain[1:]), Named{names[0], op.Body().Arg(0)})
	}
}

// once adds a name that a value does not have yet.
func (t *Table) once(callers string, n Named) {
	if !slices.Contains(t.in[callers], n) {
		t.add(callers, n)
	}
}

// namesOf returns the names of a value in a function.
func (t *Table) namesOf(callers string, v ir.Value) (list []string) {
	for _, n := range t.in[callers] {
		if n.Value == v {
			list = append(list, n.Name)
		}
	}
	return list
}

func (t *Table) loop(op ir.Op, inits, args []ir.Value) {
	chain := Frames(op)
	next := op.Body().Terminator()
	taken := make(map[string]bool)
	for i := range chain {
		callers := key(chain[i+1:])
		for k, arg := range args {
			if k >= len(inits) || len(t.namesOf(callers, arg)) > 0 {
				continue
			}
			before, after := t.namesOf(callers, inits[k]), []string(nil)
			if !next.IsNil() && k < next.NumOperands() {
				after = t.namesOf(callers, next.Operand(k))
			}
			name := choose(before, after, taken)
			if name == "" {
				continue
			}
			taken[name] = true
			t.add(callers, Named{name, arg})
			if k < op.NumResults() {
				t.add(callers, Named{name, op.Result(k)})
			}
		}
	}
}

// choose returns the name of what a loop carries: one that goes in and comes out, else one that goes in.
func choose(before, after []string, taken map[string]bool) string {
	for _, list := range [][]string{slices.DeleteFunc(slices.Clone(before), func(n string) bool { return !slices.Contains(after, n) }), before, after} {
		for _, n := range list {
			if !taken[n] {
				return n
			}
		}
	}
	return ""
}

func (t *Table) branches(op ir.Op) {
	chain := Frames(op)
	for i := range chain {
		callers := key(chain[i+1:])
		for k, r := range op.Results() {
			var lists [][]string
			for n := range op.NumRegions() {
				if region := op.Region(n); !region.Empty() {
					if end := region.First().Terminator(); !end.IsNil() && k < end.NumOperands() {
						lists = append(lists, t.namesOf(callers, end.Operand(k)))
					}
				}
			}
			if len(lists) > 0 {
				if name := choose(lists[0], lists[len(lists)-1], nil); name != "" {
					t.once(callers, Named{name, r})
				}
			}
		}
	}
}

// parameter names a parameter of the entry by the place of an assumption about it, which is where it is declared.
func (t *Table) parameter(op ir.Op) {
	if !op.Is(cudatile.Assume) || !op.Operand(0).IsBlockArg() {
		return
	}
	chain := Frames(op)
	if len(chain) == 0 {
		return
	}
	if s := t.source(chain[len(chain)-1]); s != nil {
		f := chain[len(chain)-1]
		if name := s.parameters[place{f.Line, f.Column}]; name != "" {
			t.parameters[op.Operand(0)] = name
		}
	}
}

// Order says which of two values comes later in the text of the entry: the one of the larger number.
func (t *Table) Order(v ir.Value) int { return t.order[v] }
