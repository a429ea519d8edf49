package interp

import (
	"testing"
)

// Each operation with an overflow clause is checked, unless the engine is told to let integers wrap. An unspecified
// element does not overflow.
func TestPromises(t *testing.T) {
	t.Parallel()
	const prefix = "%m = constant <i8: -128> : tile<i8>\n%o = constant <i8: -1> : tile<i8>\n%h = constant <i8: 1> : tile<i8>\n"
	for _, tt := range []struct{ body, want string }{
		{"%r0 = addi %m, %o overflow<no_signed_wrap> : tile<i8>", "'cuda_tile.addi' op overflows as an operation of signed numbers"},
		{"%r0 = addi %m, %m overflow<no_unsigned_wrap> : tile<i8>", "'cuda_tile.addi' op overflows as an operation of unsigned numbers"},
		{"%r0 = addi %o, %h overflow<no_wrap> : tile<i8>", "'cuda_tile.addi' op overflows as an operation of unsigned numbers"},
		{"%r0 = addi %o, %h overflow<no_signed_wrap> : tile<i8>", ""},
		{"%r0 = addi %o, %h : tile<i8>", ""},
		{"%r0 = subi %h, %o overflow<no_unsigned_wrap> : tile<i8>", "'cuda_tile.subi' op overflows as an operation of unsigned numbers"},
		{"%r0 = muli %m, %o overflow<no_signed_wrap> : tile<i8>", "'cuda_tile.muli' op overflows as an operation of signed numbers"},
		{"%r0 = shli %m, %h overflow<no_unsigned_wrap> : tile<i8>", "'cuda_tile.shli' op overflows as an operation of unsigned numbers"},
		{"%r0 = negi %m overflow<no_signed_wrap> : tile<i8>", "'cuda_tile.negi' op overflows as an operation of signed numbers"},
		{"%r0 = negi %h overflow<no_wrap> : tile<i8>", ""},
		{"%w = exti %m unsigned : tile<i8> -> tile<i32>\n%r0 = trunci %w overflow<no_signed_wrap> : tile<i32> -> tile<i8>", "'cuda_tile.trunci' op overflows as an operation of signed numbers"},
		{"%w = exti %m signed : tile<i8> -> tile<i32>\n%r0 = trunci %w overflow<no_unsigned_wrap> : tile<i32> -> tile<i8>", "'cuda_tile.trunci' op overflows as an operation of unsigned numbers"},
		{"%r0 = divi %m, %o signed : tile<i8>", "'cuda_tile.divi' op overflows: element [] is the most negative number"},
		{"%r0 = remi %m, %o signed : tile<i8>", ""},
		{"%a = alloca num_elem = 1, alignment = 1 : tile<ptr<i8>>\n%u, %t = load_ptr_tko weak %a : tile<ptr<i8>> -> tile<i8>, token\n%v = addi %u, %m overflow<no_wrap> : tile<i8>\n%r0 = addi %m, %h : tile<i8>", ""},
		{"%two = constant <i8: [100, 100]> : tile<2xi8>\n%r0 = reduce %two dim=0 identities=[0 : i8] : tile<2xi8> -> tile<i8>\n(%a: tile<i8>, %b: tile<i8>) {\n%c = addi %a, %b overflow<no_signed_wrap> : tile<i8>\nyield %c : tile<i8>\n}",
			"'cuda_tile.addi' op overflows as an operation of signed numbers"},
	} {
		e := parse(t, "entry @k() {\n"+prefix+tt.body+"\nreturn\n}")
		if err := runKernel(t, e); tt.want != "" {
			expectError(t, err, tt.want)
		} else if err != nil {
			t.Error(err)
		}
		e.LooseOverflow = true
		if err := runKernel(t, e); err != nil {
			t.Error(err)
		}
	}
}
