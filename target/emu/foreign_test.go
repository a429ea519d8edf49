package emu

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"testing"
)

// TestForeignPTX runs matrix products that another compiler made (see
// testdata/README.md), in order and with several adversaries. The operands
// are small integers, so the result must be exact.
func TestForeignPTX(t *testing.T) {
	t.Parallel()
	const m, n, k = 64, 128, 192
	for _, c := range []struct {
		file   string
		shared uint32
		half   bool // the result is f16
	}{{"mma", 16384, false}, {"wgmma", 24576, false}, {"tma", 65696, true}} {
		src, err := os.ReadFile(filepath.Join("testdata", "triton_"+c.file+".ptx"))
		if err != nil {
			t.Fatal(err)
		}
		mod, err := Parse(c.file, src)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s seed %d", c.file, seed), func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewSource(int64(seed)))
				mem := NewMemory()
				matrix := func(name string, rows, cols int) (uint64, []int) {
					v := make([]int, rows*cols)
					b := make([]byte, 0, 2*len(v))
					for i := range v {
						v[i] = rng.Intn(7) - 3
						b = binary.LittleEndian.AppendUint16(b, uint16(fmtF16.round(float64(v[i]), rnNearest)))
					}
					at, err := mem.Alloc(name, uint64(len(b)), 0)
					if err != nil {
						t.Fatal(err)
					}
					if err := mem.Write(at, b); err != nil {
						t.Fatal(err)
					}
					return at, v
				}
				a, av := matrix("a", m, k)
				b, bv := matrix("b", k, n)
				out, err := mem.Alloc("c", 4*m*n, 0)
				if err != nil {
					t.Fatal(err)
				}
				params := [][]byte{le64(a), le64(b), le64(out), le32(m), le32(n), le32(k), le64(0), le64(0)}
				if c.half {
					params = nil
					for _, x := range []struct {
						at         uint64
						rows, cols uint64
					}{{a, m, k}, {b, k, n}, {out, m, n}} {
						tm, err := TensorMap{Address: x.at, Type: "f16", Dims: []uint64{x.cols, x.rows}, Strides: []uint64{2 * x.cols}, Box: []uint32{64, 64}, Swizzle: 128}.Encode()
						if err != nil {
							t.Fatal(err)
						}
						params = append(params, tm, le32(uint32(x.rows)), le32(uint32(x.cols)), le64(x.cols), le64(1))
					}
					params = append(params, le32(k), le64(0), le64(0))
				}
				if _, err := mod.Run(context.Background(), mem, Launch{
					Entry: mod.Entries()[0].Name, Grid: [3]uint32{m / 64, n / 64}, DynamicShared: c.shared,
					Params: params, Adversarial: seed > 0, Seed: seed,
				}); err != nil {
					t.Fatal(err)
				}
				got := make([]byte, 4*m*n)
				if err := mem.Read(out, got); err != nil {
					t.Fatal(err)
				}
				for i := range m {
					for j := range n {
						sum := 0
						for x := range k {
							sum += av[i*k+x] * bv[x*n+j]
						}
						v := float64(math.Float32frombits(binary.LittleEndian.Uint32(got[4*(i*n+j):])))
						if c.half {
							v = decodeF16(uint64(binary.LittleEndian.Uint16(got[2*(i*n+j):])))
						}
						if v != float64(sum) {
							t.Fatalf("element (%d, %d): got %v, want %d", i, j, v, sum)
						}
					}
				}
			})
		}
	}
}
