package bytecode_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// mutants is how many damaged files TestMutants reads.
const mutants = 2000

// mutate returns data with a few bytes changed, inserted, removed or copied from elsewhere.
func mutate(rng *rand.Rand, data []byte) []byte {
	out := append([]byte(nil), data...)
	for range 1 + rng.IntN(3) {
		i := rng.IntN(len(out))
		switch rng.IntN(20) {
		case 0:
			out = out[:max(i, 1)]
		case 1:
			out = append(out[:i], append([]byte{0xff, 0xff, 0xff, 0x7f}[:1+rng.IntN(4)], out[i:]...)...)
		case 2, 3, 4:
			out[i] = byte(rng.Uint32())
		case 5, 6, 7:
			out[i] = []byte{0, 1, 0x7f, 0x80, 0xff}[rng.IntN(5)]
		case 8, 9, 10, 11, 12, 13:
			out[i] += byte(rng.IntN(5)) - 2
		case 14, 15, 16, 17:
			out[i] ^= 1 << rng.IntN(8)
		default:
			copy(out[i:min(i+1+rng.IntN(16), len(out))], data[rng.IntN(len(data)):])
		}
	}
	return out
}

// Reading must not take longer, nor allocate more than this for a file and for each byte of it.
const (
	hang        = 2 * time.Second
	readBase    = 64 << 20
	readPerByte = 100
)

// readWithin reads a possibly damaged file and checks what that costs.
func readWithin(t testing.TB, data []byte) (ir.Op, error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	op, err := bytecode.Read(ir.NewContext(ops.Dialect), data)
	if d := time.Since(start); d > hang {
		t.Errorf("reading %d bytes took %v", len(data), d)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > uint64(readBase+readPerByte*len(data)) {
		t.Errorf("reading %d bytes allocated %d", len(data), n)
	}
	return op, err
}

// check reads a possibly damaged file; what can be read must be fit to be verified and printed, and what the verifier
// admits to be written. It returns whether the file was read.
func check(t testing.TB, data []byte) bool {
	t.Helper()
	op, err := readWithin(t, data)
	if err != nil {
		var e *bytecode.Error
		if !errors.As(err, &e) || e.Message == "" || e.Offset < 0 || e.Offset > len(data) {
			t.Errorf("error without a position in the file: %#v", err)
		}
		return false
	}
	if ir.Verify(op) != nil {
		// The generic form shows what the verifier rejects; the custom one may rely on it.
		if err := asm.Print(io.Discard, op, asm.PrintOptions{Generic: true}); err != nil {
			t.Error(err)
		}
		return true
	}
	rewritten(t, op, ir.Version{Major: data[8], Minor: data[9]})
	return true
}

// rewritten writes what was read, and reads it again.
func rewritten(t testing.TB, op ir.Op, v ir.Version) {
	t.Helper()
	var first, second bytes.Buffer
	if err := asm.Print(&first, op, asm.PrintOptions{DebugInfo: true}); err != nil {
		t.Error(err)
	}
	data, err := bytecode.Encode(op, bytecode.Options{Version: v})
	if err != nil {
		t.Errorf("what was read cannot be written: %v", err)
		return
	}
	again, err := bytecode.Read(ir.NewContext(ops.Dialect), data)
	if err != nil {
		t.Errorf("what was written cannot be read: %v", err)
		return
	}
	if err := asm.Print(&second, again, asm.PrintOptions{DebugInfo: true}); err != nil {
		t.Error(err)
	}
	if first.String() != second.String() {
		t.Errorf("came back as\n%s\nwas\n%s", second.String(), first.String())
	}
}

// TestMutants reads damaged copies of real files. Nothing may panic, hang, or take memory out of proportion.
func TestMutants(t *testing.T) {
	files := corpusFiles(t)
	rng := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range mutants {
		file := files[rng.IntN(len(files))]
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		data = mutate(rng, data)
		start := time.Now()
		if check(t, data) {
			read++
		}
		if d := time.Since(start); d > hang {
			t.Errorf("mutant of %s: took %v", file, d)
		}
	}
	if read == 0 || read == mutants {
		t.Errorf("%d of %d mutants can be read: the test is not sharp", read, mutants)
	}
	t.Logf("%d of %d mutants can be read", read, mutants)
}

// TestTruncated reads every prefix of a file: each must be rejected.
func TestTruncated(t *testing.T) {
	t.Parallel()
	for _, file := range corpusFiles(t) {
		if !strings.Contains(file, "vadd_f32") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n := range data {
			if check(t, data[:n]) {
				t.Fatalf("%s: the first %d of %d bytes can be read", file, n, len(data))
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for i, file := range corpusFiles(f) {
		if data, err := os.ReadFile(file); err == nil && i%20 == 0 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { check(t, data) })
}
