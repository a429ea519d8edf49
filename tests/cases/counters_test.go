package cases

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

// A product is a case of the corpus that multiplies matrices, with what its tiles have to read.
type product struct {
	name  string
	least uint64 // bytes that the tile blocks read if each reads its tiles once
	// wholeSectors: rows begin at multiples of a sector, so that nothing but the compiler is to blame for more.
	wholeSectors bool
}

// reads is what the tile blocks of a product of m x k and k x n matrices read, if each reads its rows and columns once.
func reads(m, n, k, tileM, tileN, bytes int) uint64 {
	columns, rows := (n+tileN-1)/tileN, (m+tileM-1)/tileM
	return uint64((m*k*columns + k*n*rows) * bytes)
}

// products are the cases that docs/measurements/counters.md shows.
var products = []product{
	{"matmul_f16_big_tile", reads(256, 256, 128, 128, 128, 2), true},
	{"matmul_f16", reads(100, 90, 80, 32, 32, 2), false},
	{"matmul_bf16", reads(130, 70, 96, 64, 64, 2), false},
	{"matmul_f32_tf32", reads(70, 90, 64, 32, 32, 4), false},
	{"matmul_persistent", reads(150, 200, 72, 32, 64, 2), false},
	{"batch_matmul", 3 * reads(40, 70, 50, 32, 32, 2), false},
	{"mma_f16_f32out", reads(64, 96, 48, 32, 32, 2), true},
	{"mma_f16_f16acc", reads(32, 32, 32, 32, 32, 2), true},
	{"mma_bf16_f32out", reads(50, 70, 60, 32, 64, 2), false},
	{"mma_e4m3", reads(70, 90, 128, 64, 64, 1), false},
	{"mma_i8", reads(70, 50, 100, 32, 32, 1), false},
	{"mma_tf32", reads(70, 60, 64, 32, 32, 4), false},
	{"mma_nt", reads(70, 90, 80, 32, 32, 2), false},
	// Of the keys and values, a causal row of tiles reads those up to its own: 10 of 4 x 4.
	{"fmha_causal_f16_gqa", 4 * (128*32*2 + 10*2*32*32*2), true},
	// Two rows of tiles for each of two heads.
	{"fmha_full_f16", 2 * (128*64*2 + 2*2*128*64*2), true},
}

// countersOf runs a case with a profile.
func countersOf(t *testing.T, name, gpu string) *emu.Report {
	t.Helper()
	var out, errs bytes.Buffer
	if status := runtool.Main(context.Background(), []string{"--engine=ptx", "--gpu-name=" + gpu, "--profile=json", filepath.Join(corpus.Dir(t), "cases", name)}, strings.NewReader(""), &out, &errs); status != 0 {
		t.Fatalf("%s on %s: status %d: %s", name, gpu, status, &errs)
	}
	var list []struct{ emu.Report }
	if err := json.Unmarshal(out.Bytes(), &list); err != nil || len(list) != 1 {
		t.Fatalf("%s on %s: %v in %s", name, gpu, err, &out)
	}
	return &list[0].Report
}

// A measured is what the table shows of a product.
type measured struct {
	sectors, ideal, wavefronts, idealWavefronts uint64
	read, written                               uint64 // bytes of global memory
	zeros                                       uint64 // bytes of shared memory that copies without a source fill
	barriers                                    float64
}

func measure(r *emu.Report) (m measured) {
	c := &r.Total.Counters
	m.wavefronts, m.idealWavefronts = kerneltest.SharedWavefronts(r)
	for _, a := range machine.Accesses() {
		if a.Unit != machine.WavefrontUnit && a.First != machine.LocalLoad && a.First != machine.LocalStore {
			m.sectors += c[a.First+1]
			m.ideal += c[a.First+2]
		}
	}
	m.read = c[machine.GlobalLoad+3] + c[machine.GlobalCopy+3] + c[machine.BulkLoad+3]
	m.written = c[machine.GlobalStore+3] + c[machine.GlobalAtomic+3] + c[machine.BulkStore+3]
	m.zeros = c[machine.SharedCopy+3] - c[machine.GlobalCopy+3]
	m.barriers = perIteration(r)
	return m
}

// perIteration is how many barriers a warp comes to in each turn of the innermost loop that multiplies most; -1 if no
// product is in a loop.
func perIteration(r *emu.Report) float64 {
	type loop struct{ first, last int }
	var loops []loop
	for _, l := range r.Lines {
		if l.Target > 0 && l.Target <= l.Line {
			loops = append(loops, loop{l.Target, l.Line})
		}
	}
	best, barriers := uint64(0), -1.0
	for _, o := range loops {
		if slices.ContainsFunc(loops, func(in loop) bool { return in != o && in.first >= o.first && in.last <= o.last }) {
			continue
		}
		var products, arrivals, turns uint64
		for _, l := range r.Lines {
			if l.Line < o.first || l.Line > o.last {
				continue
			}
			c := &l.Counters.Counters
			if l.Line == o.last {
				turns = c[machine.WarpInstructions]
			}
			if arrivals += c[machine.BarrierArrivals]; l.Unit == "tensor" {
				products += c[machine.WarpInstructions]
			}
		}
		if products > best {
			best, barriers = products, float64(arrivals)/float64(turns)
		}
	}
	return barriers
}

// TestCounters holds what compiled products of matrices do with memory: no bank conflicts anywhere, and, for tiles
// whose rows fill sectors, the large product at its ideal: every sector once, every byte once for each tile block,
// one barrier for each turn of the loop. With TILEWRIGHT_UPDATE=1 it writes the table in
// docs/measurements/counters.md.
func TestCounters(t *testing.T) {
	t.Parallel()
	update := os.Getenv("TILEWRIGHT_UPDATE") != ""
	var b strings.Builder
	fmt.Fprintln(&b, "| case | target | bank conflicts | wavefronts | sectors | ideal | bytes read | of the least | bytes written | copies of zeros | barriers an iteration |\n|---|---|---|---|---|---|---|---|---|---|---|")
	for n, p := range products {
		for i, gpu := range []string{"sm_80", "sm_90", "sm_120"} {
			if !update && !tier.Exhaustive() && (i+n)%3 != 0 {
				continue
			}
			m := measure(countersOf(t, p.name, gpu))
			if m.wavefronts != m.idealWavefronts {
				t.Errorf("%s on %s: shared memory takes %d wavefronts, without conflicts %d", p.name, gpu, m.wavefronts, m.idealWavefronts)
			}
			if m.read < p.least {
				t.Errorf("%s on %s: %d bytes are read, and the tiles have %d", p.name, gpu, m.read, p.least)
			}
			if p.name == "matmul_f16_big_tile" && (m.sectors != m.ideal || m.read != p.least || m.barriers > 1) {
				t.Errorf("%s on %s: %d sectors of %d, %d bytes read of %d, %.2f barriers an iteration", p.name, gpu, m.sectors, m.ideal, m.read, p.least, m.barriers)
			}
			whole := ""
			if !p.wholeSectors {
				whole = " (rows begin inside)"
			}
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d%s | %d | %.2f | %d | %d | %.2f |\n", p.name, gpu, m.wavefronts-m.idealWavefronts, m.wavefronts, m.sectors, m.ideal, whole,
				m.read, float64(m.read)/float64(p.least), m.written, m.zeros, m.barriers)
		}
	}
	if !update {
		return
	}
	file := filepath.Join("..", "..", "docs", "measurements", "counters.md")
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- table -->\n", "<!-- end of table -->"
	head, rest, ok := strings.Cut(string(page), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", file)
	}
	if err := os.WriteFile(file, []byte(head+begin+b.String()+end+tail), 0o666); err != nil {
		t.Fatal(err)
	}
}
