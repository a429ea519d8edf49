package runtool

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// checkSignature reports a launch that does not fit the entries of a module. Of a module without entries, as one of a
// lower level, it knows nothing.
func checkSignature(module ir.Op, req *launch.Request) error {
	var names []string
	var entry ir.Op
	module.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(cudatile.Entry) {
			return ir.Advance
		}
		if names = append(names, op.SymbolName()); op.SymbolName() == req.Entry {
			entry = op
		}
		return ir.SkipBelow
	})
	if names == nil {
		return nil
	}
	if entry.IsNil() {
		return fmt.Errorf("module has no entry '%s'%s; entries: %s", req.Entry, suggest.DidYouMean(req.Entry, names), suggest.List(names))
	}
	params := entry.Body().Args()
	if len(params) != len(req.Args) {
		return fmt.Errorf("entry '%s' has %d parameters, but got %d arguments; parameters: %s", req.Entry, len(params), len(req.Args), types(params))
	}
	for i, p := range params {
		if a := req.Args[i]; !fits(p.Type(), a) {
			return fmt.Errorf("argument %d of entry '%s' is %s, which does not fit the parameter's type %s", i, req.Entry, a, spell(p.Type()))
		}
	}
	return nil
}

func types(params []ir.Value) string {
	out := make([]string, len(params))
	for i, p := range params {
		out[i] = fmt.Sprintf("%d: %s", i, spell(p.Type()))
	}
	return strings.Join(out, ", ")
}

// spell prints a type as the text of a kernel does, which leaves out the name of the dialect.
func spell(t ir.Type) string { return strings.TrimPrefix(ir.TypeString(t), "!cuda_tile.") }

// fits reports whether an argument can be passed for a parameter: buffers for pointers, scalars for numbers, of the
// same format or the same width of integers.
func fits(param ir.Type, a launch.Arg) bool {
	tile, ok := param.(*cudatile.TileType)
	if !ok || tile.Rank() != 0 {
		return false
	}
	elem := tile.Elem
	ptr, isPtr := elem.(*cudatile.PtrType)
	if isPtr != a.IsPointer() {
		return false
	}
	if isPtr && a.Buffer == nil {
		return true // an address says nothing of what is there
	}
	if isPtr {
		elem = ptr.Pointee
	}
	want, err := launch.ParseDType(ir.TypeString(elem))
	if err != nil {
		return false
	}
	wantWidth, _, wantInt := want.Int()
	gotWidth, _, gotInt := a.DType().Int()
	if wantInt || gotInt {
		return wantInt && gotInt && wantWidth == gotWidth
	}
	return want == a.DType()
}
