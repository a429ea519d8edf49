package synthesizedebuginfoscopes

import (
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numFunctions = passes.NewStatistic("num-functions", "functions that were given a scope")
	numLocations = passes.NewStatistic("num-locations", "operations that were given a location in it")
)

// Pass is the pass.
var Pass = passes.Register(&passes.Pass{
	Name:    "synthesize-debug-info-scopes",
	Summary: "give functions without debug scopes a subprogram, for line tables",
	Doc: `Makes the module a compilation unit and each function without a debug scope a subprogram. Every operation of the
function gets a position in it: its own file position, or that of the function. Functions that have a scope are left unchanged.`,
	On:         "cuda_tile.module",
	Requires:   []*passes.Property{property.CudaTile},
	Statistics: []*passes.Statistic{numFunctions, numLocations},
	Run:        run,
})

func run(r *passes.Run) error {
	c := r.IR()
	file := cudatile.DIFile(c, "<unknown>", "")
	if pos := position(r.Op.Loc()); pos != nil {
		file = fileOf(c, pos)
	}
	unit := cudatile.DICompileUnit(c, file)
	functions, locations := 0, 0
	for block := range r.Op.Region(0).Blocks() { // none in the generic form of an empty module
		for op := range block.Ops() {
			if isFunction(op) && !hasScope(op.Loc()) {
				functions++
				locations += synthesize(c, op, unit)
			}
		}
	}
	r.Add(numFunctions, functions)
	r.Add(numLocations, locations)
	return nil
}

// isFunction reports whether a symbol is a function, of any kind, and not a global.
func isFunction(op ir.Op) bool {
	return op.HasTrait(ir.Symbol) && op.HasTrait(ir.IsolatedFromAbove) && !op.HasTrait(ir.SymbolTable) && op.NumRegions() == 1
}

// synthesize gives a function a subprogram, and returns how many operations now have a location in it.
func synthesize(c *ir.Context, fn ir.Op, unit *cudatile.DICompileUnitAttr) int {
	file, pos := unit.File, position(fn.Loc())
	if pos != nil {
		file = fileOf(c, pos)
	} else {
		pos = c.FileLoc(file.Name, 1, 1)
	}
	name := fn.SymbolName()
	// The linkage name must be the symbol's: the verifier compares them (verifyEntryScope), as debuggers do.
	scope := cudatile.DISubprogram(c, cudatile.DISubprogramAttr{File: file, Line: pos.Line, Name: name, LinkageName: name, CompileUnit: unit,
		ScopeLine: pos.Line})
	n := 0
	fn.Walk(func(op ir.Op) ir.WalkResult {
		at := position(op.Loc())
		if at == nil {
			at = pos
		}
		op.SetLoc(cudatile.DILoc(c, at, scope))
		n++
		return ir.Advance
	})
	return n
}

// position returns the file position of a location, or nil. For an inlined location it is that of the caller,
// since the scope is the caller's. For a fused one, it is the first part that is only a position.
func position(l ir.Location) *ir.FileLoc {
	for {
		switch at := l.(type) {
		case *ir.FileLoc:
			return at
		case *ir.NameLoc:
			l = at.Child
		case *ir.CallSiteLoc:
			l = at.Caller
		case *ir.FusedLoc:
			for _, part := range at.Locs {
				if pos, ok := part.(*ir.FileLoc); ok {
					return pos
				}
			}
			return nil
		default:
			return nil
		}
	}
}

// hasScope reports whether a location has a debug scope anywhere in it, the callee of an inlined call included. A
// front end that gave one scope means its own, and two sources of scopes would contradict each other.
func hasScope(l ir.Location) bool {
	switch l := l.(type) {
	case *cudatile.DILocAttr:
		return true
	case *ir.NameLoc:
		return hasScope(l.Child)
	case *ir.CallSiteLoc:
		return hasScope(l.Callee) || hasScope(l.Caller)
	case *ir.FusedLoc:
		for _, part := range l.Locs {
			if hasScope(part) {
				return true
			}
		}
	}
	return false
}

// fileOf splits the path of a position into directory and name. Trailing separators of the directory go, unless it is
// the root.
func fileOf(c *ir.Context, pos *ir.FileLoc) *cudatile.DIFileAttr {
	cut := strings.LastIndexByte(pos.File, '/') + 1
	dir, name := pos.File[:cut], pos.File[cut:]
	if trimmed := strings.TrimRight(dir, "/"); trimmed != "" {
		dir = trimmed
	} else if dir != "" {
		dir = "/"
	}
	return cudatile.DIFile(c, name, dir)
}
