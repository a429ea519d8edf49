package triton

import (
	"encoding/binary"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/timing"
	"github.com/tilewright/tilewright/tests/triton/kernels"
)

// A rung is a kernel of Triton on a ladder of matrix products.
type rung struct {
	name, target string
	k            int // of the case
}

// ladder is from slow to fast, as NVIDIA's and Triton's documents order them for the H100: products by threads,
// mma.sync of pipelined tiles, wgmma of tiles that cp.async brings, wgmma of tiles that TMA brings, and the same with
// warps that do nothing else than to load.
var ladder = []rung{{"matmul_f32_scalar", "sm_90", 32}, {"matmul_f16", "sm_80", 96}, {"matmul_f16", "sm_90", 96}, {"matmul_descriptors", "sm_90", 160}, {"matmul_warp_specialized", "sm_90", 448}}

// TestEstimateOrdersGEMMs: the estimate orders Triton's matrix products as they are on hardware, by operations in a cycle of an SM
// of the H100.
func TestEstimateOrdersGEMMs(t *testing.T) {
	t.Parallel()
	dirs := kernels.Builds(t)
	var rates []float64
	for _, r := range ladder {
		rates = append(rates, rate(t, r, filepath.Join(dirs[r.target], r.name+"."+r.target)))
	}
	for i, r := range ladder {
		t.Logf("%s for %s: %.0f operations a cycle of an SM", r.name, r.target, rates[i])
	}
	for i := range len(ladder) - 1 {
		if rates[i] >= rates[i+1] {
			t.Errorf("%s (%s) is not slower than %s (%s): %.0f and %.0f operations a cycle", ladder[i].name, ladder[i].target, ladder[i+1].name, ladder[i+1].target, rates[i], rates[i+1])
		}
	}
}

// rate runs a rung with a long K on zeros, where the middle of the loop counts and not its ends.
func rate(t *testing.T, r rung, dir string) float64 {
	t.Helper()
	const k = 2048
	c, err := kernels.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	mem := emu.NewMemory()
	p := &emu.Profile{Trace: new(emu.Trace)}
	l := emu.Launch{Entry: c.Entry, Grid: c.Grid, Cluster: c.Cluster, DynamicShared: c.Shared, Profile: p}
	for i := len(c.Params) - 1; i > 0; i-- { // the last scalar is K; others may be the same number by chance
		if c.Params[i].Kind == "scalar" {
			c.Params[i].Value = strconv.Itoa(k)
			break
		}
	}
	for i := range c.Params {
		l.Params = append(l.Params, zeros(t, c, mem, c.Params[i], r.k, k))
	}
	if _, err := c.Module.Run(t.Context(), mem, l); err != nil {
		t.Fatal(err)
	}
	code, predicates, slots, err := c.Module.Code(c.Entry)
	if err != nil {
		t.Fatal(err)
	}
	arch, err := sm.Lookup("sm_90")
	if err != nil {
		t.Fatal(err)
	}
	e, err := timing.New(t.Context(), &timing.Input{Arch: arch, Entry: c.Module.Entry(c.Entry), Code: code, Slots: slots, Predicates: predicates, Trace: p.Trace})
	if err != nil {
		t.Fatal(err)
	}
	if e.Truncated {
		t.Errorf("%s is cut off", r.name)
	}
	blocks := float64(c.Grid[0]) * float64(c.Grid[1]) * float64(c.Grid[2])
	return e.Roofline.Flops / blocks * float64(e.Modelled) / float64(e.Cycles)
}

// zeros is a parameter as in the case, with another K and zeros in its buffers.
func zeros(t *testing.T, c *kernels.Case, mem *emu.Memory, p kernels.Param, from, to int) []byte {
	t.Helper()
	if p.Kind == "scalar" {
		if c.Params[0].Kind == "tensormap" && p.Value == strconv.Itoa(from) { // rows of a tensor
			p.Value = strconv.Itoa(to)
		}
		raw, err := c.Bytes(mem, p, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	if p.Kind == "scratch" && p.Bytes == 0 {
		return make([]byte, 8)
	}
	addr, err := mem.Alloc(p.Kind, 4<<20, 256)
	if err != nil {
		t.Fatal(err)
	}
	if p.Kind != "tensormap" {
		return binary.LittleEndian.AppendUint64(nil, addr)
	}
	for i := range p.Dims {
		if p.Dims[i] == uint64(from) {
			p.Dims[i] = uint64(to)
		}
	}
	for i := range p.Strides {
		if p.Strides[i] == uint64(2*from) {
			p.Strides[i] = uint64(2 * to)
		}
	}
	raw, err := p.TensorMap(addr).Encode()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
