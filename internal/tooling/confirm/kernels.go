package confirm

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/tilewright/tilewright/pipeline/check/fuzz"
	"github.com/tilewright/tilewright/target/engine/launch"
)

//go:embed kernels/gemm.mlir
var gemmText []byte

// Sizes of GEMMs that are timed: on a device, and on the stand-in for one.
const (
	gemmSize        = 4096
	gemmSizeStandIn = 128
	gemmTile        = 128
	gemmRepeat      = 20
)

// kernelProbes time kernels. What they compute is compared with what their case expects.
func (s Source) kernelProbes() (out []*Probe, err error) {
	n := gemmSize
	if s.StandIn {
		n = gemmSizeStandIn
	}
	out = append(out, &Probe{ID: name(Kernels, "GEMM of halves"), Kind: Kernels, Look: "docs/measurements", judge: judge{figure: true}, gemm: n,
		Means: "The time of a compiled GEMM, and of cublasHgemm where cuBLAS is installed.",
		make: once(func(ctx context.Context, t Target) (*Launch, error) {
			half := func() launch.Arg {
				b := make([]byte, 2*n*n)
				for i := range n * n {
					binary.LittleEndian.PutUint16(b[2*i:], uint16(smallHalves[(i*i+i/7)%len(smallHalves)]))
				}
				return launch.Arg{Buffer: &launch.Buffer{DType: launch.F16, Shape: []int{n, n}, Data: b}}
			}
			size := launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(n)}}
			req := &launch.Request{Entry: "gemm", Grid: [3]uint32{uint32(n / gemmTile), uint32(n / gemmTile), 1}, Args: []launch.Arg{half(), half(), half(), size, size, size}}
			return timedLaunch(ctx, gemmText, req, t)
		})})
	if s.Kernels == "" {
		return out, nil
	}
	var paths []string
	err = filepath.WalkDir(s.Kernels, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "case.json" && len(paths) < maxProbes {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	for _, path := range paths {
		relative, err := filepath.Rel(s.Kernels, filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		c, err := launch.LoadCase(path)
		if err != nil {
			return nil, err
		}
		out = append(out, &Probe{ID: name(Kernels, "case "+filepath.ToSlash(relative)), Kind: Kernels, Look: "the case, by tile judge", judge: judge{figure: true}, expect: c.Expect,
			Means: "A kernel does not compute on hardware what its case expects.",
			make: once(func(ctx context.Context, t Target) (*Launch, error) {
				module, err := c.ReadModule()
				if err != nil {
					return nil, err
				}
				return timedLaunch(ctx, module, c.Request(), t)
			})})
	}
	return out, nil
}

// smallHalves are halves between -1 and 1.
var smallHalves = []uint64{0x3800, 0xb400, 0x3400, 0xb800, 0x3000, 0x0000, 0xb000}

func timedLaunch(ctx context.Context, text []byte, req *launch.Request, t Target) (*Launch, error) {
	l, err := compiled(ctx, text, req, t, fuzz.Options{OptLevel: 3})
	if err != nil {
		return nil, err
	}
	l.Answers, l.Fields, l.Repeat = nil, nil, gemmRepeat
	return l, nil
}

// wrong says where a launch left something else than its case expects; "": nowhere.
func wrong(req *launch.Request, expect []launch.Expect) string {
	for _, x := range expect {
		if x.Segment {
			return "the case has memory at addresses of its own"
		}
		d, err := launch.Compare(req.Args[x.Arg].Buffer, x.Want, x.Tolerance)
		if err != nil {
			return err.Error()
		}
		if !d.OK() {
			return fmt.Sprintf("argument %d: %d of %d elements differ, first element %d: %s", x.Arg, d.Mismatches, d.Elements, d.First, d.FirstPair)
		}
	}
	return ""
}
