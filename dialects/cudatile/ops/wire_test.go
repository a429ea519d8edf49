package ops

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
)

type (
	specPayload struct {
		Field, Enc, Since, Until string
		IfFlag                   *int `json:"if_flag"`
	}
	specTagged struct {
		Tag     uint32
		Name    string
		Text    string
		Since   string
		Width   int
		Payload []specPayload
	}
	specTypes struct {
		Types []specTagged
		Attrs []specTagged `json:"self_contained_attributes"`
		Debug []specTagged `json:"debug_attributes"`
		Enums []struct {
			Name, Since string
			Cases       []struct {
				Value   uint32
				Keyword string
				Since   string
			}
		}
	}
)

func fieldText(name string, wire string, since, until ir.Version, flag int) string {
	return fmt.Sprintf("%s %s [%v,%v) %d", name, wire, since, until, flag)
}

func wireTexts(fs []wire.Field) []string {
	out := []string{}
	for _, f := range fs {
		out = append(out, fieldText(f.Name, f.Form.String(), f.Since, f.Until, f.Flag))
	}
	return out
}

// encodings maps the description's words to ours where they differ; the rest of a text after the first word explains
// it.
var encodings = map[string]string{
	"signed varint": "signed varint", "varint-u32-scalar": "varint-u32", "count self-contained attributes": "attributes",
	"count pairs (string-index key, self-contained attribute)":                                                         "entries",
	"count pairs (string-index key, self-contained attribute); every value must be a Dictionary":                       "entries",
	"varint of the zero-extended bit pattern; width 1 is one byte":                                                     "int-bits",
	"ap-int of the float bit pattern: width<=8 one raw byte; width<=64 zigzag signed varint of the zero-extended bits": "float-bits",
	"byte 0/1": "byte-bool",
}

func specPayloads(t *testing.T, ps []specPayload) []string {
	out := []string{}
	for _, p := range ps {
		enc, ok := encodings[p.Enc]
		if !ok {
			enc = strings.TrimSuffix(strings.Fields(p.Enc)[0], ":")
		}
		flag := 0
		if p.IfFlag != nil {
			flag = *p.IfFlag + 1
		}
		out = append(out, fieldText(p.Field, enc, parseVersion(t, p.Since), parseVersion(t, p.Until), flag))
	}
	return out
}

func parseVersion(t *testing.T, s string) ir.Version {
	t.Helper()
	if s == "" {
		return ir.Version{}
	}
	for _, v := range cudatile.Versions {
		if v.String() == s {
			return v
		}
	}
	t.Fatalf("unknown version %q", s)
	return ir.Version{}
}

func TestTypesMatchSpec(t *testing.T) {
	t.Parallel()
	var spec specTypes
	readSpec(t, "cuda_tile_types_attrs.json", &spec)
	if len(spec.Types) != len(wire.TypeRows) {
		t.Errorf("types: got %d, want %d", len(wire.TypeRows), len(spec.Types))
	}
	c := ir.NewContext(Dialect)
	for _, want := range spec.Types {
		row := wire.Released.TypeRowByTag(want.Tag)
		if row == nil {
			t.Errorf("%s: no row for tag %d", want.Name, want.Tag)
			continue
		}
		if row.Name != want.Name || row.Since != parseVersion(t, want.Since) {
			t.Errorf("tag %d: got %s since %v, want %s since %s", want.Tag, row.Name, row.Since, want.Name, want.Since)
		}
		if got, want := wireTexts(row.Fields), specPayloads(t, want.Payload); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", row.Name, got, want)
		}
		if want.Width > 0 {
			scalar, err := row.Build(c, nil)
			if err != nil || ir.TypeString(scalar) != want.Text {
				t.Errorf("%s: got %v (%v), want %s", row.Name, ir.TypeString(scalar), err, want.Text)
			}
		}
	}
}

func TestAttrsMatchSpec(t *testing.T) {
	t.Parallel()
	var spec specTypes
	readSpec(t, "cuda_tile_types_attrs.json", &spec)
	compare := func(what string, rows []wire.AttrRow, want []specTagged) {
		if len(rows) != len(want) {
			t.Errorf("%s: got %d rows, want %d", what, len(rows), len(want))
			return
		}
		for i, w := range want {
			since := cudatile.V13_1
			if w.Since != "" {
				since = parseVersion(t, w.Since)
			}
			if r := rows[i]; r.Tag != w.Tag || r.Name != w.Name || r.Since != since {
				t.Errorf("%s: got %d %s %v, want %d %s %s", what, r.Tag, r.Name, r.Since, w.Tag, w.Name, since)
			}
			if got, want := wireTexts(rows[i].Fields), specPayloads(t, w.Payload); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %q, want %q", rows[i].Name, got, want)
			}
		}
	}
	compare("attribute", wire.AttrRows, spec.Attrs)
	compare("debug attribute", wire.DebugRows, spec.Debug)
}

func TestEnumsMatchSpec(t *testing.T) {
	t.Parallel()
	var spec specTypes
	readSpec(t, "cuda_tile_types_attrs.json", &spec)
	if len(spec.Enums) != len(cudatile.Enums) {
		t.Errorf("enums: got %d, want %d", len(cudatile.Enums), len(spec.Enums))
	}
	byName := make(map[string]*cudatile.Enum)
	for _, e := range cudatile.Enums {
		byName[e.Name] = e
	}
	for _, want := range spec.Enums {
		e := byName[want.Name]
		if e == nil || len(e.Cases) != len(want.Cases) || e.Since.String() != want.Since {
			t.Errorf("%s: got %+v, want %+v", want.Name, e, want)
			continue
		}
		for _, c := range want.Cases {
			if e.Keyword(c.Value) != c.Keyword || e.CaseSince(c.Value).String() != c.Since {
				t.Errorf("%s: case %d is %s since %v, want %s since %s", e.Name, c.Value, e.Keyword(c.Value), e.CaseSince(c.Value),
					c.Keyword, c.Since)
			}
			if v, ok := e.Lookup(c.Keyword); !ok || v != c.Value {
				t.Errorf("%s: %s is %d, want %d", e.Name, c.Keyword, v, c.Value)
			}
		}
	}
}

// TestTypesSplitAndBuild takes types apart and builds them again.
func TestTypesSplitAndBuild(t *testing.T) {
	t.Parallel()
	c := ir.NewContext(Dialect)
	tv := cudatile.TensorView(c, []int64{cudatile.Dynamic, 64}, []int64{64, 1}, c.F32(), nil)
	for _, typ := range []ir.Type{
		c.Int(1), c.F16(), cudatile.Token(c), tv, cudatile.Tile(c, []int64{4, 8}, cudatile.Ptr(c, c.F32(), cudatile.PtrNone.Attr(c))), cudatile.Scalar(c, c.Int(32)),
		cudatile.Ptr(c, c.Int(8), nil), cudatile.PartitionView(c, []int64{2, 4}, tv, []int64{1, 0}, cudatile.PadNaN.Attr(c)),
		cudatile.PartitionView(c, []int64{2, 4}, tv, nil, nil), cudatile.StridedView(c, []int64{2, 4}, []int64{1, 3}, tv, nil, cudatile.PadZero.Attr(c)),
		cudatile.GatherScatterView(c, []int64{2, 4}, tv, 1, nil), c.Func([]ir.Type{tv}, nil),
	} {
		row := wire.Released.TypeRow(typ)
		if row == nil {
			t.Errorf("%s: no row", ir.TypeString(typ))
			continue
		}
		got, err := row.Build(c, row.Split(typ))
		if err != nil || got != typ {
			t.Errorf("%s: built %s (%v)", ir.TypeString(typ), ir.TypeString(got), err)
		}
	}
	row := wire.Released.TypeRowByTag(15)
	if _, err := row.Build(c, wire.Parts{"tensor_view": ir.Type(c.F32()), "tile_shape": []int64{2}}); err == nil {
		t.Error("a partition_view of f32 was built")
	}
}
