package triton

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/tests/triton/kernels"
)

// minimum is what this test promises to cover: so many different kernels.
const minimum = 15

// TestTriton runs every case for every target, in order and with an adversary.
func TestTriton(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for target, dir := range kernels.Builds(t) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range entries {
			name, _, _ := strings.Cut(e.Name(), ".")
			names[name] = true
			t.Run(target+"/"+name, func(t *testing.T) {
				t.Parallel()
				testCase(t, filepath.Join(dir, e.Name()), i)
			})
		}
	}
	if len(names) < minimum {
		t.Errorf("only %d kernels, expected at least %d", len(names), minimum)
	}
}

// testCase runs the n-th case in order and with an adversary, in the short tier in one of these, in turn.
func testCase(t *testing.T, dir string, n int) {
	c, err := kernels.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range c.Contains {
		if !bytes.Contains(c.PTX, []byte(s)) {
			t.Errorf("the PTX does not contain %q, which the case is there to exercise", s)
		}
	}
	for seed := range uint64(2) {
		if !tier.Try(n+int(seed), 2) {
			continue
		}
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), kernels.Timeout)
			defer cancel()
			if err := c.Run(ctx, seed); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestProfiles counts every case, and checks that the sum over its lines is what the launch executed, and that every
// instruction has a unit.
func TestProfiles(t *testing.T) {
	t.Parallel()
	for target, dir := range kernels.Builds(t) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range entries {
			if !tier.Try(i, 8) {
				continue
			}
			t.Run(target+"/"+e.Name(), func(t *testing.T) {
				t.Parallel()
				c, err := kernels.Load(filepath.Join(dir, e.Name()))
				if err != nil {
					t.Fatal(err)
				}
				p := new(emu.Profile)
				stats, err := c.Launch(t.Context(), c.Module, emu.Launch{Profile: p})
				if err != nil {
					t.Fatal(err)
				}
				r, err := c.Module.Report(c.Entry, p)
				if err != nil {
					t.Fatal(err)
				}
				var threads uint64
				for _, u := range r.Units {
					threads += u.ThreadInstructions
				}
				for _, l := range r.Lines {
					if l.Unit == "" {
						t.Errorf("no unit takes '%s'", l.Text)
					}
				}
				if threads != stats.ThreadInstructions || r.TileBlocks != stats.CTAs {
					t.Errorf("%d thread instructions in %d blocks are counted, the launch executed %+v", threads, r.TileBlocks, stats)
				}
			})
		}
	}
}
