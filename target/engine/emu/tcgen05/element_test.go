package tcgen05_test

import (
	"math"
)

func testDecode(t string, code int) float64 {
	switch t {
	case "u8":
		return float64(code)
	case "s8":
		return float64(int8(code))
	}
	e, m := testFloats[t][0], testFloats[t][1]
	exp, man := code>>m&(1<<e-1), code&(1<<m-1)
	v := math.Ldexp(float64(man), 1-(1<<(e-1)-1)-m)
	if exp > 0 {
		v = math.Ldexp(float64(man+1<<m), exp-(1<<(e-1)-1)-m)
	}
	if code>>(e+m)&1 == 1 {
		v = -v
	}
	return v
}

func testBits(t string) int {
	if f, ok := testFloats[t]; ok {
		return 1 + f[0] + f[1]
	}
	return 8
}

// testCodes lists codes of small numbers.
func testCodes(t string, most float64) (codes []int) {
	if t == "tf32" {
		for _, v := range []float32{0, 1, -1, 0.5, -2, 3, -4, 1.25} {
			codes = append(codes, int(math.Float32bits(v)))
		}
		return codes
	}
	for c := range 1 << testBits(t) {
		v := testDecode(t, c)
		if (t == "u8" || t == "s8") && c%7 == 0 || t[0] != 'u' && t[0] != 's' && math.Abs(v) <= most && v*4 == math.Trunc(v*4) {
			codes = append(codes, c)
		}
	}
	return codes
}

const (
	testShared  = 49152
	testB       = 16384 // where B starts
	testColumns = 320
	testA       = 256 // columns of what is in TMEM
	testMeta    = 272
	testSA      = 288
	testSB      = 304
)

// testImage is what one CTA has: shared memory and TMEM.
type testImage struct {
	shared []byte
	tensor [128][testColumns]uint32
}

// put writes one element of a row of a matrix in shared memory.
func (x *testImage) put(base int, t string, dense bool, swizzle int, major bool, r, k, code int) {
	bits := testBits(t)
	per := 16 // elements of 16 bytes
	switch {
	case bits > 8:
		per = 128 / bits
	case dense:
		per = 32
	}
	outer, inner := r, k
	if major {
		outer, inner = k, r
	}
	unit, in := inner/per, inner%per
	rows, width := 8, swizzle
	if swizzle == 129 {
		rows, width = 4, 128
	}
	at := 0
	if width == 0 { // core matrices: 128 bytes, along the contiguous dimension by 128, then by 4096
		at = outer%8*16 + unit*128 + outer/8*4096
		if !major {
			at = outer%8*16 + unit*128 + outer/8*512
		}
	} else { // rows of the width; patterns across by 8192 (2048 for the atoms of 32), further rows by 1024
		units := width / 16
		at = outer%rows*width + unit%units*16 + unit/units*8192 + outer/rows*1024
		if swizzle == 129 {
			at -= unit / units * (8192 - 2048)
			at ^= at >> 7 & 3 << 5
		} else {
			at ^= at >> 7 & (units - 1) << 4
		}
	}
	at += base
	if bits >= 8 {
		for i := range bits / 8 {
			x.shared[at+in*bits/8+i] = byte(code >> (8 * i))
		}
		return
	}
	for i := range bits {
		p := in*bits + i
		x.shared[at+p/8] |= byte(code >> i & 1 << (p % 8))
	}
}

// descriptor is that of a matrix that put has written.
func testDescriptor(base, swizzle int, major bool) uint64 {
	mode := map[int]uint64{0: 0, 129: 1, 128: 2, 64: 4, 32: 6}[swizzle]
	lead, stride := uint64(8192), uint64(1024)
	switch {
	case swizzle == 129:
		lead = 2048
	case swizzle == 0 && major:
		lead, stride = 4096, 128
	case swizzle == 0:
		lead, stride = 128, 512
	}
	return mode<<61 | 1<<46 | stride>>4<<32 | lead>>4<<16 | uint64(base)>>4
}

// holder is the code of an element in TMEM and its width.
func testHolder(t string, dense bool, code int) (uint32, int) {
	switch bits := testBits(t); {
	case dense:
		return uint32(code), 4
	case bits == 4:
		return uint32(code) << 2, 8
	case bits == 6:
		return uint32(code) << 1, 8
	default:
		return uint32(code), bits
	}
}
