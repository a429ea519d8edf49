package interp

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/launch"
)

const partition = "%tv = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xi32, strides=[1]>\n"

// What the specification leaves undefined, or fails, is an error that says where.
func TestErrors(t *testing.T) {
	t.Parallel()
	// Entries have a pointer %p to eight elements 0, 1, ... 7 and a number %n.
	tests := []struct {
		name, body string
		n          int32
		want       string
	}{
		{"index", partition + "%v = make_partition_view %tv : partition_view<tile=(4), padding_value = zero, tensor_view<6xi32, strides=[1]>>\n" +
			"%t, %k = load_view_tko weak %v[%n] : partition_view<tile=(4), padding_value = zero, tensor_view<6xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token",
			2, "k.mlir:7:10: error: 'cuda_tile.load_view_tko' op index 2 of dimension 0 is outside of the index space of 2"},
		{"negative index", partition + "%v = make_strided_view %tv : strided_view<tile=(4), traversal_strides=[2], padding_value = zero, tensor_view<6xi32, strides=[1]>>\n" +
			"%t, %k = load_view_tko weak %v[%n] : strided_view<tile=(4), traversal_strides=[2], padding_value = zero, tensor_view<6xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token",
			-1, "index -1 of dimension 0 is outside of the index space of 3"},
		{"inbounds", partition + "%v = make_partition_view %tv : partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>\n" +
			"%t, %k = load_view_tko weak %v[%n] inbounds = [true] : partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token",
			1, "is marked in bounds along dimension 0, but its tile ends at 8 of 6"},
		{"address", "%q = offset %p, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n%x, %k = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token",
			8, "'cuda_tile.load_ptr_tko' op element []: address 0x7f0000000020 is 32 bytes after the start of argument 0, which has 32"},
		{"address of an element", "%i = constant <i32: [[0, 1], [2, 9]]> : tile<2x2xi32>\n%u = reshape %p : tile<ptr<i32>> -> tile<1x1xptr<i32>>\n" +
			"%w = broadcast %u : tile<1x1xptr<i32>> -> tile<2x2xptr<i32>>\n%q = offset %w, %i : tile<2x2xptr<i32>>, tile<2x2xi32> -> tile<2x2xptr<i32>>\n" +
			"%k = store_ptr_tko weak %q, %i : tile<2x2xptr<i32>>, tile<2x2xi32> -> token", 0, "'cuda_tile.store_ptr_tko' op element [1, 1]: address"},
		{"before", "%q = offset %p, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n%x, %k = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token",
			-1, "is 4 bytes before the start of argument 0, which has 32"},
		{"alignment", "%a = ptr_to_int %p : tile<ptr<i32>> -> tile<i64>\n%o = constant <i64: 2> : tile<i64>\n%b = addi %a, %o : tile<i64>\n" +
			"%q = int_to_ptr %b : tile<i64> -> tile<ptr<i32>>\n%x, %k = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token", 0, "is not aligned to the element's 4 bytes"},
		{"division", "%a = constant <i32: [[1], [2]]> : tile<2x1xi32>\n%b = constant <i32: [[1], [0]]> : tile<2x1xi32>\n%c = divi %a, %b signed : tile<2x1xi32>", 0,
			"'cuda_tile.divi' op divides by zero: element [1, 0]"},
		{"remainder", "%c = remi %n, %n unsigned : tile<i32>", 0, "'cuda_tile.remi' op divides by zero: element []"},
		{"quotient", "%a = constant <i32: [1, -2147483648]> : tile<2xi32>\n%b = constant <i32: [-1, -1]> : tile<2xi32>\n%c = divi %a, %b signed : tile<2xi32>", 0,
			"'cuda_tile.divi' op overflows: element [1] is the most negative number, divided by -1"},
		{"added", "%a = constant <i32: [1, 2147483647]> : tile<2xi32>\n%b = constant <i32: [-2, 1]> : tile<2xi32>\n%c = addi %a, %b overflow<no_signed_wrap> : tile<2xi32>", 0,
			"'cuda_tile.addi' op overflows as an operation of signed numbers, which it promises not to: element [1]"},
		{"subtracted", "%c = subi %n, %c1 overflow<no_wrap> : tile<i32>", 0, "'cuda_tile.subi' op overflows as an operation of unsigned numbers, which it promises not to: element []"},
		{"negative step", "%e = constant <i32: 9> : tile<i32>\nfor %i in (%c1 to %e, step %n) : tile<i32> {\ncontinue\n}", -1, "'cuda_tile.for' op has step -1, which is not positive"},
		{"unsigned step", "%e = constant <i32: 9> : tile<i32>\nfor unsigned %i in (%c1 to %e, step %n) : tile<i32> {\ncontinue\n}", 0, "'cuda_tile.for' op has step 0, which is not positive"},
		{"alignment of a view", "%a = ptr_to_int %p : tile<ptr<i32>> -> tile<i64>\n%o = constant <i64: 2> : tile<i64>\n%b = addi %a, %o : tile<i64>\n%q = int_to_ptr %b : tile<i64> -> tile<ptr<i32>>\n" +
			"%tv = make_tensor_view %q, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>\n%v = make_partition_view %tv : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>\n" +
			"%t, %k = load_view_tko weak %v[%n] : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token", 0,
			"'cuda_tile.load_view_tko' op element [0]: address 0x7f0000000002 is not aligned to the element's 4 bytes"},
		{"address of a view", "%tv = make_tensor_view %p, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xi32, strides=[4,1]>\n%v = make_partition_view %tv : partition_view<tile=(4x4), tensor_view<4x4xi32, strides=[4,1]>>\n" +
			"%t, %k = load_view_tko weak %v[%n, %n] : partition_view<tile=(4x4), tensor_view<4x4xi32, strides=[4,1]>>, tile<i32> -> tile<4x4xi32>, token", 0,
			"'cuda_tile.load_view_tko' op element [2, 0]: address 0x7f0000000020 is 32 bytes after the start of argument 0"},
		{"atomic", "%q = offset %p, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n%x, %k = atomic_rmw_tko relaxed device %q, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token", 8,
			"'cuda_tile.atomic_rmw_tko' op element []: address 0x7f0000000020 is 32 bytes after the start of argument 0"},
		{"bounded above", "%c = assume bounded<?, 4>, %n : tile<i32>", 5, "does not hold: element [] is 5, not in [?, 4]"},
		{"index space", "%m = constant <i64: 4294967296> : tile<i64>\n%tv = make_tensor_view %p, shape = [%m], strides = [1] : tile<i64> -> tensor_view<?xi32, strides=[1]>\n" +
			"%s = get_tensor_shape %tv : tensor_view<?xi32, strides=[1]> -> tile<i32>", 0, "'cuda_tile.get_tensor_shape' op result 0 does not hold 4294967296"},
		{"div_by", "%c = assume div_by<4>, %n : tile<i32>", 6, "'cuda_tile.assume' op does not hold: element [] is 6, which is not divisible by 4"},
		{"div_by of a pointer", "%q = offset %p, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n%c = assume div_by<16>, %q : tile<ptr<i32>>", 1, "does not hold: element [] is"},
		{"div_by every", "%c = constant <i32: [[4, 5], [8, 10]]> : tile<2x2xi32>\n%d = assume div_by<4, every 2 along 1>, %c : tile<2x2xi32>", 0, "element [1, 1] is 10, not 9"},
		{"bounded", "%c = assume bounded<0, ?>, %n : tile<i32>", -1, "does not hold: element [] is -1, not in [0, ?]"},
		{"same_elements", "%c = constant <i32: [[1, 1], [1, 2]]> : tile<2x2xi32>\n%d = assume same_elements<[1, 2]>, %c : tile<2x2xi32>", 0,
			"does not hold: element [1, 1] is 2, but element [1, 0] is 1"},
		{"extract", "%c = constant <i32: [1, 2, 3, 4]> : tile<4xi32>\n%d = extract %c[%n] : tile<4xi32> -> tile<2xi32>", 2,
			"'cuda_tile.extract' op index 2 of dimension 0 is outside of the 2 parts"},
		{"insert", "%c = constant <i32: [1, 2, 3, 4]> : tile<4xi32>\n%e = constant <i32: [1]> : tile<1xi32>\n%d = insert %e, %c[%n] : tile<1xi32>, tile<4xi32>", -1,
			"'cuda_tile.insert' op index -1 of dimension 0 is outside of the 4 parts"},
		{"step", "%e = constant <i32: 9> : tile<i32>\nfor %i in (%n to %e, step %n) : tile<i32> {\ncontinue\n}", 0, "'cuda_tile.for' op has step 0, which is not positive"},
		{"assert", "%z = constant <i32: 3> : tile<i32>\n%c = cmpi equal %n, %z, signed : tile<i32> -> tile<i1>\nassert %c, \"three\" : tile<i1>", 4,
			`'cuda_tile.assert' op does not hold for element []: "three"`},
		{"div_by of a tensor", "%tv = make_tensor_view %q0, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>\n%tw = assume div_by<16>, %tv : tensor_view<4xi32, strides=[1]>", 0,
			"'cuda_tile.assume' op does not hold: the address 0x7f0000000004 is not divisible by 16"},
		{"size", "%tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>", -5, "'cuda_tile.make_tensor_view' op size 0 is -5, which is negative"},
		{"stride", "%tv = make_tensor_view %p, shape = [2], strides = [%n] : tile<i32> -> tensor_view<2xi32, strides=[?]>", -1, "'cuda_tile.make_tensor_view' op stride 0 is -1, which is not positive"},
		{"no stride", "%tv = make_tensor_view %p, shape = [2, 2], strides = [2, %n] : tile<i32> -> tensor_view<2x2xi32, strides=[2,?]>", 0, "'cuda_tile.make_tensor_view' op stride 1 is 0, which is not positive"},
		{"large alloca", "%q = alloca num_elem = 1073741824, alignment = 8 : tile<ptr<i64>>", 0, "'cuda_tile.alloca' op cannot allocate 1073741824 elements"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := parse(t, "entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {\n%c1 = constant <i32: 1> : tile<i32>\n"+
				"%q0 = offset %p, %c1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"+tt.body+"\nreturn\n}")
			err := runKernel(t, e, bufferOf(launch.I32, 0, 1, 2, 3, 4, 5, 6, 7), i32(tt.n))
			expectError(t, err, "tile block (0, 0, 0): k.mlir:")
			expectError(t, err, tt.want)
		})
	}
}

// Elements without a value are an error when they are stored or decide something, and only then.
func TestUnspecified(t *testing.T) {
	t.Parallel()
	// %t is four elements of which the last two are out of bounds, %s is a scalar without a value.
	const prefix = "%i1 = constant <i32: 1> : tile<i32>\n%false = constant <i1: false> : tile<i1>\n" + partition +
		"%v = make_partition_view %tv : partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>\n" +
		"%t, %k = load_view_tko weak %v[%i1] : partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token\n" +
		"%s, %k1 = load_ptr_tko weak %p, %false : tile<ptr<i32>>, tile<i1> -> tile<i32>, token\n" +
		"%io = iota : tile<4xi32>\n%p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>\n%p4 = broadcast %p1 : tile<1xptr<i32>> -> tile<4xptr<i32>>\n" +
		"%ps = offset %p4, %io : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>\n"
	const store = "%st = store_ptr_tko weak %ps, %x : tile<4xptr<i32>>, tile<4xi32> -> token"
	const stores = "stores an unspecified value (read out of bounds without padding, masked off or never written): "
	// %f is %t as floats; %y is stored.
	const floats = "%f = itof %t signed : tile<4xi32> -> tile<4xf32>\n%inf = constant <f32: 0xFF800000> : tile<4xf32>\n%one = constant <f32: 1.0> : tile<4xf32>\n%nought = constant <f32: 0.0> : tile<4xf32>\n"
	const storef = "%x1 = bitcast %y : tile<4xf32> -> tile<4xi32>\n%st = store_ptr_tko weak %ps, %x1 : tile<4xptr<i32>>, tile<4xi32> -> token"
	tests := []struct{ name, body, want string }{
		{"store", "%x = addi %t, %io : tile<4xi32>\n" + store, "'cuda_tile.store_ptr_tko' op " + stores + "element [2]"},
		{"masked store", "%l = constant <i1: [true, true, false, false]> : tile<4xi1>\n%st = store_ptr_tko weak %ps, %t, %l : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token", ""},
		{"store of the same part", "%st = store_view_tko weak %t, %v[%i1] : tile<4xi32>, partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>, tile<i32> -> token", ""},
		{"other part", "%i0 = constant <i32: 0> : tile<i32>\n%st = store_view_tko weak %t, %v[%i0] : tile<4xi32>, partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>, tile<i32> -> token",
			"'cuda_tile.store_view_tko' op " + stores + "element [2]"},
		{"select", "%l = constant <i1: [true, true, false, false]> : tile<4xi1>\n%x = select %l, %t, %io : tile<4xi1>, tile<4xi32>\n" + store, ""},
		{"select by", "%l = cmpi equal %t, %io, signed : tile<4xi32> -> tile<4xi1>\n%x = select %l, %io, %io : tile<4xi1>, tile<4xi32>\n" + store, stores + "element [2]"},
		{"zero", "%zero = constant <i32: 0> : tile<4xi32>\n%x = andi %t, %zero : tile<4xi32>\n" + store, ""},
		{"reduce", "%y = reduce %t dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32>\n(%a: tile<i32>, %b: tile<i32>) {\n%c = addi %a, %b : tile<i32>\nyield %c : tile<i32>\n}\n" +
			"%st = store_ptr_tko weak %p, %y : tile<ptr<i32>>, tile<i32> -> token", stores + "element []"},
		{"scan", "%x = scan %t dim=0 reverse=false identities=[0 : i32] : tile<4xi32> -> tile<4xi32>\n(%a: tile<i32>, %b: tile<i32>) {\n%c = addi %a, %b : tile<i32>\nyield %c : tile<i32>\n}\n" +
			store, stores + "element [2]"},
		{"rearranged", "%a = reshape %t : tile<4xi32> -> tile<2x2xi32>\n%b = permute %a [1, 0] : tile<2x2xi32> -> tile<2x2xi32>\n%x = reshape %b : tile<2x2xi32> -> tile<4xi32>\n" + store,
			stores + "element [1]"},
		{"extracted", "%i0 = constant <i32: 0> : tile<i32>\n%a = extract %t[%i0] : tile<4xi32> -> tile<2xi32>\n%x = cat %a, %a dim = 0 : tile<2xi32>, tile<2xi32> -> tile<4xi32>\n" + store, ""},
		{"inserted", "%i0 = constant <i32: 1> : tile<i32>\n%l = constant <i32: [7, 8]> : tile<2xi32>\n%x = insert %l, %t[%i0] : tile<2xi32>, tile<4xi32>\n" + store, ""},
		{"concatenated", "%a = extract %t[%i1] : tile<4xi32> -> tile<2xi32>\n%l = constant <i32: [7, 8]> : tile<2xi32>\n%x = cat %l, %a dim = 0 : tile<2xi32>, tile<2xi32> -> tile<4xi32>\n" + store,
			stores + "element [2]"},
		{"packed", "%a = pack %t : tile<4xi32> -> tile<16xi8>\n%x = unpack %a : tile<16xi8> -> tile<4xi32>\n" + store, stores + "element [2]"},
		{"division", "%x = divi %io, %t signed : tile<4xi32>", ""},
		{"address", "%q = offset %p4, %t : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>\n%x, %k2 = load_ptr_tko weak %q : tile<4xptr<i32>> -> tile<4xi32>, token",
			"'cuda_tile.load_ptr_tko' op address: element [2] is unspecified (read out of bounds without padding, masked off or never written)"},
		{"mask", "%l = cmpi equal %t, %io, signed : tile<4xi32> -> tile<4xi1>\n%x, %k2 = load_ptr_tko weak %ps, %l : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token", "op mask: element [2] is unspecified"},
		{"branch", "%c = trunci %s : tile<i32> -> tile<i1>\nif %c {\n}", "'cuda_tile.if' op condition: element [] is unspecified"},
		{"bound", "for %i in (%i1 to %s, step %i1) : tile<i32> {\ncontinue\n}", "'cuda_tile.for' op upper bound: element [] is unspecified"},
		{"index", "%x, %k2 = load_view_tko weak %v[%s] : partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token", "op index: element [] is unspecified"},
		{"part", "%x = extract %t[%s] : tile<4xi32> -> tile<2xi32>", "'cuda_tile.extract' op index: element [] is unspecified"},
		{"size", "%tw = make_tensor_view %p, shape = [%s], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>", "op size: element [] is unspecified"},
		{"assert", "%l = cmpi equal %t, %io, signed : tile<4xi32> -> tile<4xi1>\nassert %l, \"\" : tile<4xi1>", "op condition: element [2] is unspecified"},
		{"atomic", "%x, %k2 = atomic_rmw_tko relaxed device %p, add, %s : tile<ptr<i32>>, tile<i32> -> tile<i32>, token", stores + "element []"},
		{"masked atomic", "%x, %k2 = atomic_rmw_tko relaxed device %p, add, %i1, %false : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token\n" +
			"%st = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token", stores + "element []"},
		{"masked exchange", "%x, %k2 = atomic_cas_tko relaxed device %p, %i1, %i1, %false : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token\n" +
			"%st = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token", ""},
		{"added to infinity", floats + "%x = addf %f, %inf : tile<4xf32>\n%y = subf %x, %f : tile<4xf32>\n" + storef, ""},
		{"added", floats + "%y = addf %f, %one : tile<4xf32>\n" + storef, stores + "element [2]"},
		{"times zero", floats + "%x = mulf %f, %nought : tile<4xf32>\n%y = fma %f, %nought, %one : tile<4xf32>\n" + storef, ""},
		{"plus infinity", floats + "%y = fma %f, %one, %inf : tile<4xf32>\n" + storef, ""},
		{"fma", floats + "%y = fma %one, %one, %f : tile<4xf32>\n" + storef, stores + "element [2]"},
		{"mma", floats + "%a = reshape %f : tile<4xf32> -> tile<1x4xf32>\n%b = constant <f32: [[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]> : tile<4x4xf32>\n" +
			"%c = reshape %one : tile<4xf32> -> tile<1x4xf32>\n%d = mmaf %a, %b, %c : tile<1x4xf32>, tile<4x4xf32>, tile<1x4xf32>\n%y = reshape %d : tile<1x4xf32> -> tile<4xf32>\n" + storef,
			stores + "element [1]"},
		{"right operand", floats + "%a = constant <f32: [[1.0, 0.0], [0.0, 1.0]]> : tile<2x2xf32>\n%b = reshape %f : tile<4xf32> -> tile<2x2xf32>\n%c = reshape %one : tile<4xf32> -> tile<2x2xf32>\n" +
			"%d = mmaf %a, %b, %c : tile<2x2xf32>, tile<2x2xf32>, tile<2x2xf32>\n%y = reshape %d : tile<2x2xf32> -> tile<4xf32>\n" + storef, stores + "element [2]"},
		{"bodies with tiles", "%y = reduce %t dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32>\n(%a: tile<i32>, %b: tile<i32>) {\n%u = reshape %a : tile<i32> -> tile<1xi32>\n%w = reshape %u : tile<1xi32> -> tile<i32>\n" +
			"yield %w : tile<i32>\n}\n%st = store_ptr_tko weak %p, %y : tile<ptr<i32>>, tile<i32> -> token", ""},
		{"fresh memory", "%q = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>\n%x, %k2 = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token\n" +
			"%st = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token", stores + "element []"},
		{"conversion", "%f = constant <f32: [1.0, 2.0, 0x7FC00000, 4.0]> : tile<4xf32>\n%x = ftoi %f signed : tile<4xf32> -> tile<4xi32>\n" + store, stores + "element [2]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := parse(t, "entry @k(%p: tile<ptr<i32>>) {\n"+prefix+tt.body+"\nreturn\n}")
			err := runKernel(t, e, bufferOf(launch.I32, 0, 1, 2, 3, 4, 5, 6, 7))
			switch {
			case tt.want != "":
				expectError(t, err, tt.want)
			case err != nil:
				t.Error(err)
			}
		})
	}
}

// TestForeignRuns: an attribute of cuda_tile's that nv_tileaa gives a meaning to, and that nothing has verified
// there, has none.
func TestForeignRuns(t *testing.T) {
	t.Parallel()
	e := parse(t, `entry @k(%p: tile<ptr<i32>>) {
%x, %t = "cuda_tile.load_ptr_tko"(%p) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> {runs = array<i64: 0, 4>} : (!cuda_tile.tile<ptr<i32>>) -> (!cuda_tile.tile<i32>, !cuda_tile.token)
return
}`)
	if err := runKernel(t, e, bufferOf(launch.I32, 0)); err != nil {
		t.Error(err)
	}
}
