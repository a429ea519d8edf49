package debug

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/internal/tooling/debug/names"
	"github.com/tilewright/tilewright/internal/tooling/why"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A Launch is a kernel to debug.
type Launch struct {
	Name    string // what the program calls the kernel
	Module  ir.Op
	Request func() *launch.Request // a fresh one for each run
	// Arguments are what the parameters are in the program; nil where that is not known.
	Arguments []why.Argument
	// Text returns the source of a file, or nil.
	Text func(file string) []byte
}

// A Kernel is a launch, with what a debugger asks about its entry.
type Kernel struct {
	*Launch
	entry  ir.Op
	grid   [3]uint32
	names  *names.Table
	ssa    func(ir.Value) string
	values map[string]ir.Value // by SSA name
	stops  map[ir.Op]*place
	heads  map[string]map[int][]ir.Op // by file and line: where a breakpoint stops
	arrays []array
	hidden map[ir.Value]bool // parameters that are sizes or strides of arrays
}

// A place is where an operation stands in the sources.
type place struct {
	op     ir.Op
	frames []ir.Frame
}

// line identifies the line of a frame, counted from the outermost one.
func (p *place) line(depth int) string {
	f := p.frames[len(p.frames)-1-depth]
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// NewKernel prepares a launch.
func NewKernel(l *Launch) (*Kernel, error) {
	req := l.Request()
	k := &Kernel{Launch: l, grid: req.Grid, stops: make(map[ir.Op]*place), heads: make(map[string]map[int][]ir.Op), values: make(map[string]ir.Value), hidden: make(map[ir.Value]bool)}
	l.Module.Walk(func(op ir.Op) ir.WalkResult {
		if interp.IsEntry(op) && op.SymbolName() == req.Entry {
			k.entry = op
			return ir.Interrupt
		}
		return ir.Advance
	})
	if k.entry.IsNil() {
		return nil, fmt.Errorf("module has no entry '%s'", req.Entry)
	}
	if len(k.entry.Body().Args()) != len(req.Args) {
		return nil, fmt.Errorf("entry '%s' has %d parameters, but got %d arguments", req.Entry, len(k.entry.Body().Args()), len(req.Args))
	}
	k.names = names.Of(k.entry, l.Text)
	name := asm.ValueNames(k.entry)
	k.ssa = func(v ir.Value) string {
		// Results that are printed as %for:3 share a name.
		if op := v.DefiningOp(); !op.IsNil() && op.NumResults() > 1 && name(op.Result(0)) == name(op.Result(1)) {
			return fmt.Sprintf("%s#%d", name(v), v.Index())
		}
		return name(v)
	}
	k.findStops()
	k.findArrays()
	if len(k.stops) == 0 {
		return nil, fmt.Errorf("entry '%s' has no operation with a place in a source", req.Entry)
	}
	return k, nil
}

// HasPlaces reports whether an entry says where its operations come from.
func HasPlaces(entry ir.Op) (yes bool) {
	entry.Walk(func(op ir.Op) ir.WalkResult {
		if yes = ir.FileLocOf(op.Loc()) != nil; yes {
			return ir.Interrupt
		}
		return ir.Advance
	})
	return yes
}

// inBody reports operations in the body of a reduction, which may run on many elements at a time.
func inBody(op, entry ir.Op) bool {
	for p := op.ParentOp(); !p.IsNil() && p != entry; p = p.ParentOp() {
		if p.Is(cudatile.Reduce) || p.Is(cudatile.Scan) {
			return true
		}
		for _, l := range core.Levels {
			if p.Is(l.Reduce) || p.Is(l.Scan) {
				return true
			}
		}
	}
	return false
}

// leaves reports the end of an arm or a loop, where control goes to a place that the user knows of.
func leaves(op ir.Op) bool {
	return op.HasTrait(ir.Terminator) && !op.Is(cudatile.Continue) && !op.Is(scf.Continue)
}

// at returns the place of an operation; nil if it has none.
func at(op ir.Op) *place {
	if frames := names.Frames(op); len(frames) > 0 {
		return &place{op, frames}
	}
	return nil
}

// findStops decides where a debugger may stop, and at which operations a line begins.
func (k *Kernel) findStops() {
	loud, last := make(map[string]bool), make(map[string]ir.Op)
	var all []*place
	k.entry.Walk(func(op ir.Op) ir.WalkResult {
		for _, v := range op.Results() {
			k.values[k.ssa(v)] = v
		}
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				for _, v := range b.Args() {
					k.values[k.ssa(v)] = v
				}
			}
		}
		p := &place{op, names.Frames(op)}
		if op == k.entry || len(p.frames) == 0 || leaves(op) || inBody(op, k.entry) {
			return ir.Advance
		}
		all = append(all, p)
		line := k.lineKey(p, 0)
		if last[line] = op; !names.Quiet(op) {
			loud[line] = true
		}
		return ir.Advance
	})
	begun := make(map[string][]ir.Block)
	for _, p := range all {
		line := k.lineKey(p, 0)
		if names.Quiet(p.op) && (loud[line] || last[line] != p.op) {
			continue
		}
		k.stops[p.op] = p
		for i, f := range p.frames {
			key := k.lineKey(p, i)
			if slices.ContainsFunc(begun[key], func(b ir.Block) bool { return b == p.op.Block() || i > 0 && encloses(b, p.op) }) {
				continue
			}
			begun[key] = append(begun[key], p.op.Block())
			file := filepath.Clean(f.File)
			if k.heads[file] == nil {
				k.heads[file] = make(map[int][]ir.Op)
			}
			k.heads[file][int(f.Line)] = append(k.heads[file][int(f.Line)], p.op)
		}
	}
}

// lineKey identifies the line of frame i of an operation, in the calls around it.
func (k *Kernel) lineKey(p *place, i int) string {
	var b strings.Builder
	for _, f := range p.frames[i+1:] {
		fmt.Fprintf(&b, "%s:%d:%d;", f.File, f.Line, f.Column)
	}
	fmt.Fprintf(&b, "%s:%d", p.frames[i].File, p.frames[i].Line)
	return b.String()
}

// encloses reports whether an operation is in a block or in an operation of it.
func encloses(b ir.Block, op ir.Op) bool {
	for ; !op.IsNil(); op = op.ParentOp() {
		if op.Block() == b {
			return true
		}
	}
	return false
}

// Files are the sources of the kernel.
func (k *Kernel) Files() []string {
	out := make([]string, 0, len(k.heads))
	for f := range k.heads {
		out = append(out, f)
	}
	slices.Sort(out)
	return out
}

// Lines are the lines of a source at which a breakpoint can stop, in their order.
func (k *Kernel) Lines(file string) []int {
	out := make([]int, 0, len(k.heads[file]))
	for n := range k.heads[file] {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// Snap returns the line of a source nearest to a line among those at which a breakpoint can stop: the same, else the
// next one, else the last one.
func Snap(lines []int, line int) int {
	i, _ := slices.BinarySearch(lines, line)
	if i == len(lines) {
		i--
	}
	return lines[i]
}

// Blocks is the number of tile blocks, along each dimension.
func (k *Kernel) Blocks() [3]uint32 { return k.grid }

// Heads are the operations at which a breakpoint of a line stops.
func (k *Kernel) Heads(file string, line int) []ir.Op { return k.heads[file][line] }
