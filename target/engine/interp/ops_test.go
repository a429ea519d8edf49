package interp

import (
	"slices"
	"testing"
)

// Each operation on edge values: what %r is.
func TestOperations(t *testing.T) {
	t.Parallel()
	const (
		one, two, three = 0x3f800000, 0x40000000, 0x40400000
		inf, nan        = 0x7f800000, 0x7fc00000
		neg             = 1 << 31
	)
	f32 := func(lists ...string) string { return consts("f32", lists...) }
	i8 := func(lists ...string) string { return consts("i8", lists...) }
	tests := []struct {
		name, body, elem string
		want             []uint64
	}{
		{"addf", f32("1.0, 0x7F800000", "2.0, 0xFF800000") + "%r = addf %a, %b : tile<2xf32>", "f32", []uint64{three, nan}},
		{"addf zero", f32("1.0, 0.0", "0x33800000, -0.0") + "%r = addf %a, %b rounding<positive_inf> : tile<2xf32>", "f32", []uint64{one + 1, 0}},
		{"addf ftz", f32("0x00000001, 0x80000001", "0.0, 0.0") + "%r = addf %a, %b flush_to_zero : tile<2xf32>", "f32", []uint64{0, 0}},
		{"subf", f32("1.0, 2.0", "1.0, 1.0") + "%r = subf %a, %b : tile<2xf32>", "f32", []uint64{0, one}},
		{"mulf", f32("-1.0, 0.0", "2.0, 0x7F800000") + "%r = mulf %a, %b : tile<2xf32>", "f32", []uint64{neg | two, nan}},
		{"divf", f32("1.0, 0.0", "0.0, 0.0") + "%r = divf %a, %b : tile<2xf32>", "f32", []uint64{inf, nan}},
		{"divf approx", f32("2.0, -1.0", "1.0, -0.0") + "%r = divf %a, %b rounding<approx> : tile<2xf32>", "f32", []uint64{two, inf}},
		{"remf", f32("-3.0, 1.0", "2.0, 0.0") + "%r = remf %a, %b : tile<2xf32>", "f32", []uint64{neg | one, nan}},
		{"fma", f32("2.0, 0.0", "1.0, 1.0", "1.0, -0.0") + "%r = fma %a, %b, %c : tile<2xf32>", "f32", []uint64{three, 0}},
		{"maxf", f32("0x7FC00000, -0.0", "1.0, 0.0") + "%r = maxf %a, %b : tile<2xf32>", "f32", []uint64{one, 0}},
		{"maxf nan", f32("0x7FC00001, -1.0", "1.0, -2.0") + "%r = maxf %a, %b propagate_nan : tile<2xf32>", "f32", []uint64{nan, neg | one}},
		{"minf", f32("0.0, 0x7FC00000", "-0.0, 0x7FC00000") + "%r = minf %a, %b : tile<2xf32>", "f32", []uint64{neg, nan}},
		{"negf", f32("0.0, 1.0") + "%r = negf %a : tile<2xf32>", "f32", []uint64{neg, neg | one}},
		{"absf", f32("-0.0, -1.0") + "%r = absf %a : tile<2xf32>", "f32", []uint64{0, one}},
		{"sqrt", f32("4.0, -1.0") + "%r = sqrt %a : tile<2xf32>", "f32", []uint64{two, nan}},
		{"rsqrt", f32("0.0, 0x7F800000") + "%r = rsqrt %a : tile<2xf32>", "f32", []uint64{inf, 0}},
		{"exp", f32("0xFF800000, 0.0") + "%r = exp %a : tile<2xf32>", "f32", []uint64{0, one}},
		{"exp2", f32("1.0, 0xC3000000") + "%r = exp2 %a flush_to_zero : tile<2xf32>", "f32", []uint64{two, 0}},
		{"log", f32("1.0, 0.0") + "%r = log %a : tile<2xf32>", "f32", []uint64{0, neg | inf}},
		{"log2", f32("8.0, -1.0") + "%r = log2 %a : tile<2xf32>", "f32", []uint64{three, nan}},
		{"trigonometry", f32("0.0, 0.0") + "%b = sin %a : tile<2xf32>\n%c = cos %b : tile<2xf32>\n%d = tan %b : tile<2xf32>\n%r = addf %c, %d : tile<2xf32>", "f32", []uint64{one, one}},
		{"hyperbolic", f32("0.0, 0.0") + "%b = sinh %a : tile<2xf32>\n%c = cosh %b : tile<2xf32>\n%d = tanh %b : tile<2xf32>\n%r = addf %c, %d : tile<2xf32>", "f32", []uint64{one, one}},
		{"atan2", f32("0.0, -0.0", "1.0, 1.0") + "%r = atan2 %a, %b : tile<2xf32>", "f32", []uint64{0, neg}},
		{"floor", f32("-0.5, 2.5") + "%r = floor %a : tile<2xf32>", "f32", []uint64{neg | one, two}},
		{"ceil", f32("-0.5, 2.5") + "%r = ceil %a : tile<2xf32>", "f32", []uint64{neg, three}},
		{"fpowf", f32("2.0, 0.0", "-1.0, 0.0") + "%r = fpowf %a, %b : tile<2xf32>", "f32", []uint64{0x3f000000, one}},
		{"fpowi", f32("2.0, -1.0") + "%i = constant <i32: [1, 3]> : tile<2xi32>\n%r = fpowi %a, %i : tile<2xf32>, tile<2xi32>", "f32", []uint64{two, neg | one}},
		{"cmpf", f32("0x7FC00000, 1.0", "1.0, 2.0") + "%r = cmpf less_than unordered %a, %b : tile<2xf32> -> tile<2xi1>", "i1", []uint64{1, 1}},
		{"cmpf ordered", f32("0x7FC00000, -0.0", "1.0, 0.0") + "%r = cmpf not_equal ordered %a, %b : tile<2xf32> -> tile<2xi1>", "i1", []uint64{0, 0}},

		{"addi", i8("127, -1", "1, -1") + "%r = addi %a, %b : tile<2xi8>", "i8", []uint64{0x80, 0xfe}},
		{"subi", i8("-128, 0", "1, 1") + "%r = subi %a, %b : tile<2xi8>", "i8", []uint64{0x7f, 0xff}},
		{"muli", i8("16, -1", "16, -1") + "%r = muli %a, %b : tile<2xi8>", "i8", []uint64{0, 1}},
		{"mulhii", i8("-1, 16", "-1, 16") + "%r = mulhii %a, %b : tile<2xi8>", "i8", []uint64{0xfe, 1}},
		{"divi floor", i8("-7, 7", "2, 2") + "%r = divi %a, %b signed rounding<negative_inf> : tile<2xi8>", "i8", []uint64{0xfc, 3}},
		{"divi ceiling", i8("-7, 7", "2, 2") + "%r = divi %a, %b unsigned rounding<positive_inf> : tile<2xi8>", "i8", []uint64{125, 4}},
		{"remi", i8("-7, 7", "4, -4") + "%r = remi %a, %b signed : tile<2xi8>", "i8", []uint64{0xfd, 3}},
		{"shli", i8("1, -1", "8, 7") + "%r = shli %a, %b : tile<2xi8>", "i8", []uint64{0, 0x80}},
		{"shri", i8("-128, -128", "1, -1") + "%r = shri %a, %b signed : tile<2xi8>", "i8", []uint64{0xc0, 0xff}},
		{"bits", i8("12, 12", "10, 10") + "%c = andi %a, %b : tile<2xi8>\n%d = ori %a, %b : tile<2xi8>\n%r = xori %c, %d : tile<2xi8>", "i8", []uint64{6, 6}},
		{"maxi", i8("-1, -1", "1, 1") + "%r = maxi %a, %b unsigned : tile<2xi8>", "i8", []uint64{0xff, 0xff}},
		{"mini", i8("-1, -128", "1, 127") + "%r = mini %a, %b signed : tile<2xi8>", "i8", []uint64{0xff, 0x80}},
		{"negi", i8("-128, 1") + "%r = negi %a : tile<2xi8>", "i8", []uint64{0x80, 0xff}},
		{"absi", i8("-128, -1") + "%r = absi %a : tile<2xi8>", "i8", []uint64{0x80, 1}},
		{"cmpi signed", i8("-1, 1", "1, -1") + "%r = cmpi less_than %a, %b, signed : tile<2xi8> -> tile<2xi1>", "i1", []uint64{1, 0}},
		{"cmpi unsigned", i8("-1, 1", "1, -1") + "%r = cmpi greater_than_or_equal %a, %b, unsigned : tile<2xi8> -> tile<2xi1>", "i1", []uint64{1, 0}},
		{"select", i8("1, 2", "3, 4") + "%m = constant <i1: [true, false]> : tile<2xi1>\n%r = select %m, %a, %b : tile<2xi1>, tile<2xi8>", "i8", []uint64{1, 4}},

		{"exti", i8("-1, 1") + "%r = exti %a signed : tile<2xi8> -> tile<2xi16>", "i16", []uint64{0xffff, 1}},
		{"exti unsigned", i8("-1, 1") + "%r = exti %a unsigned : tile<2xi8> -> tile<2xi16>", "i16", []uint64{0xff, 1}},
		{"trunci", consts("i32", "0x1ff, -2") + "%r = trunci %a : tile<2xi32> -> tile<2xi8>", "i8", []uint64{0xff, 0xfe}},
		{"ftof f8", f32("1000.0, 0x7FC00000") + "%r = ftof %a : tile<2xf32> -> tile<2xf8E4M3FN>", "f8E4M3FN", []uint64{0x7e, 0x7f}},
		{"ftof e8m0", f32("3.0, 4.0") + "%r = ftof %a rounding<positive_inf> : tile<2xf32> -> tile<2xf8E8M0FNU>", "f8E8M0FNU", []uint64{129, 129}},
		{"ftof f16", f32("65520.0, 0x33000001") + "%r = ftof %a : tile<2xf32> -> tile<2xf16>", "f16", []uint64{0x7c00, 1}},
		{"ftof f4", f32("5.1, -0.3") + "%r = ftof %a : tile<2xf32> -> tile<2xf4E2M1FN>", "f4E2M1FN", []uint64{7, 9}},
		{"ftoi", f32("-1.9, 127.9") + "%r = ftoi %a signed : tile<2xf32> -> tile<2xi8>", "i8", []uint64{0xff, 127}},
		{"ftoi saturating", f32("0x7FC00000, 300.0") + "%r = ftoi %a unsigned saturating : tile<2xf32> -> tile<2xi8>", "i8", []uint64{0, 255}},
		{"itof", consts("i32", "-1, 16777217") + "%r = itof %a signed : tile<2xi32> -> tile<2xf32>", "f32", []uint64{neg | one, 0x4b800000}},
		{"bitcast", f32("1.0, -0.0") + "%r = bitcast %a : tile<2xf32> -> tile<2xi32>", "i32", []uint64{one, neg}},

		{"iota", "%r = iota : tile<4xi8>", "i8", []uint64{0, 1, 2, 3}},
		{"permute", "%a = constant <i8: [[1, 2], [3, 4]]> : tile<2x2xi8>\n%b = permute %a [1, 0] : tile<2x2xi8> -> tile<2x2xi8>\n" +
			"%r = reshape %b : tile<2x2xi8> -> tile<4xi8>", "i8", []uint64{1, 3, 2, 4}},
		{"broadcast", "%a = constant <i8: [[1], [3]]> : tile<2x1xi8>\n%b = broadcast %a : tile<2x1xi8> -> tile<2x2xi8>\n" +
			"%r = reshape %b : tile<2x2xi8> -> tile<4xi8>", "i8", []uint64{1, 1, 3, 3}},
		{"cat", "%a = constant <i8: [[1], [2]]> : tile<2x1xi8>\n%b = constant <i8: [[3], [4]]> : tile<2x1xi8>\n" +
			"%c = cat %a, %b dim = 1 : tile<2x1xi8>, tile<2x1xi8> -> tile<2x2xi8>\n%r = reshape %c : tile<2x2xi8> -> tile<4xi8>", "i8", []uint64{1, 3, 2, 4}},
		{"extract", "%a = constant <i8: [1, 2, 3, 4]> : tile<4xi8>\n%i = constant <i32: 1> : tile<i32>\n" +
			"%r = extract %a[%i] : tile<4xi8> -> tile<2xi8>", "i8", []uint64{3, 4}},
		{"insert", "%a = constant <i8: [[1, 2], [3, 4]]> : tile<2x2xi8>\n%b = constant <i8: [[9], [8]]> : tile<2x1xi8>\n%i = constant <i32: 0> : tile<i32>\n" +
			"%j = constant <i32: 1> : tile<i32>\n%c = insert %b, %a[%i, %j] : tile<2x1xi8>, tile<2x2xi8>\n%r = reshape %c : tile<2x2xi8> -> tile<4xi8>", "i8", []uint64{1, 9, 3, 8}},
		{"pack", consts("i16", "0x1234, -2") + "%r = pack %a : tile<2xi16> -> tile<4xi8>", "i8", []uint64{0x34, 0x12, 0xfe, 0xff}},
		{"pack i1", consts("i1", "1, 0, 1, 0, 0, 0, 0, 1") + "%r = pack %a : tile<8xi1> -> tile<1xi8>", "i8", []uint64{0x85}},
		{"unpack f4", consts("i8", "0x21, 0x43") + "%r = unpack %a : tile<2xi8> -> tile<4xf4E2M1FN>", "f4E2M1FN", []uint64{1, 2, 3, 4}},
		{"unpack f32", consts("i8", "0, 0, -128, 63") + "%r = unpack %a : tile<4xi8> -> tile<1xf32>", "f32", []uint64{one}},

		{"reduce", f32("1.0, 2.0, 3.0, 4.0") + "%s = reduce %a dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32>\n" +
			"(%x: tile<f32>, %y: tile<f32>) {\n%q = addf %x, %y : tile<f32>\nyield %q : tile<f32>\n}\n%r = reshape %s : tile<f32> -> tile<1xf32>", "f32", []uint64{0x41200000}},
		// The left one of two numbers stays: the order of elements is kept.
		{"reduce first", "%a = constant <i8: [[1, 2, 3, 4], [5, 6, 7, 8]]> : tile<2x4xi8>\n%r = reduce %a dim=1 identities=[0 : i8] : tile<2x4xi8> -> tile<2xi8>\n" +
			"(%x: tile<i8>, %y: tile<i8>) {\nyield %x : tile<i8>\n}", "i8", []uint64{1, 5}},
		{"reduce constant", i8("1, 2, 3, 4") + "%c = constant <i8: 7> : tile<i8>\n%s = reduce %a dim=0 identities=[0 : i8] : tile<4xi8> -> tile<i8>\n" +
			"(%x: tile<i8>, %y: tile<i8>) {\nyield %c : tile<i8>\n}\n%r = reshape %s : tile<i8> -> tile<1xi8>", "i8", []uint64{7}},
		// A body with a tile cannot run on vectors.
		{"reduce tiles", i8("1, 2, 3, 4") + "%s = reduce %a dim=0 identities=[0 : i8] : tile<4xi8> -> tile<i8>\n(%x: tile<i8>, %y: tile<i8>) {\n" +
			"%u = reshape %x : tile<i8> -> tile<1xi8>\n%v = reshape %y : tile<i8> -> tile<1xi8>\n%w = addi %u, %v : tile<1xi8>\n" +
			"%q = reshape %w : tile<1xi8> -> tile<i8>\nyield %q : tile<i8>\n}\n%r = reshape %s : tile<i8> -> tile<1xi8>", "i8", []uint64{10}},
		{"scan", i8("1, 2, 3, 4") + "%r = scan %a dim=0 reverse=false identities=[0 : i8] : tile<4xi8> -> tile<4xi8>\n" +
			"(%x: tile<i8>, %y: tile<i8>) {\n%q = addi %x, %y : tile<i8>\nyield %q : tile<i8>\n}", "i8", []uint64{1, 3, 6, 10}},
		{"scan reverse", "%a = constant <i8: [[1, 2], [3, 4]]> : tile<2x2xi8>\n%b = scan %a dim=0 reverse=true identities=[0 : i8] : tile<2x2xi8> -> tile<2x2xi8>\n" +
			"(%x: tile<i8>, %y: tile<i8>) {\n%q = subi %x, %y : tile<i8>\nyield %q : tile<i8>\n}\n%r = reshape %b : tile<2x2xi8> -> tile<4xi8>", "i8", []uint64{2, 2, 3, 4}},

		{"mmaf", "%a = constant <f16: [[1.0, 2.0]]> : tile<1x2xf16>\n%b = constant <f16: [[3.0], [4.0]]> : tile<2x1xf16>\n%c = constant <f32: [[-10.0]]> : tile<1x1xf32>\n" +
			"%d = mmaf %a, %b, %c : tile<1x2xf16>, tile<2x1xf16>, tile<1x1xf32>\n%r = reshape %d : tile<1x1xf32> -> tile<1xf32>", "f32", []uint64{one}},
		{"mmai", "%a = constant <i8: [[-1, 2]]> : tile<1x2xi8>\n%b = constant <i8: [[-1], [4]]> : tile<2x1xi8>\n%c = constant <i32: [[0x7fffffff]]> : tile<1x1xi32>\n" +
			"%d = mmai %a, %b, %c signed unsigned : tile<1x2xi8>, tile<2x1xi8>, tile<1x1xi32>\n%r = reshape %d : tile<1x1xi32> -> tile<1xi32>", "i32", []uint64{0x7fffffff - 255 + 8}},
		{"mmaf_scaled", "%i = constant <i8: 34> : tile<16xi8>\n%u = unpack %i : tile<16xi8> -> tile<32xf4E2M1FN>\n%a = reshape %u : tile<32xf4E2M1FN> -> tile<1x32xf4E2M1FN>\n" +
			"%b = reshape %u : tile<32xf4E2M1FN> -> tile<32x1xf4E2M1FN>\n%s = constant <f8E4M3FN: [[1.0, 2.0]]> : tile<1x2xf8E4M3FN>\n" +
			"%q = constant <f8E4M3FN: [[1.0], [0.5]]> : tile<2x1xf8E4M3FN>\n%c = constant <f32: 0.0> : tile<1x1xf32>\n" +
			"%d = mmaf_scaled %a, %b, %c, %s, %q : tile<1x32xf4E2M1FN>, tile<32x1xf4E2M1FN>, tile<1x1xf32>, tile<1x2xf8E4M3FN>, tile<2x1xf8E4M3FN>\n" +
			"%r = reshape %d : tile<1x1xf32> -> tile<1xf32>", "f32", []uint64{0x42000000}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := compute(t, tt.body, tt.elem, len(tt.want))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %s, want %s", hex(got), hex(tt.want))
			}
		})
	}
}
