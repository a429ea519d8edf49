package runtool

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/pipeline/check/fuzz"
	"github.com/tilewright/tilewright/pipeline/check/generate"
)

// TestFuzz tries a few random kernels, as the command line says.
func TestFuzz(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args   string
		status int
		out    string
	}{
		{"--fuzz 3 --seed 5 --gpu-name sm_80", 0, "3 kernels for sm_80 from seed 5: 0 findings, 0 of them different\n"},
		{"--fuzz 4 --seed 5 --diff-engines interp,tileaa,tileas,ptx --adversarial", 0, "4 kernels for several targets from seed 5: 0 findings, 0 of them different\n"},
		{"--fuzz 3 --seed 9 --fuzz-products --gpu-name sm_90 -O3 --warp-roles always", 0, "3 kernels for sm_90 from seed 9: 0 findings, 0 of them different\n"},
		// Its stages are filled by multicast copies, in roles whose CTAs wait for each other.
		{"--fuzz 1 --seed 20046 --fuzz-products --gpu-name sm_90 -O3 --adversarial", 0, "1 kernels for sm_90 from seed 20046: 0 findings, 0 of them different\n"},
		// A role loads once, by an mbarrier that it initializes itself: no multicast copy may arrive there.
		{"--fuzz 1 --seed 70080 --fuzz-products --gpu-name sm_90 -O3 --adversarial", 0, "1 kernels for sm_90 from seed 70080: 0 findings, 0 of them different\n"},
		{"--fuzz 3 --diff-engines ptx,interp", 2, "--fuzz compares with engine interp, which --diff-engines must name first, but got 'ptx'"},
		{"--fuzz 3 --diff-engines interp,cuda", 2, "--fuzz does not compare with engine cuda"},
		{"--fuzz 3 k.mlir", 2, "--fuzz makes its own kernels, but got 'k.mlir'"},
		{"--fuzz 3 --grid 1,1,1", 2, "--grid does nothing with --fuzz"},
		{"--fuzz 3 --out 0=a.npy", 2, "--out names one folder for what --fuzz finds, but got '0=a.npy'"},
	} {
		var out bytes.Buffer
		status := Main(t.Context(), strings.Fields(tt.args), nil, &out, &out)
		if status != tt.status || !strings.Contains(out.String(), tt.out) {
			t.Errorf("%s: got status %d and %q, expected %d and %q", tt.args, status, out.String(), tt.status, tt.out)
		}
	}
}

// TestKeep writes a finding, and runs the command that is written with it.
func TestKeep(t *testing.T) {
	t.Parallel()
	c, err := parse([]string{"--fuzz", "1"})
	if err != nil {
		t.Fatal(err)
	}
	k := generate.New(1, generate.Options{})
	dir := t.TempDir()
	f := &fuzz.Finding{Kernel: k, Kind: fuzz.Mismatch, Engine: fuzz.TileAS, Message: "none"}
	command, err := c.fuzzCommand(f, filepath.Join(dir, "fuzz-1"), c.fuzzOptions(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "fuzz-1.mlir"), k.Text, 0o666); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(strings.ReplaceAll(command, "'", ""))
	var out bytes.Buffer
	if status := Main(t.Context(), words[1:], nil, &out, &out); words[0] != name || status != 0 {
		t.Errorf("%s: status %d, %s", command, status, out.String())
	}
}
