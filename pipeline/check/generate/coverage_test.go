package generate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// elements are the types that tiles, buffers and views hold.
var elements = strings.Fields("i1 i8 i16 i32 i64 i4 f16 bf16 f32 f64 tf32 f8E4M3FN f8E5M2 f8E8M0FNU fnv8E5M3FNU f4E2M1FN")

// coverageSeeds is how many seeds must be enough to see everything.
const coverageSeeds = 800

// missing says which operations, or which element types of them, are never generated and why. An empty list of types
// stands for all.
var missing = []struct {
	ops, types, why string
}{
	{"multimem_load_reduce_view_tko multimem_reduce_view_tko multimem_store_view_tko", "", "need several devices, and have no lowering"},
	{"preview$call", "", "has no description, and no lowering"},
	{"pow", "", "the reader makes fpowf of it"},
	{"return", "", "entries have no results"},
	{"atomic_cas_tko", "i8 i16 f16 bf16 tf32 f8E4M3FN f8E5M2 f8E8M0FNU", "verified: elements of 32 and 64 bits only"},
	{"atomic_rmw_tko", "i8 i16 tf32 f8E4M3FN f8E5M2 f8E8M0FNU", "verified: i32, i64 and arithmetic floats"},
	{"atomic_red_view_tko", "i1 tf32 f8E4M3FN f8E5M2 f8E8M0FNU", "verified: i32, i64 and arithmetic floats"},
	{"bitcast", "i1 tf32", "verified: no other type has the width"},
	{"itof", "f8E8M0FNU", "verified: goes through another float"},
	{"pack unpack", "f8E4M3FN f8E5M2 f8E8M0FNU", "verified: the widths differ, and one side is i8"},
	{"for loop if break continue yield reduce scan select print_tko insert assume", "i4 f4E2M1FN", "are converted at once"},
	{"atomic_cas_tko atomic_rmw_tko atomic_red_view_tko", "i4 f4E2M1FN", "verified: i32, i64 and arithmetic floats"},
	{"load_ptr_tko store_ptr_tko load_view_tko store_view_tko", "i4", "verified: nothing points to them"},
	{"load_ptr_tko store_ptr_tko offset ptr_to_int int_to_ptr", "f4E2M1FN", "verified: no tiles of such pointers, and no single such elements"},
	{"mmaf_scaled bitcast ftoi itof alloca get_global get_index_space_shape", "f4E2M1FN", "not generated yet"},
	{"*", "fnv8E5M3FNU", "not all targets convert them"},
}

// TestCoverage finds, in kernels of consecutive seeds, every operation and each element type that it accepts, but for
// those listed.
func TestCoverage(t *testing.T) {
	t.Parallel()
	tier.Long(t)
	seen := make(map[string]bool)
	for seed := range uint64(coverageSeeds) {
		module := read(t, seed, generate.New(seed, generate.Options{}).Text)
		module.Walk(func(op ir.Op) ir.WalkResult {
			if op.Def() == nil {
				return ir.Advance
			}
			name := op.Def().Name
			seen[name] = true
			for _, v := range slices.Concat(op.Operands(), op.Results()) {
				seen[name+" "+element(v.Type())] = true
			}
			return ir.Advance
		})
	}
	ctx := tileir.NewContext()
	used := make([]bool, len(missing))
	excused := func(name, elem string) bool {
		found := false
		for i, m := range missing {
			if (m.ops == "*" || slices.Contains(strings.Fields(m.ops), name)) && (m.types == "" || slices.Contains(strings.Fields(m.types), elem)) {
				used[i], found = true, true
			}
		}
		return found
	}
	for _, def := range ops.Dialect.Ops() {
		if !seen[def.Name] && !excused(def.Name, "") {
			t.Errorf("%s is never generated", def.Name)
		}
		for _, e := range elements {
			what := def.Name + " " + e
			switch accepted := accepts(t, ctx, def, e); {
			case accepted && !seen[what] && !excused(def.Name, e):
				t.Errorf("%s is never generated", what)
			case seen[what] && excused(def.Name, e):
				t.Errorf("%s is generated, but listed as missing", what)
			}
		}
	}
	for i, m := range missing {
		if !used[i] {
			t.Errorf("%s %s is listed as missing, but nothing accepts it", m.ops, m.types)
		}
	}
}

// forms are the types that hold elements, by their text.
var forms = []string{"!cuda_tile.tile<2x%s>", "!cuda_tile.tile<%s>", "!cuda_tile.tile<2xptr<%s>>", "!cuda_tile.tile<ptr<%s>>", "!cuda_tile.tensor_view<2x%s, strides=[1]>",
	"!cuda_tile.partition_view<tile=(2), tensor_view<2x%s, strides=[1]>>", "!cuda_tile.strided_view<tile=(2), traversal_strides=[2], tensor_view<2x%s, strides=[1]>>",
	"!cuda_tile.gather_scatter_view<tile=(2x2), tensor_view<2x2x%s, strides=[2,1]>, sparse_dim=0>"}

// accepts reports whether an operand or a result of an operation may hold such elements.
func accepts(t *testing.T, ctx *ir.Context, def *ir.OpDef, elem string) bool {
	for _, form := range forms {
		typ, err := asm.ParseType(ctx, fmt.Sprintf(form, elem))
		if err != nil {
			continue // not of this type
		}
		for _, f := range slices.Concat(def.Operands, def.Results) {
			if f.Type.Check(typ) {
				return true
			}
		}
	}
	return false
}

// element names the type that a value of a type holds in the end.
func element(t ir.Type) string {
	switch e := t.(type) {
	case cudatile.ViewType:
		return element(e.TileType())
	case *cudatile.TensorViewType:
		return ir.TypeString(e.Elem)
	case *cudatile.TileType:
		if p, ok := e.Elem.(*cudatile.PtrType); ok {
			return ir.TypeString(p.Pointee)
		}
		return ir.TypeString(e.Elem)
	}
	return ir.TypeString(t)
}
