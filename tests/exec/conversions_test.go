package exec

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

const (
	conversionTile   = 128
	conversionBlocks = 8
	conversionCount  = conversionTile * conversionBlocks
)

var conversionFormats = []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64, numeric.TF32, numeric.F8E4M3FN, numeric.F8E5M2, numeric.F8E8M0FNU, numeric.F8E5M3FNU}

var conversionInts = []string{"i1", "i8", "i16", "i32", "i64"}

// A conversion is an operation on a tile %x of one element type to another. FROM and TO stand for the types of the
// tiles.
type conversion struct{ text, to string }

// TestConversions compares every conversion of floats that the verifier admits, with every rounding, on each
// generation of targets with the interpreter: on numbers around the values of the narrow formats, in the middle
// between them, and on random ones.
func TestConversions(t *testing.T) {
	t.Parallel()
	var sources []string
	for _, f := range conversionFormats {
		sources = append(sources, f.String())
	}
	forms := 0
	for _, from := range append(sources, conversionInts...) {
		list := admitted(from, conversionsOf(from))
		forms += len(list)
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			agrees(t, conversionKernel(t, from, list))
		})
	}
	if want := 230; forms < want {
		t.Errorf("%d forms are admitted, expected at least %d", forms, want)
	}
}

func conversionsOf(from string) (list []conversion) {
	for _, to := range conversionFormats {
		if strings.HasPrefix(from, "i") {
			for _, sign := range []string{"signed", "unsigned"} {
				list = append(list, conversion{"itof %x " + sign + " : FROM -> TO", to.String()})
			}
			continue
		}
		for _, mode := range []string{"", " rounding<zero>", " rounding<positive_inf>", " rounding<negative_inf>", " rounding<nearest_away>"} {
			list = append(list, conversion{"ftof %x" + mode + " : FROM -> TO", to.String()})
		}
	}
	for _, to := range conversionInts {
		if strings.HasPrefix(from, "i") {
			break
		}
		for _, sign := range []string{"signed", "unsigned"} {
			list = append(list, conversion{"ftoi %x " + sign + " saturating : FROM -> TO", to})
		}
	}
	return list
}

// admitted returns the conversions that the verifier admits.
func admitted(from string, all []conversion) (list []conversion) {
	for _, c := range all {
		if _, err := tileir.Read(tileir.NewContext(), "conversion", []byte(conversionText(from, []conversion{c}))); err == nil {
			list = append(list, c)
		}
	}
	return list
}

// conversionText is a kernel that loads a tile of one type for each block and stores it in others.
func conversionText(from string, list []conversion) string {
	var params, body strings.Builder
	access := func(ptr, elem string) string {
		tile := func(shape, elem string) string { return "tile<" + shape + elem + ">" }
		wide := fmt.Sprintf("%dx", conversionTile)
		p := "ptr<" + elem + ">"
		fmt.Fprintf(&body, "  %%%[1]s1 = reshape %%%[1]s : %[2]s -> %[3]s\n  %%%[1]s2 = broadcast %%%[1]s1 : %[3]s -> %[4]s\n  %%%[1]s3 = offset %%%[1]s2, %%at : %[4]s, %[5]s -> %[4]s\n",
			ptr, tile("", p), tile("1x", p), tile(wide, p), tile(wide, "i32"))
		return fmt.Sprintf("%s -> %s", tile(wide, p), tile(wide, elem))
	}
	fmt.Fprintf(&body, `  %%b, %%by, %%bz = get_tile_block_id : tile<i32>
  %%n = constant <i32: %[1]d> : tile<i32>
  %%first = muli %%b, %%n : tile<i32>
  %%first1 = reshape %%first : tile<i32> -> tile<1xi32>
  %%firsts = broadcast %%first1 : tile<1xi32> -> tile<%[1]dxi32>
  %%io = iota : tile<%[1]dxi32>
  %%at = addi %%firsts, %%io : tile<%[1]dxi32>
`, conversionTile)
	fmt.Fprintf(&body, "  %%x, %%t = load_ptr_tko weak %%p3 : %s, token\n", access("p", from))
	for i, c := range list {
		fmt.Fprintf(&params, ", %%q%d_: tile<ptr<%s>>", i, c.to)
		tile := func(elem string) string { return fmt.Sprintf("tile<%dx%s>", conversionTile, elem) }
		q := fmt.Sprintf("q%d_", i)
		types := strings.Replace(access(q, c.to), " -> ", ", ", 1)
		fmt.Fprintf(&body, "  %%y%d = %s\n  %%u%d = store_ptr_tko weak %%%s3, %%y%d : %s -> token\n", i,
			strings.NewReplacer("FROM", tile(from), "TO", tile(c.to)).Replace(c.text), i, q, i, types)
	}
	return fmt.Sprintf("entry @k(%%p: tile<ptr<%s>>%s) {\n%s  return\n}\n", from, &params, &body)
}

func conversionKernel(t *testing.T, from string, list []conversion) *generate.Kernel {
	req := &launch.Request{Entry: "k", Grid: [3]uint32{conversionBlocks, 1, 1}}
	buffer := func(name string) *launch.Buffer {
		d, err := launch.ParseDType(name)
		if err != nil {
			t.Fatal(err)
		}
		b := &launch.Buffer{DType: d, Shape: []int{conversionCount}, Data: make([]byte, conversionCount*d.Size())}
		req.Args = append(req.Args, launch.Arg{Buffer: b})
		return b
	}
	in := buffer(from)
	size := in.DType.Size()
	for i, bits := range conversionInputs(from) {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], bits)
		copy(in.Data[i*size:(i+1)*size], word[:])
	}
	for _, c := range list {
		buffer(c.to)
	}
	return &generate.Kernel{Text: []byte(conversionText(from, list)), Launch: req}
}

// conversionInputs returns the patterns that a type is converted from.
func conversionInputs(from string) []uint64 {
	r := rand.New(rand.NewPCG(17, 4))
	var values []uint64
	if f, ok := numeric.ParseFormat(from); ok {
		values = roundingEdges(f)
	} else {
		for _, shift := range []int{0, 1, 3, 7, 8, 11, 15, 16, 23, 24, 31, 32, 52, 53, 62, 63} {
			for d := -2; d <= 2; d++ {
				values = append(values, 1<<shift+uint64(d), -(1<<shift + uint64(d)), 3<<shift>>1+uint64(d))
			}
		}
	}
	r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	values = values[:min(len(values), conversionCount-conversionCount/8)]
	for len(values) < conversionCount {
		values = append(values, r.Uint64())
	}
	if from == "i1" {
		for i := range values {
			values[i] &= 1
		}
	}
	return values
}

// roundingEdges returns what a format has next to the values of narrower formats and next to the middle of two of
// them, zeros, infinities and NaNs.
func roundingEdges(f numeric.Format) []uint64 {
	seen := make(map[uint64]bool)
	var list []uint64
	add := func(b uint64) {
		if !seen[b] {
			seen[b] = true
			list = append(list, b)
		}
	}
	for _, x := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, math.SmallestNonzeroFloat32, 1e300, 5e-324, -5e-324} {
		add(f.Encode(x, numeric.Env{}))
	}
	for _, narrow := range []numeric.Format{numeric.F8E4M3FN, numeric.F8E5M2, numeric.F8E8M0FNU} {
		for p := range uint64(0xff) {
			lower, upper := narrow.Decode(p), narrow.Decode(p+1)
			for _, x := range []float64{lower, (lower + upper) / 2} {
				b := f.Encode(x, numeric.Env{})
				add(b - 1)
				add(b)
				add(b + 1)
			}
		}
	}
	return list
}
