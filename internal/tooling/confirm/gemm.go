package confirm

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/cuda"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
)

//go:embed kernels/gemm.mlir
var gemmText string

var gemmTemplate = template.Must(template.New("gemm").Parse(gemmText))

// A gemm is a multiplication that is timed, and cuBLAS's of the same matrices beside it.
type gemm struct {
	name    string
	in      launch.DType
	out     launch.DType
	tf32    bool
	elem    sm.Elem // that is multiplied
	k       int     // of a tile, whose other extents are gemmTile
	batch   int
	extents []int // of square matrices
}

// gemms are those that are timed. A tile of A has 128 bytes in a row, and half of them without tensor cores.
var gemms = []gemm{
	{"f16", launch.F16, launch.F16, false, sm.F16, 64, 1, []int{1024, 2048, 4096}},
	{"bf16", launch.BF16, launch.BF16, false, sm.BF16, 64, 1, []int{1024, 4096}},
	{"tf32", launch.F32, launch.F32, true, sm.TF32, 32, 1, []int{1024, 4096}},
	{"f32", launch.F32, launch.F32, false, sm.F32, 16, 1, []int{1024, 2048}},
	{"f8e4m3", launch.F8E4M3, launch.F16, false, sm.E4M3, 128, 1, []int{1024, 4096}},
	{"f16", launch.F16, launch.F16, false, sm.F16, 64, 16, []int{1024}},
}

const (
	gemmTile    = 128
	gemmStandIn = gemmTile // all extents on the stand-in for a device
	gemmRepeat  = 20
)

// gemmProbes time GEMMs. Sums of their elements are exact in f32, so that cuBLAS computes the same bits.
func (s Source) gemmProbes() (out []*Probe) {
	for _, g := range gemms {
		for _, n := range g.extents {
			id := fmt.Sprintf("GEMM %s %d x %d x %d", g.name, n, n, n)
			if g.batch > 1 {
				id += fmt.Sprintf(", %d of them", g.batch)
			}
			if s.StandIn {
				n = gemmStandIn
				g.batch = min(g.batch, 2)
			}
			out = append(out, &Probe{ID: name(Kernels, id), Kind: Kernels, Look: "docs/measurements", judge: judge{figure: true},
				Means:   "A compiled GEMM computes other bits than cuBLAS, of sums that are exact.",
				on:      func(a *sm.Arch) bool { return a.MultiplyAdds(sm.MatrixTypes{A: g.elem, B: g.elem, D: sm.F32}) > 0 },
				flops:   2 * float64(g.batch) * float64(n) * float64(n) * float64(n),
				product: func(req *launch.Request) *cuda.Product { return g.product(req, n) },
				make:    func(ctx context.Context, t Target) (*Launch, error) { return g.launch(ctx, n, t) }})
		}
	}
	return out
}

func (g gemm) launch(ctx context.Context, n int, t Target) (*Launch, error) {
	var text bytes.Buffer
	in, out := g.in.String(), g.out.String()
	if g.in == launch.F8E4M3 {
		in = numeric.F8E4M3FN.String()
	}
	if err := gemmTemplate.Execute(&text, map[string]any{"In": in, "Out": out, "TF32": g.tf32, "M": gemmTile, "N": gemmTile, "K": g.k}); err != nil {
		return nil, err
	}
	matrix := func(d launch.DType) launch.Arg {
		return launch.Arg{Buffer: &launch.Buffer{DType: d, Shape: []int{g.batch, n, n}, Data: exactData(d, g.batch*n*n, 0)}}
	}
	size := func(n int) launch.Arg {
		return launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(n)}}
	}
	tiles := uint32(n / gemmTile)
	req := &launch.Request{Entry: "gemm", Grid: [3]uint32{tiles, tiles, uint32(g.batch)},
		Args: []launch.Arg{matrix(g.in), matrix(g.in), matrix(g.out), size(g.batch), size(n), size(n), size(n)}}
	return timedLaunch(ctx, text.Bytes(), req, t)
}

// exactData are multiples of 1/8 between -1 and 1, of which products and sums are exact in f32. Not zeros: on them a
// device takes less power, and is faster. Data of another variant differs.
func exactData(d launch.DType, n, variant int) []byte {
	var small []uint64
	format, _ := d.Format() // the types of gemms are floats
	for _, x := range []float64{0.5, -0.25, 0.25, -0.5, 0.125, 0, -0.125} {
		small = append(small, format.Encode(x, numeric.Env{}))
	}
	same := len(small) + variant // elements in a row that are shifted by the same
	period := len(small) * same
	b := make([]byte, d.Bytes(n))
	for i := range min(n, period) {
		d.Store(b, i, small[(i*i+i/same)%len(small)])
	}
	for filled := d.Bytes(period); filled < len(b); {
		filled += copy(b[filled:], b[:filled])
	}
	return b
}

func (g gemm) product(req *launch.Request, n int) *cuda.Product {
	return &cuda.Product{Batch: g.batch, M: n, N: n, K: n, Type: g.in, TF32: g.tf32, A: req.Args[0].Buffer.Data, B: req.Args[1].Buffer.Data}
}

// beside times cuBLAS's product of the same matrices, and says where ours differs from it, or why there is none.
func (p *Probe) beside(library *cuda.Library, asked, done *launch.Request) (us float64, text string) {
	want, median, err := library.Multiply(p.product(asked), gemmRepeat)
	if err != nil {
		return 0, shortened(err)
	}
	got := done.Args[2].Buffer
	d, err := launch.Compare(got, &launch.Buffer{DType: got.DType, Shape: got.Shape, Data: want}, launch.Tolerance{})
	switch {
	case err != nil:
		text = shortened(err)
	case !d.OK():
		text = fmt.Sprintf("%d of %d elements differ from cuBLAS's, first element %d: %s", d.Mismatches, d.Elements, d.First, strings.TrimSpace(fmt.Sprint(d.FirstPair)))
	}
	return microseconds(median), text
}
