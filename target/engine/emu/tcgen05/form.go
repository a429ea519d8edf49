package tcgen05

import (
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
)

// form is what the modifiers of a tcgen05.mma say.
type form struct {
	kind          *kind
	ws, sparse    bool
	pair          bool // of CTAs
	shift         bool // the rows of A afterwards
	vectors       int  // scale factors of a row
	collector, op string
}

// collectors lists the collector buffers and what can be done with them.
var collectors, collectorOps = []string{"a", "b0", "b1", "b2", "b3"}, []string{"fill", "use", "lastuse", "discard"}

// parseForm consumes the modifiers of tcgen05.mma.
//
// The checks are those of the syntax lines and tables of "tcgen05.mma", which tests show to ptxas as well
// (TestTensorFormsAssemble).
func parseForm(d *decode.Decoder, pair bool) form {
	f := form{pair: pair}
	if ws, sp := slices.Index(d.Mods, "ws"), slices.Index(d.Mods, "sp"); ws > sp && sp >= 0 {
		d.Fail("'.ws' comes before '.sp'")
	}
	f.ws, f.sparse = d.Opt("ws"), d.Opt("sp")
	name := d.OneOf("kind::f16", "kind::tf32", "kind::f8f6f4", "kind::i8", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4")
	if f.kind = kinds[name]; f.kind == nil {
		d.Fail("this kind of 'tcgen05.mma' is not supported")
	}
	scaled := d.Opt("block_scale")
	size := d.OneOf("scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32")
	if scaled != f.kind.scaled || size != "" && !scaled {
		d.Fail("'tcgen05.mma' needs .block_scale with the kinds that scale, and only there")
	}
	if scaled {
		// "Valid combinations of scale_vectorsize with types and MMA-Kind".
		f.vectors = map[string]map[string]int{
			"kind::mxf8f6f4": {"": 1, "scale_vec::1X": 1, "block32": 1},
			"kind::mxf4":     {"": 2, "scale_vec::2X": 2, "block32": 2},
			"kind::mxf4nvf4": {"scale_vec::2X": 2, "block32": 2, "scale_vec::4X": 4, "block16": 4},
		}[name][size]
		if f.vectors == 0 {
			d.Fail("'tcgen05.mma.%s' with this size of scale vectors does not exist", name)
		}
	}
	f.shift = d.Opt("ashift")
	for _, buffer := range collectors {
		for _, op := range collectorOps {
			if !d.Opt("collector::" + buffer + "::" + op) {
				continue
			}
			if f.collector != "" {
				d.Fail("'tcgen05.mma' has two uses of collector buffers")
			}
			if (buffer == "a") == f.ws {
				d.Fail("'tcgen05.mma' has no such collector buffer")
			}
			f.collector, f.op = buffer, op
		}
	}
	switch {
	case f.ws && (pair || scaled || f.shift):
		d.Fail("'tcgen05.mma.ws' with these modifiers does not exist")
	case f.shift && scaled:
		d.Fail("'.ashift' does not go with block scaling")
	case f.shift && (f.op == "fill" || f.op == "use"):
		d.Fail("'.ashift' does not go with '.collector::a::%s'", f.op)
	}
	// Without a collector the buffer is used and discarded, which empties what an earlier instruction filled.
	if f.collector == "" {
		if f.collector, f.op = "a", "discard"; f.ws {
			f.collector = "b0"
		}
	}
	return f
}
