package async

import (
	"context"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/tests/kernelsuite"
)

// TestConcurrentLaunchesOfDeviceMaps: launches that share the slots of a module for tensor maps do not disturb each
// other. They run at the same time, with other arguments each, with more tile blocks than slots, and with tile blocks
// that return early.
func TestConcurrentLaunchesOfDeviceMaps(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		file             string
		blocks, launches int
		adversarial      bool
	}{
		"at the same time":      {"load", 40, 8, false},
		"adversarial":           {"load", 8, 8, true},
		"more blocks than maps": {"load", 9000, 1, false},
		"early return":          {"load_after_early_return", 18000, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ptx, err := kernelsuite.PTX(filepath.Join("tma", tt.file+".mlir"), "sm_90", contract.TensorMapsDevice)
			if err != nil {
				t.Fatal(err)
			}
			code, err := emu.Parse("k.ptx", ptx)
			if err != nil {
				t.Fatalf("%v\n%s", err, ptx)
			}
			mem := emu.NewMemory()
			var wait sync.WaitGroup
			errs := make([]error, tt.launches)
			for i := range tt.launches {
				run := launchOf(t, mem, uint64(i)<<16, func(params [2][]byte) error {
					_, err := code.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{uint32(tt.blocks), 1, 1}, Params: params[:],
						Adversarial: tt.adversarial, Seed: uint64(i), MaxSteps: 1 << 26})
					return err
				})
				if i == 0 { // which places the variables of the module
					errs[i] = run()
				} else {
					wait.Go(func() { errs[i] = run() })
				}
			}
			wait.Wait()
			for i, err := range errs {
				if err != nil {
					t.Errorf("launch %d: %v", i, err)
				}
			}
		})
	}
}

// launchOf places the arguments of a launch, whose inputs are numbers from first on. The result runs it and checks that
// the tile is the one from row 5 and column 4.
func launchOf(t *testing.T, mem *emu.Memory, first uint64, run func(params [2][]byte) error) func() error {
	t.Helper()
	req, err := kernelsuite.Request(1, []string{"i32[128]", "i32[512]"})
	if err != nil {
		t.Fatal(err)
	}
	out, in := req.Args[0].Buffer, req.Args[1].Buffer
	for n := range in.Len() {
		in.DType.Store(in.Data, n, first+uint64(n))
	}
	var params [2][]byte
	var addrs [2]uint64
	for j, b := range []*launch.Buffer{out, in} {
		addr, err := mem.Alloc("argument", uint64(len(b.Data)), 256)
		if err == nil {
			err = mem.Write(addr, b.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
		addrs[j], params[j] = addr, binary.LittleEndian.AppendUint64(nil, addr)
	}
	return func() error {
		if err := run(params); err != nil {
			return err
		}
		if err := mem.Read(addrs[0], out.Data); err != nil {
			return err
		}
		for n := range out.Len() {
			if got, want := out.DType.Load(out.Data, n), first+uint64(8*(5+n/4)+4+n%4); got != want {
				return fmt.Errorf("element %d is %d, want %d", n, got, want)
			}
		}
		return nil
	}
}
