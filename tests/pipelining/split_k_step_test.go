package pipelining

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// TestSplitKStepKeepsResults: loops that multiply a half or a quarter of their depth at a time give the same, however they count
// and however often they run.
func TestSplitKStepKeepsResults(t *testing.T) {
	t.Parallel()
	k := countedKernels[0]
	if k.name != "gemm" {
		t.Fatalf("the first kernel is %s", k.name)
	}
	for i, c := range countings {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			room, parts := 1024, 2 // of 2 x 32 x 16 halves
			if i%2 == 1 {
				room, parts = 512, 4
			}
			var said bytes.Buffer
			program := kerneltest.Read(t, &said, "k.mlir", []byte(k.text(t, c)))
			const most = 5
			var want [most]*launch.Request
			for trips := range want {
				want[trips] = k.request(t, c, trips)
				if err := interp.New(program).Run(context.Background(), want[trips]); err != nil {
					t.Fatal(err)
				}
			}
			code, err := compile.To(context.Background(), program, compile.Options{GPU: "sm_80", OptLevel: 3, Decisions: true, PassOptions: map[string]string{"tileas-split-k-step": fmt.Sprintf("room=%d depth=4", room)}})
			if err != nil {
				t.Fatalf("%v\n%s", err, &said)
			}
			if !strings.Contains(said.String(), fmt.Sprintf("K step split from 16 to %d", 16/parts)) {
				t.Fatalf("no K step is split:\n%s", &said)
			}
			for trips := range want {
				e := kerneltest.Emulator(t, code, "k")
				e.Adversarial, e.Seed = true, uint64(trips)
				kerneltest.RunAndCompare(t, fmt.Sprintf("%d iterations", trips), e, k.request(t, c, trips), 0, want[trips].Args[0].Buffer)
			}
		})
	}
}
