package nvvm

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/leaf/lazy"
	"github.com/tilewright/tilewright/ir"
)

// maxThreads and maxCluster are the most threads of a block and blocks of a cluster that any target has (a cluster of
// 16 is not portable).
const (
	maxThreads = 1024
	maxCluster = 16
	warpSize   = 32
)

func verifyFunc(op ir.Op) error {
	if op.Body().IsNil() {
		return op.Errorf("must have a body")
	}
	for i, a := range op.Body().Args() {
		if !isScalar(a.Type()) {
			return op.Errorf("parameter #%d must be a number or a pointer, but got '%s'", i, ir.TypeString(a.Type()))
		}
	}
	if err := verifyExtents(op, AttrReqntid, "threads of a block", maxThreads); err != nil {
		return err
	}
	if err := verifyKernelSpec(op); err != nil {
		return err
	}
	if err := verifyExtents(op, AttrClusterDim, "blocks of a cluster", maxCluster); err != nil {
		return err
	}
	if r, ok := op.IntAttr(AttrMaxnreg); ok && (r < 1 || r > 255) {
		return op.Errorf("%s must be from 1 to 255, but got %d", AttrMaxnreg, r)
	}
	if n, ok := op.IntAttr(AttrMaxCluster); ok && (n < 1 || n > maxCluster) {
		return op.Errorf("%s must be from 1 to %d, but got %d", AttrMaxCluster, maxCluster, n)
	}
	if n, ok := op.IntAttr(AttrMinctasm); ok && n < 1 {
		return op.Errorf("%s must be positive, but got %d", AttrMinctasm, n)
	}
	if n, ok := op.IntAttr(AttrSharedBytes); ok && n < 0 {
		return op.Errorf("%s must not be negative, but got %d", AttrSharedBytes, n)
	}
	if n, ok := op.IntAttr(AttrSharedAlign); ok && (n < 1 || n > maxSharedAlign || n&(n-1) != 0) {
		return op.Errorf("%s must be a power of two up to %d, but got %d", AttrSharedAlign, maxSharedAlign, n)
	}
	return verifyParamAligns(op)
}

// maxSharedAlign is as much as swizzled copies and matrix descriptors ask for.
const maxSharedAlign = 1024

// verifyKernelSpec checks that the record says what the directive does that was made of it: whoever reads a dump
// believes either.
func verifyKernelSpec(op ir.Op) error {
	if err := contract.CheckKernelSpec(op, func() bool { return true }); err != nil {
		return err
	}
	warps := int64(contract.KernelSpecOf(op).NumWarps)
	d, ok := op.Attr(AttrReqntid).(*ir.DenseArrayAttr)
	if warps == 0 || !ok {
		return nil
	}
	threads := int64(1)
	for _, n := range d.Values {
		threads *= n
	}
	if threads != warpSize*warps {
		return op.Errorf("%s has %d threads, but '%s' says num_warps = %d", AttrReqntid, threads, contract.AttrKernelSpec, warps)
	}
	return nil
}

// verifyExtents checks an attribute of up to three extents.
func verifyExtents(op ir.Op, name, of string, most int64) error {
	d, ok := op.Attr(name).(*ir.DenseArrayAttr)
	if !ok {
		return nil
	}
	if n := len(d.Values); n < 1 || n > 3 {
		return op.Errorf("%s must have one to three extents, but got %d", name, n)
	}
	product := int64(1)
	for i, v := range d.Values {
		if v < 1 || v > most {
			return op.Errorf("%s extent #%d must be from 1 to %d, but got %d", name, i, most, v)
		}
		product *= v
	}
	if product > most {
		return op.Errorf("%s must be at most %d %s, but got %d", name, most, of, product)
	}
	return nil
}

func verifyParamAligns(op ir.Op) error {
	d, ok := op.Attr(AttrParamAligns).(*ir.DenseArrayAttr)
	if !ok {
		return nil
	}
	if n := op.Body().NumArgs(); len(d.Values) != n {
		return op.Errorf("%s needs an entry for each of %d parameters, but got %d", AttrParamAligns, n, len(d.Values))
	}
	for i, v := range d.Values {
		if v < 1 || v&(v-1) != 0 {
			return op.Errorf("%s entry #%d must be a power of two, but got %d", AttrParamAligns, i, v)
		}
	}
	return nil
}

func verifyPtrAdd(op ir.Op) error {
	if base, r := op.Operand(0).Type(), op.Result(0).Type(); r != base {
		return op.Errorf("result must have the type '%s' of the base, but got '%s'", ir.TypeString(base), ir.TypeString(r))
	}
	return nil
}

// verifyVector checks that values can be moved by one access.
func verifyVector(op ir.Op, values []ir.Value) error {
	n := len(values)
	if n < 1 || n > 32 || n&(n-1) != 0 {
		return op.Errorf("accesses 1, 2, 4, 8, 16 or 32 values, but got %d", n)
	}
	first := values[0].Type()
	if err := verifyOneType(op, "values", values); err != nil {
		return err
	}
	width := max(8, ir.BitWidth(first))
	if isPtr(first) {
		width = 64
	}
	if n*width > 256 {
		return op.Errorf("accesses at most 256 bits, but got %d", n*width)
	}
	return nil
}

// verifyOneType checks that values have the type of the first.
func verifyOneType(op ir.Op, what string, values []ir.Value) error {
	for _, v := range values {
		if first := values[0].Type(); v.Type() != first {
			return op.Errorf("%s must all have one type, but got '%s' and '%s'", what, ir.TypeString(first), ir.TypeString(v.Type()))
		}
	}
	return nil
}

// A modes says which memory orderings and cache operators an access can have.
type modes struct{ orderings, caches []string }

var (
	loadModes  = modes{[]string{"weak", "relaxed", "acquire", "volatile"}, []string{"ca", "cg", "cs", "lu", "cv", "nc"}}
	storeModes = modes{[]string{"weak", "relaxed", "release", "volatile"}, []string{"wb", "cg", "cs", "wt"}}
)

func (m modes) verify(op ir.Op) error {
	ordering, scope, cache := op.StringAttr(AttrOrdering), op.StringAttr(AttrScope), op.StringAttr(AttrCache)
	switch {
	case ordering != "" && !slices.Contains(m.orderings, ordering):
		return op.Errorf("memory ordering must be one of {%s}, but got '%s'", strings.Join(m.orderings, ", "), ordering)
	case cache != "" && !slices.Contains(m.caches, cache):
		return op.Errorf("cache operator must be one of {%s}, but got '%s'", strings.Join(m.caches, ", "), cache)
	case scope != "" && (ordering == "" || ordering == "weak" || ordering == "volatile"):
		return op.Errorf("a scope needs a memory ordering beyond weak and volatile, but got scope '%s'", scope)
	}
	return nil
}

func verifyLd(op ir.Op) error {
	other := op.OperandsNamed("other")
	want := 0
	if !op.OperandNamed("predicate").IsNil() {
		want = op.NumResults()
	}
	if len(other) != want {
		return op.Errorf("needs a value for each result in place of what a predicate keeps from loading: expected %d, but got %d", want, len(other))
	}
	for i, v := range other {
		if r := op.Result(i).Type(); v.Type() != r {
			return op.Errorf("other value #%d must have the type '%s' of its result, but got '%s'", i, ir.TypeString(r), ir.TypeString(v.Type()))
		}
	}
	if err := verifyVector(op, op.Results()); err != nil {
		return err
	}
	return loadModes.verify(op)
}

func verifySt(op ir.Op) error {
	if err := verifyVector(op, op.OperandsNamed("values")); err != nil {
		return err
	}
	return storeModes.verify(op)
}

func verifyParts(op ir.Op, parts []ir.Value, whole ir.Value) error {
	if err := verifyOneType(op, "parts", parts); err != nil {
		return err
	}
	bits, width := 0, ir.BitWidth(whole.Type())
	for _, v := range parts {
		bits += ir.BitWidth(v.Type())
	}
	if bits != width {
		return op.Errorf("parts must have %d bits together, but got %d", width, bits)
	}
	// mov takes registers of 64 bits apart into halves only.
	if width == 64 && len(parts) != 2 {
		return op.Errorf("parts of 64 bits must be two, but got %d", len(parts))
	}
	return nil
}

func verifyPack(op ir.Op) error   { return verifyParts(op, op.Operands(), op.Result(0)) }
func verifyUnpack(op ir.Op) error { return verifyParts(op, op.Results(), op.Operand(0)) }

func verifyShuffle(op ir.Op) error {
	if v, r := op.Operand(0).Type(), op.Result(0).Type(); v != r {
		return op.Errorf("result must have the type '%s' of the value, but got '%s'", ir.TypeString(v), ir.TypeString(r))
	}
	if n, ok := op.IntAttr(AttrSegment); ok && (op.StringAttr(AttrMode) != "idx" || n < 0 || n >= warpSize) {
		return op.Errorf("segment %d must be a mask of lane bits, in mode idx", n)
	}
	return nil
}

func verifyLdMatrix(op ir.Op) error {
	if n := op.NumResults(); n != 1 && n != 2 && n != 4 {
		return op.Errorf("loads 1, 2 or 4 matrices, but got %d", n)
	}
	return nil
}

func verifyStMatrix(op ir.Op) error {
	if n := len(op.OperandsNamed("values")); n != 1 && n != 2 && n != 4 {
		return op.Errorf("stores 1, 2 or 4 matrices, but got %d", n)
	}
	return nil
}

var mmaShape = lazy.Regexp(`^m[1-9][0-9]*n[1-9][0-9]*k[1-9][0-9]*$`)

// verifyMma checks the form. Which shapes and types there are, and how many registers they take, is a matter of
// instruction selection.
func verifyMma(op ir.Op) error {
	if shape := op.StringAttr(AttrShape); !mmaShape().MatchString(shape) {
		return op.Errorf("shape must be as \"m16n8k16\", but got %q", shape)
	}
	for _, name := range []string{"a", "b", "c"} {
		vs := op.OperandsNamed(name)
		if len(vs) == 0 {
			return op.Errorf("needs registers of '%s'", name)
		}
		if err := verifyOneType(op, "registers of '"+name+"'", vs); err != nil {
			return err
		}
	}
	c := op.OperandsNamed("c")
	if len(c) != op.NumResults() {
		return op.Errorf("has %d accumulator registers but %d results", len(c), op.NumResults())
	}
	for i, v := range c {
		if r := op.Result(i).Type(); r != v.Type() {
			return op.Errorf("result #%d must have the type '%s' of its accumulator, but got '%s'", i, ir.TypeString(v.Type()), ir.TypeString(r))
		}
	}
	return nil
}

// verifyScaledMma checks what the scales add: a word for each side, and which of its bytes.
func verifyScaledMma(op ir.Op) error {
	if err := verifyMma(op); err != nil {
		return err
	}
	for _, side := range []struct {
		scale, choice string
		threads       int64
	}{{"a_scale", AttrSelectA, 2}, {"b_scale", AttrSelectB, 4}} {
		if vs := op.OperandsNamed(side.scale); len(vs) != 1 || vs[0].Type() != ir.Type(op.Context().Int(32)) {
			return op.Errorf("needs one register of '%s', of type 'i32'", side.scale)
		}
		at := op.Attr(side.choice).(*ir.DenseArrayAttr).Values
		if len(at) != 2 || at[0] < 0 || at[0] > 3 || at[1] < 0 || at[1] >= side.threads {
			return op.Errorf("'%s' must be a byte from 0 to 3 and a number of threads from 0 to %d", side.choice, side.threads-1)
		}
	}
	if n, _ := op.IntAttr(AttrScaleBlock); n != 16 && n != 32 {
		return op.Errorf("'%s' must be 16 or 32, but got %d", AttrScaleBlock, n)
	}
	return nil
}
