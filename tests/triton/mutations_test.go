package triton

import (
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/tests/mutate"
	"github.com/tilewright/tilewright/tests/triton/kernels"
)

// mutations are bugs of asynchronous copies, TMEM accelerator, warpgroups, scale factors and clusters, in
// kernels that use them.
var mutations = []mutate.Mutation{
	{Name: "wait one stage too early", Kernel: "matmul_f16.sm_80", Pattern: `(cp\.async\.wait_group\s+)2;\n(\tbar)`, Replacement: "${1}3;\n$2", Some: true},
	{Name: "no wait for the copies", Kernel: "matmul_f16.sm_90", Pattern: `\tcp\.async\.wait_group\s+2;\n`},
	{Name: "copies that are not committed", Kernel: "matmul_f16.sm_80", Pattern: `\tcp\.async\.commit_group;\n`, Some: true},
	{Name: "dropped barrier of a pipeline", Kernel: "matmul_f16.sm_90", Pattern: `\tbar\.sync\s+0;\n`, Some: true},
	{Name: "no proxy fence before wgmma", Kernel: "matmul_f16.sm_90", Pattern: `\tfence\.proxy\.async\.shared::cta;\n`, Report: "no 'fence.proxy.async' since it was written"},
	{Name: "no proxy fence before a bulk store", Kernel: "matmul_descriptors.sm_90", Pattern: `\tfence\.proxy\.async\.shared::cta;\n`, Report: "no 'fence.proxy.async' since it was written"},
	{Name: "accumulators are read in flight", Kernel: "matmul_f16.sm_90", Pattern: `wgmma\.wait_group\.sync\.aligned 0;`, Replacement: "wgmma.wait_group.sync.aligned 1;", Report: "is in flight"},
	{Name: "other half of an operand", Kernel: "matmul_f16.sm_90", Pattern: `(wgmma\.mma_async.*, )(%rd\d+), (%rd\d+), `, Replacement: "$1$3, $2, "},
	{Name: "operand that is not transposed", Kernel: "matmul_f16.sm_90", Pattern: `(wgmma\.mma_async.*, 0), 1;`, Replacement: "$1, 0;"},
	{Name: "no wait for the tensor", Kernel: "matmul_descriptors.sm_90", Pattern: `@!complete bra\.uni`, Replacement: "@!complete bra.uni skip;\n\tskip: //"},
	{Name: "wrong phase", Kernel: "matmul_descriptors.sm_90", Pattern: `(mbarrier\.try_wait\.parity\.shared::cta\.b64 complete, \[%r\d+\]), %r\d+;`, Replacement: "$1, 1;"},
	{Name: "too few bytes are expected", Kernel: "matmul_descriptors.sm_90", Pattern: `16384;`, Replacement: "8192;"},
	{Name: "too many bytes are expected", Kernel: "matmul_descriptors.sm_90", Pattern: `16384;`, Replacement: "16400;"},
	{Name: "mbarrier of too many arrivals", Kernel: "matmul_warp_specialized.sm_90", Pattern: `(mbarrier\.init\.shared::cta\.b64 \[%r\d+\]), 128;`, Replacement: "$1, 129;", Report: "deadlock"},
	{Name: "consumer that does not arrive", Kernel: "matmul_warp_specialized.sm_90", Pattern: `@%p\d+ mbarrier\.arrive\.shared::cta\.b64 _, .*;`, Report: "deadlock"},
	{Name: "consumer that arrives before it reads", Kernel: "matmul_warp_specialized.sm_90", Pattern: `wgmma\.wait_group\.sync\.aligned 0;`},
	{Name: "barrier of too few threads", Kernel: "matmul_warp_specialized.sm_90", Pattern: `(bar\.sync\s+[23]), 128;`, Replacement: "$1, 96;"},
	{Name: "box at the wrong place", Kernel: "matmul_descriptors.sm_90", Pattern: `(cp\.async\.bulk\.tensor.*)\{(%r\d+), (%r\d+)\}`, Replacement: "$1{$3, $2}"},
	{Name: "store that is not waited for", Kernel: "matmul_persistent.sm_90", Pattern: `\tcp\.async\.bulk\.wait_group\.read\s+0;\n`, Some: true},
	{Name: "product that is not waited for", Kernel: "matmul_bf16.sm_100", Pattern: `@!complete bra\.uni`, Replacement: "@!complete bra.uni skip;\n\tskip: //", Some: true},
	{Name: "product that is not committed", Kernel: "matmul_bf16.sm_100", Pattern: `@%p\d+ tcgen05\.commit.*;`, Some: true},
	{Name: "store to TMEM that is not waited for", Kernel: "flash_attention.sm_100", Pattern: `\ttcgen05\.wait::st.*;\n`, Some: true},
	{Name: "instruction descriptor without transposition", Kernel: "matmul_f16.sm_100", Pattern: `(tcgen05\.mma.*, )%r\d+, (%p\d+;)`, Replacement: "${1}68157456, $2"},
	{Name: "no proxy fence before tcgen05", Kernel: "matmul_bf16.sm_100", Pattern: `\tfence\.proxy\.async\.shared::cta;\n`, Some: true, Report: "no 'fence.proxy.async' since it was written"},
	{Name: "TMEM that is not freed", Kernel: "matmul_bf16.sm_100", Pattern: `@%p\d+ tcgen05\.dealloc.*;`, Report: "without freeing"},
	{Name: "scale factors at the wrong column", Kernel: "scaled_descriptors_e5m2.sm_100", Pattern: `(tcgen05\.cp\.cta_group::1\.warpx4\.32x128b \[ %r\d+) \+ 0 \]`, Replacement: "$1 + 4 ]"},
	{Name: "scale factors of the other operand", Kernel: "scaled_e4m3.sm_100", Pattern: `(block_scale.*), (\[ %r\d+ \+ 0 \]), (\[ %r\d+ \+ 0 \]), (%p\d+;)`, Replacement: "$1, $3, $2, $4"},
	{Name: "scale factors that are not waited for", Kernel: "scaled_e4m3.sm_100", Pattern: `\ttcgen05\.wait::st.*;\n`, Some: true},
	{Name: "scale factors of one side only", Kernel: "left_in_tensor_memory.sm_100", Pattern: `@%p\d+ tcgen05\.st\.sync\.aligned\.32x32b\.x[24]\.b32.*;`},
	{Name: "scale factors of other elements", Kernel: "scaled_e4m3.sm_120", Pattern: `(ue8m0 .*, %r\d+, )\{ \d, 0 \}(, %r\d+, )`, Replacement: "${1}{ 2, 0 }$2", Some: true},
	{Name: "gathered rows in another order", Kernel: "matmul_gather_scatter.sm_100", Pattern: `(tile::gather4.*\{%r\d+), (%r\d+), (%r\d+), `, Replacement: "$1, $3, $2, ", Some: true},
	{Name: "no wait before the scatter is over", Kernel: "matmul_gather_scatter.sm_100", Pattern: `\tcp\.async\.bulk\.commit_group;\n`},
	{Name: "no barrier of the pair behind its mbarriers", Kernel: "pair_f16.sm_100", Pattern: `\tbarrier\.cluster\.arrive\.relaxed\.aligned;(?s:.{0,40}?)barrier\.cluster\.wait\.aligned;\n`},
	{Name: "copies that signal their own CTA of a pair", Kernel: "pair_f16.sm_100", Pattern: `(and\.b32 +\t%r\d+, %r\d+), -16777232;`, Replacement: "$1, -16;", Some: true},
	{Name: "commit for one CTA of a pair", Kernel: "pair_f16.sm_100", Pattern: `(mov\.b16 +\t%rs1), 3;`, Replacement: "$1, 1;"},
	{Name: "multicast to one CTA", Kernel: "two_pairs_f16.sm_100", Pattern: `(tcgen05\.commit.*, )%rs\d+;`, Replacement: "${1}1;"},
	{Name: "no barrier of the cluster before the next multicast", Kernel: "multicast_to_two.sm_90", Pattern: `(wgmma\.wait_group(?s:.{0,400}?))barrier\.cluster\.arrive\.aligned;(?s:.{0,40}?)barrier\.cluster\.wait\.aligned;`, Replacement: "$1"},
	{Name: "transactions of half of the exchange", Kernel: "exchange.sm_90", Pattern: `(mbarrier\.arrive\.expect_tx.*), 8192;`, Replacement: "$1, 4096;"},
	{Name: "another tap of the filter", Kernel: "convolution_padded.sm_100", Pattern: `\{%rs2, %rs3\}`, Replacement: "{%rs3, %rs2}"},
	{Name: "mbarrier that is not initialised", Kernel: "matmul_descriptors.sm_90", Pattern: `@%p\d+ mbarrier\.init.*;`, Report: "is not initialised"},
}

// TestMutations plants each bug; TestTriton has passed the unchanged PTX.
func TestMutations(t *testing.T) {
	t.Parallel()
	dirs := kernels.Builds(t)
	for i, m := range mutations {
		if !tier.Try(i, 12) {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			c, err := kernels.Load(filepath.Join(dirs[filepath.Ext(m.Kernel)[1:]], m.Kernel))
			if err != nil {
				t.Fatal(err)
			}
			stats, err := c.Launch(t.Context(), c.Module, emu.Launch{Adversarial: true, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			m.Check(t, string(c.PTX), func(t *testing.T, ptx string) error {
				module, err := emu.Parse("mutant.ptx", []byte(ptx))
				if err != nil {
					t.Fatalf("the mutant is no PTX: %v", err)
				}
				for seed := range uint64(64) { // most show with one of the first; a race of two CTAs needs one to fall behind
					l := emu.Launch{Adversarial: seed > 0, Seed: seed, MaxSteps: 16 * stats.WarpInstructions}
					if _, err := c.Launch(t.Context(), module, l); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}
