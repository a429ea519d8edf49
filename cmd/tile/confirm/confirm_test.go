package confirm

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	kit "github.com/tilewright/tilewright/internal/tooling/confirm"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "confirm" { // the process that the command starts
		os.Exit(Main(context.Background(), os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// TestCommand: exit status and output, on the stand-in for a driver.
func TestCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte("{\"schema\": 1,\n x"), 0o666); err != nil {
		t.Fatal(err)
	}
	os.Args = os.Args[:1] // what chose this test is none of the command's words
	for _, tt := range []struct {
		args   string
		status int
		says   string
	}{
		{"--stand-in=sm_90 --only=fragment/mma.sync --out=" + file, 0, "PTX emulator (sm_90), driver for CUDA 13.2; the device is the emulator, so this confirms nothing"},
		{"--compare=" + file, 0, "fragment"},
		{"--compare=" + file + " --all", 0, "\nagrees: fragment/mma.sync m16n8k16 f32 f16 f16\n"},
		{"--list --stand-in=sm_80", 0, "form/add.s32 %r0, %r1, %r2;\n    The emulator computes"},
		{"--schema", 0, "json-schema.org"},
		{"--help", 0, "tile confirm"},
		{"--compare=" + bad, 2, "bad.json:2:2: "},
		{"--compare=none.json", 2, "none.json"},
		{"--compare=a --fresh", 2, "--compare asks no device"},
		{"--stand-in=sm_1", 2, "unknown architecture 'sm_1'"},
		{"--minutes=-1", 2, "--minutes must not be negative"},
		{"--timeout=0s", 2, "--timeout must be positive"},
		{"more", 2, "it takes no argument"},
	} {
		var out, errs bytes.Buffer
		status := Main(context.Background(), strings.Fields(tt.args), strings.NewReader(""), &out, &errs)
		said := out.String() + errs.String()
		if status != tt.status || !strings.Contains(said, tt.says) || (errs.Len() == 0) != (status == 0) {
			t.Errorf("%s: status %d, want %d and %q\n%s", tt.args, status, tt.status, tt.says, said)
		}
	}
	// A file in which an answer is another one.
	f, err := kit.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	answers := f.Probes["fragment/mma.sync m16n8k16 f32 f16 f16"]
	answers.Answer = f.Probes["fragment/mma.sync m16n8k8 f32 f16 f16"].Answer
	if err := f.Write(file); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := Main(context.Background(), []string{"--compare=" + file}, nil, &out, &errs); status != 1 || !strings.Contains(out.String(), "differs: fragment/mma.sync m16n8k16 f32 f16 f16\n") {
		t.Errorf("status %d\n%s%s", status, &out, &errs)
	}
}
