package bytecode_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

var judgeAll = flag.Bool("judge-all", false, "have the reference tools judge every file of the corpus in every version, which takes some minutes")

// judged says which files, of many, go to a judge that takes long: one in so many, or all.
func judged(i, oneIn int) bool { return *judgeAll || i%oneIn == 0 }

// A corpusFile is a file of the corpus, and what comes of it by way of its text.
type corpusFile struct {
	name    string
	data    []byte
	version ir.Version
	text    string // with locations, and the module
	written []byte // from the text
}

// rewrite reads a file, prints it, and writes what the text says.
func rewrite(t *testing.T, path string) *corpusFile {
	t.Helper()
	f := &corpusFile{name: filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path))}
	var err error
	if f.data, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	layout, err := bytecode.ReadLayout(ir.NewContext(ops.Dialect), f.data)
	if err != nil {
		t.Fatal(err)
	}
	f.version = layout.Version
	f.text = moduleText(t, read(t, f.data))
	f.written = encode(t, parse(t, f.text), f.version)
	return f
}

func moduleText(t *testing.T, op ir.Op) string {
	t.Helper()
	var out bytes.Buffer
	if err := asm.Print(&out, op, asm.PrintOptions{DebugInfo: true}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestFixedPoint takes every file from bytecode to text and back twice: the second time must change nothing. What is
// written from the text is what is written from the file, but for the little that the text does not say.
func TestFixedPoint(t *testing.T) {
	t.Parallel()
	for _, path := range producerFiles(t) {
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			f := rewrite(t, path)
			again := read(t, f.written)
			if err := ir.Verify(again); err != nil {
				t.Error(err)
			}
			text := moduleText(t, again)
			if text != f.text {
				t.Errorf("the text of what was written differs: got\n%s\nwant\n%s", text, f.text)
			}
			if !bytes.Equal(encode(t, parse(t, text), f.version), f.written) {
				t.Error("the second text gives other bytes")
			}
			fromFile, fromText := read(t, f.data), parse(t, f.text)
			forget(fromFile)
			forget(fromText)
			if !bytes.Equal(encode(t, fromFile, f.version), encode(t, fromText, f.version)) {
				t.Error("the text gives other bytes than the file itself")
			}
		})
	}
}

// forget drops what the text of a module does not say: the type of the numbers in hints, and the location of
// terminators that go without saying.
func forget(module ir.Op) {
	c := module.Context()
	module.Walk(func(op ir.Op) ir.WalkResult {
		if h, ok := op.Attr("optimization_hints").(*cudatile.HintsAttr); ok {
			op.SetAttr("optimization_hints", cudatile.Hints(c, widen(h.Dict)))
		}
		if op.NumOperands() == 0 && (op.Is(cudatile.Yield) || op.Is(cudatile.Continue)) {
			op.SetLoc(c.UnknownLoc())
		}
		return ir.Advance
	})
}

func widen(d *ir.DictAttr) *ir.DictAttr {
	c := d.Context()
	entries := slices.Clone(d.Entries)
	for i, e := range entries {
		switch v := e.Value.(type) {
		case *ir.DictAttr:
			entries[i].Value = widen(v)
		case *ir.IntegerAttr:
			if ir.BitWidth(v.Type()) > 1 {
				entries[i].Value = c.IntAttr(c.Int(64), v.Value)
			}
		}
	}
	return c.Dict(entries...)
}

// run runs a judge on data and returns what it prints; the error has what it says.
func run(t *testing.T, data []byte, tool string, args ...string) ([]byte, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "k.tileirbc")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	var out, said bytes.Buffer
	cmd := exec.Command(tool, append(args, file)...)
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, strings.ReplaceAll(said.String(), file, "k.tileirbc"))
	}
	return out.Bytes(), err
}

// lacking is how the writer says that a version has no form for something.
var lacking = regexp.MustCompile(`(is not available in|requires) bytecode (version )?13\.\d|requires bytecode 13\.\d`)

// TestVersionsJudged writes every file in every version. The reference disassembler must print for what was written,
// with locations, what it prints for the original; what cannot be written must say which feature the version lacks.
func TestVersionsJudged(t *testing.T) {
	t.Parallel()
	peer := judges.Tool(t, "tileirdisasm")
	var mu sync.Mutex
	written, refused := make(map[ir.Version]int), make(map[string]int)
	t.Cleanup(func() {
		for _, v := range cudatile.Versions {
			t.Logf("version %v: %d files written", v, written[v])
		}
		for _, k := range slices.Sorted(maps.Keys(refused)) {
			t.Logf("%3d refused for %s", refused[k], k)
		}
	})
	for i, path := range corpusFiles(t) {
		if !tier.Try(i, 8) {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			f := rewrite(t, path)
			want, err := run(t, f.data, peer, "-g")
			if err != nil {
				t.Fatal(err)
			}
			op := parse(t, f.text)
			for _, v := range cudatile.Versions {
				data, err := bytecode.Encode(op, bytecode.Options{Version: v})
				mu.Lock()
				if err == nil {
					written[v]++
				} else {
					refused[v.String()+": "+message(err)]++
				}
				mu.Unlock()
				if err != nil {
					if !lacking.MatchString(err.Error()) || !v.Less(f.version) {
						t.Errorf("version %v: %v", v, err)
					}
					continue
				}
				if v != f.version && !judged(i, 5) {
					continue
				}
				got, err := run(t, data, peer, "-g")
				if err != nil {
					t.Errorf("version %v: %v", v, err)
				} else if !bytes.Equal(got, want) {
					t.Errorf("version %v: the listing differs: got\n%s\nwant\n%s", v, got, want)
				}
			}
		})
	}
}

// message returns what is wrong, without where.
func message(err error) string {
	_, text, _ := strings.Cut(err.Error(), "error: ")
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// TestRewrittenAssembles gives files and what was written from their text to the reference assembler: it must make
// the same cubin of both, or refuse both with the same words.
func TestRewrittenAssembles(t *testing.T) {
	t.Parallel()
	peer := judges.Tool(t, "tileiras")
	files, same, refused := 0, 0, 0
	for i, path := range corpusFiles(t) {
		if !judged(i, tier.Count(120, 60)) {
			continue
		}
		files++
		f := rewrite(t, path)
		for _, gpu := range []string{"sm_100", "sm_90", "sm_80"} {
			want, wantErr := run(t, f.data, peer, "--gpu-name="+gpu, "-o", "-")
			got, err := run(t, f.written, peer, "--gpu-name="+gpu, "-o", "-")
			switch {
			case wantErr == nil && err == nil && bytes.Equal(got, want):
				same++
			case wantErr == nil && err == nil:
				t.Errorf("%s, %s: the cubins differ", f.name, gpu)
			case wantErr == nil || err == nil || wantErr.Error() != err.Error():
				t.Errorf("%s, %s: got %v, want %v", f.name, gpu, err, wantErr)
			default:
				refused++
				t.Logf("%s, %s: both are refused: %v", f.name, gpu, err)
				continue // with the next
			}
			break
		}
	}
	t.Logf("%d files: %d give the same cubin; refused alike on a first target: %d", files, same, refused)
}
