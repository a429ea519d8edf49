package tma

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/ptxas"
)

// twoStores is a kernel that stores a tile twice, with a wait in between.
const twoStores = `.visible .entry %s(.param .align 64 .b8 map[128]) {
	.reg .b32 %%r<3>;
	.reg .b64 %%rd<2>;
	.shared .align 128 .b8 tile[4096];
	mov.u32 %%r0, tile;
	mov.b64 %%rd1, map;
	mov.u32 %%r1, %%ctaid.x;
	cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%%rd1, {%%r1, %%r1}], [%%r0];
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group%s %d;
	st.shared.b32 [%%r0], %%r1;
	fence.proxy.async.shared::cta;
	cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%%rd1, {%%r1, %%r1}], [%%r0];
	cp.async.bulk.commit_group;
	ret;
}
`

// instruction is one of a listing by nvdisasm, with its operands and without its address.
var instruction = regexp.MustCompile(`(?m)^\s*/\*[0-9a-f]+\*/\s*(.*?)\s*;`)

// TestBulkWaits checks what the lowering of `bulk_wait stores` relies on: the machine waits for the reads of bulk copies
// as it waits for their writes. The full wait only invalidates L1 besides, for loads of threads.
func TestBulkWaits(t *testing.T) {
	t.Parallel()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for i, gpu := range []string{"sm_90", "sm_90a", "sm_100a", "sm_103a", "sm_110a", "sm_120", "sm_121"} {
		if !tier.Try(i, 3) {
			continue
		}
		t.Run(gpu, func(t *testing.T) {
			t.Parallel()
			// nvdisasm takes half a second to start, so one module has all four kernels.
			module := fmt.Appendf(nil, ".version 9.0\n.target %s\n.address_size 64\n", gpu)
			for pending := range 2 {
				module = fmt.Appendf(module, twoStores, fmt.Sprint("reads", pending), ".read", pending)
				module = fmt.Appendf(module, twoStores, fmt.Sprint("all", pending), "", pending)
			}
			made, err := tool.Assemble(t.Context(), module, ptxas.Options{Arch: gpu, OptLevel: 3})
			if err != nil {
				t.Fatal(err)
			}
			listing, err := tool.Disassemble(t.Context(), made.Cubin)
			if err != nil {
				t.Fatal(err)
			}
			for pending := range 2 {
				reads, all := codeOf(listing, fmt.Sprint("reads", pending)), codeOf(listing, fmt.Sprint("all", pending))
				if strings.Count(reads, "UTMASTG") != 2 || strings.Count(reads, "DEPBAR") != 1 {
					t.Errorf("with .read and %d pending, want two stores and one wait:\n%s", pending, reads)
				}
				if all != reads {
					t.Errorf("%d pending, without .read:\n%s\nwith .read:\n%s", pending, all, reads)
				}
			}
		})
	}
}

// label is a place in a listing, whose number goes on from kernel to kernel.
var label = regexp.MustCompile(`\.L_x_\d+`)

// codeOf returns the instructions of a kernel in a listing, without what the test leaves out and the numbers of labels.
func codeOf(listing, kernel string) string {
	_, code, _ := strings.Cut(listing, "\n.text."+kernel+":")
	code, _, _ = strings.Cut(code, "\n\t.section\t")
	var out []string
	for _, m := range instruction.FindAllStringSubmatch(code, -1) {
		if m[1] != "CCTL.IVALL" && m[1] != "NOP" {
			out = append(out, m[1])
		}
	}
	return label.ReplaceAllString(strings.Join(out, "\n"), ".L")
}
