package tiles

// Products returns kernels with MMAs on tiles that do not fit the registers or the shared memory, as
// large as in real use.
func Products() (out []Kernel) {
	for _, t := range [][3]int{{256, 128, 64}, {256, 256, 64}, {512, 128, 64}, {256, 512, 32}, {512, 512, 32}, {128, 128, 512}, {1024, 64, 64}} {
		for _, elem := range []string{"f16", "i8", "f8E4M3FN", "tf32"} {
			out = append(out, Product{Elem: elem, M: t[0], N: t[1], K: t[2], Turns: 32, Blocks: 4}.Kernel())
		}
		out = append(out, Product{Elem: "f16", M: t[0], N: t[1], K: t[2], Turns: 32, Blocks: 4, Ragged: true}.Kernel())
	}
	for _, t := range [][3]int{{128, 64, 128}, {128, 128, 128}, {128, 64, 256}, {256, 64, 128}, {64, 64, 512}} {
		out = append(out, Attention{Elem: "bf16", Queries: t[0], Keys: t[1], Depth: t[2], Turns: 32, Blocks: 4}.Kernel())
	}
	return append(out, Chain("f16", 128, 128, 128, 128), Chain("f16", 128, 64, 256, 256), Chain("f16", 256, 256, 256, 256), Chain("bf16", 512, 64, 64, 512))
}
