package linear

import "testing"

// canonical is where a descriptor says that an element is, in bytes (PTX ISA, wgmma, "Shared Memory Matrix Layout"),
// written by the figures there.
func canonical(d Descriptor, bytes, row, k int) int {
	per := 16 / bytes
	var at int
	switch w := max(d.Swizzle, 16); {
	case d.Swizzle == 0 && !d.RowsTogether:
		at = row/8*d.Stride + row%8*16 + k/per*d.Lead + k%per*bytes
	case d.Swizzle == 0:
		at = row/per*d.Stride + row%per*bytes + k/8*d.Lead + k%8*16
	case !d.RowsTogether:
		at = row/8*d.Stride + row%8*w + k*bytes
	default:
		in := w / bytes
		at = row/in*d.Lead + row%in*bytes + k/8*d.Stride + k%8*w
	}
	if d.Swizzle > 0 {
		at ^= at >> 7 % (d.Swizzle / 16) << 4
	}
	return at
}

// TestDescribe: the descriptor of a layout finds each element of each instruction.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		shape               []int // rows, depth, or a batch of them
		rows, kExtent, bits int   // of the instruction
		together            int
		swizzle             int
		lead, stride        int
	}{
		{[]int{128, 64}, 64, 16, 16, 1, 128, 16, 1024},
		{[]int{128, 32}, 64, 16, 16, 1, 64, 16, 512},
		{[]int{128, 16}, 128, 16, 16, 1, 32, 16, 256},
		{[]int{128, 128}, 64, 16, 16, 1, 128, 16, 1024},
		{[]int{128, 64}, 128, 16, 16, 0, 128, 64 * 128, 1024},
		{[]int{32, 64}, 32, 16, 16, 0, 64, 16, 512},
		{[]int{16, 64}, 16, 16, 16, 0, 32, 16, 256},
		{[]int{8, 64}, 8, 16, 16, 0, 0, 128, 128},
		{[]int{64, 128}, 64, 32, 8, 1, 128, 16, 1024},
		{[]int{64, 32}, 64, 8, 32, 1, 128, 16, 1024},
		{[]int{4, 64, 64}, 64, 16, 16, 2, 128, 16, 1024},
	} {
		r := len(tt.shape)
		l, err := OperandLayout(tt.shape, tt.bits, ContiguousFirst(r, r-2+tt.together%2))
		if r == 3 {
			l, err = OperandLayout(tt.shape, tt.bits, ContiguousFirst(r, tt.together))
		}
		if err != nil {
			t.Fatal(err)
		}
		d, err := l.Describe(r-2, r-1, tt.rows, tt.kExtent, tt.bits)
		if err != nil {
			t.Errorf("%v: %v", tt, err)
			continue
		}
		if d.Swizzle != tt.swizzle || d.Lead != tt.lead || d.Stride != tt.stride || d.RowsTogether != (tt.together == r-2) {
			t.Errorf("%v: got %+v", tt, d)
		}
		bytes := tt.bits / 8
		offset := func(row, k int) int { return int(l.Offset(uint64(row*tt.shape[r-1]+k))) * bytes }
		for row0 := 0; row0 < tt.shape[r-2]; row0 += tt.rows {
			for k0 := 0; k0 < tt.shape[r-1]; k0 += tt.kExtent {
				for row := range tt.rows {
					for k := range tt.kExtent {
						// The machine swizzles by address bits, so that the start takes part in it; where the start
						// has none of those, it is a sum.
						if got, want := offset(row0+row, k0+k), offset(row0, k0)^canonical(d, bytes, row, k); got != want {
							t.Fatalf("%v: element %d, %d of the instruction at %d, %d is at %d, want %d", tt, row, k, row0, k0, got, want)
						}
					}
				}
			}
		}
	}
}

// TestDescribeRefuses: what is not as the machine swizzles is no operand.
func TestDescribeRefuses(t *testing.T) {
	t.Parallel()
	plain, _ := SharedRowMajor([]int{64, 64}, []int{1, 0})
	other, _ := SharedSwizzled([]int{64, 64}, 8, 2, 4, []int{1, 0})
	narrow, _ := OperandLayout([]int{64, 8}, 16, []int{1, 0})
	for name, l := range map[string]Shared{"row-major": plain, "another swizzle": other, "less deep than the instruction": narrow} {
		if d, err := l.Describe(0, 1, 64, 16, 16); err == nil {
			t.Errorf("%s: described by %+v", name, d)
		}
	}
}
