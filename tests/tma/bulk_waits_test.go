package tma

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/target/ptxas"
)

// twoStores stores a tile twice, with a wait in between.
const twoStores = `.version 9.0
.target %s
.address_size 64
.visible .entry k(.param .align 64 .b8 map[128]) {
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
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	for _, gpu := range []string{"sm_90", "sm_90a", "sm_100a", "sm_103a", "sm_110a", "sm_120", "sm_121"} {
		for pending := range 2 {
			t.Run(fmt.Sprint(gpu, " ", pending), func(t *testing.T) {
				t.Parallel()
				code := func(read string) string {
					made, err := tool.Assemble(t.Context(), fmt.Appendf(nil, twoStores, gpu, read, pending), ptxas.Options{Arch: gpu, OptLevel: 3})
					if err != nil {
						t.Fatal(err)
					}
					listing, err := tool.Disassemble(t.Context(), made.Cubin)
					if err != nil {
						t.Fatal(err)
					}
					var out []string
					for _, m := range instruction.FindAllStringSubmatch(listing, -1) {
						if m[1] != "CCTL.IVALL" && m[1] != "NOP" {
							out = append(out, m[1])
						}
					}
					return strings.Join(out, "\n")
				}
				reads, all := code(".read"), code("")
				if strings.Count(reads, "UTMASTG") != 2 || strings.Count(reads, "DEPBAR") != 1 {
					t.Errorf("with .read, want two stores and one wait:\n%s", reads)
				}
				if all != reads {
					t.Errorf("without .read:\n%s\nwith .read:\n%s", all, reads)
				}
			})
		}
	}
}
