package inspect

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/ir"
)

func modules(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus.Dir(t), "bytecode", "*.tileirbc"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no modules: %v", err)
	}
	return files
}

func load(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// undump returns the bytes that a dump shows, and the texts beside them.
func undump(t *testing.T, dump string) (data []byte, texts []string) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSuffix(dump, "\n"), "\n") {
		rest := line[10:]
		digits, text := rest, ""
		if len(rest) > 3*perLine {
			digits, text = rest[:3*perLine], rest[3*perLine:]
		}
		b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		data = append(data, b...)
		if text = strings.TrimSpace(text); text != "" {
			texts = append(texts, text)
		}
	}
	return data, texts
}

// TestHexdumpCorpus checks that a dump shows every byte once and names every operation of the listing.
func TestHexdumpCorpus(t *testing.T) {
	t.Parallel()
	for _, file := range modules(t) {
		data := load(t, file)
		var out bytes.Buffer
		if err := Hexdump(ir.NewContext(ops.Dialect), &out, data); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		got, texts := undump(t, out.String())
		if !bytes.Equal(got, data) {
			t.Errorf("%s: the dump does not show the bytes of the file", file)
		}
		all := strings.Join(texts, "\n")
		for _, want := range []string{"magic", "version 13.", "function 0: @", "cuda_tile.return", "string 0: ", "type 0: i1", "end marker"} {
			if !strings.Contains(all, want) {
				t.Errorf("%s: no %q in the dump", file, want)
			}
		}
	}
}

func TestHexdumpText(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := Hexdump(ir.NewContext(ops.Dialect), &out, load(t, filepath.Join(corpus.Dir(t), "cases", "vadd_f32", "k.tileirbc"))); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"00000008  0d 03                                            version 13.3\n",
		"%10 = cuda_tile.assume %0 {predicate = #cuda_tile.div_by<16>} : !cuda_tile.tile<ptr<f32>>\n",
		"02 0a 00 00 1a 1d                                    %31 = cuda_tile.addf %26, %29 {rounding_mode = #cuda_tile.rounding<nearest_even>}",
		"30 05 05 05                                          %22, %23, %24 = cuda_tile.get_tile_block_id :",
		"04 01 00 00 00                                     constant 0: 4 bytes\n",
		"23 location slots\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestDamaged dumps and sums up prefixes of a file, and the file with one byte changed.
func TestDamaged(t *testing.T) {
	t.Parallel()
	data := load(t, filepath.Join(corpus.Dir(t), "cases", "vadd_f32", "k.tileirbc"))
	for i := 0; i < len(data); i += 3 {
		changed := append([]byte(nil), data...)
		changed[i] ^= 0xff
		for _, d := range [][]byte{data[:i], changed} {
			var out, sum bytes.Buffer
			err := Hexdump(ir.NewContext(ops.Dialect), &out, d)
			if len(d) < len(data) && err == nil {
				t.Errorf("no error for the first %d bytes", i)
			}
			if len(d) > 0 {
				if got, _ := undump(t, out.String()); !bytes.Equal(got, d) {
					t.Errorf("byte %d: the dump does not show the bytes of the file", i)
				}
			}
			if statErr := Stat(ir.NewContext(ops.Dialect), &sum, d); (statErr == nil) != (err == nil) {
				t.Errorf("byte %d: Stat says %v, Hexdump %v", i, statErr, err)
			}
		}
	}
}

func TestStat(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := Stat(ir.NewContext(ops.Dialect), &out, load(t, filepath.Join(corpus.Dir(t), "cases", "vadd_f32", "k.tileirbc"))); err != nil {
		t.Fatal(err)
	}
	const want = `Tile IR bytecode 13.3, 748 bytes

section                               offset    length alignment
function                                  16       131         8
constant                                 152        21         8
debug                                    184       309         8
type                                     496       116         4
string                                   616       131         4

6 strings, 11 types, 1 constants, 0 globals, 12 debug attributes

function                               bytes operations     depth
@vadd_f32                                120         22         0

operation                              count     bytes
cuda_tile.assume                           6        36
cuda_tile.constant                         3         9
cuda_tile.make_partition_view              3         9
cuda_tile.make_tensor_view                 3        21
cuda_tile.load_view_tko                    2        20
cuda_tile.addf                             1         6
cuda_tile.get_tile_block_id                1         4
cuda_tile.make_token                       1         2
cuda_tile.return                           1         3
cuda_tile.store_view_tko                   1        10
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// TestListing writes the producer in front, as a comment whatever its name holds.
func TestListing(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"": "\n", "p 1.0": "// Producer: p 1.0\n\n", "a\nb": "// Producer: a\n// b\n\n"} {
		module := cudatile.NewModule(ir.NewContext(ops.Dialect), nil, "m")
		module.SetAttr("producer", module.Context().String(name))
		var out bytes.Buffer
		if err := Listing(&out, module, false); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("producer %q: got %q, want %q", name, out.String(), want)
		}
	}
}
