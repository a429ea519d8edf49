package bytecode

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
)

// A parts is a file to be put together. The zero value of a field stands for something sound: one kernel "k" without
// parameters.
type parts struct {
	version   byte // minor
	strings   []string
	types     [][]byte
	constants [][]byte
	debug     []byte
	function  []byte // payload of the section
	body      []byte
	extra     func(*buffer) // further sections
	patch     func([]byte)  // changes the file
}

// Types that every file has: 0 is i32, 1 () -> (), 2 tile<i32>, 3 token.
var baseTypes = [][]byte{{3}, {16, 0, 0}, {13, 0, 0}, {17}}

var returns = []byte{0x5c, 0, 0}

func (p parts) file() []byte {
	if p.version == 0 {
		p.version = 4
	}
	if p.body == nil {
		p.body = returns
	}
	var out, b buffer
	out.b = append(append(out.b, Magic...), 13, p.version, 0, 0)
	if p.function == nil {
		head := []byte{1, 0, 1, flagEntry, 0}
		if p.version == 5 {
			head = append(head, 11, 0, 6, 0)
		}
		if p.debug != nil {
			head[4] = 1
		}
		b.b = append(b.b, head...)
		b.varint(uint64(len(p.body)))
		p.function = append(b.b, p.body...)
	}
	out.section(FunctionSection, 8, p.function)
	b = buffer{}
	b.table(4, append(append([][]byte(nil), baseTypes...), p.types...))
	out.section(TypeSection, 4, b.b)
	b = buffer{}
	entries := [][]byte{[]byte("k")}
	for _, s := range p.strings {
		entries = append(entries, []byte(s))
	}
	b.table(4, entries)
	out.section(StringSection, 4, b.b)
	if p.constants != nil {
		b = buffer{}
		b.table(8, p.constants)
		out.section(ConstantSection, 8, b.b)
	}
	if p.debug != nil {
		out.section(DebugSection, 8, p.debug)
	}
	if p.extra != nil {
		p.extra(&out)
	}
	out.u8(0)
	if p.patch != nil {
		p.patch(out.b)
	}
	return out.b
}

// debugOf is a debug section with one group of slots, and attributes.
func debugOf(slots []uint64, attrs ...[]byte) []byte {
	var b buffer
	b.varint(1)
	b.align(4)
	b.u32(0)
	b.varint(uint64(len(slots)))
	b.align(8)
	for _, s := range slots {
		b.u64(s)
	}
	b.varint(uint64(len(attrs)))
	b.align(4)
	b.entries(4, attrs)
	return b.b
}

// globalOf is a file with a global of one element.
func globalOf(name string, constant byte) parts {
	return parts{strings: []string{name}, types: [][]byte{{13, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0}}, constants: [][]byte{{4, 1, 0, 0, 0}},
		extra: func(b *buffer) { b.section(GlobalSection, 1, []byte{1, 1, 4, 0, 4, 0, constant}) }}
}

func openAll(data []byte) (ir.Op, error) { return Read(ir.NewContext(ops.Dialect), data) }

func seq(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestSound(t *testing.T) {
	t.Parallel()
	file, subprogram := []byte{2, 0, 0}, []byte{5, 1, 7, 0, 0, 2, 0}
	tests := map[string]parts{
		"plain":                   {},
		"13.5":                    {version: 5},
		"unused malformed type":   {types: [][]byte{{99}}},
		"forward reference":       {types: [][]byte{{13, 5, 0}, {4}}, body: seq([]byte{0x44, 3}, returns)},
		"bytes after simple type": {types: [][]byte{{4, 1, 2, 3}, {13, 4, 0}}},
		"unused malformed debug":  {debug: debugOf([]uint64{0, 0}, []byte{2})},
		"unknown debug tag":       {debug: debugOf([]uint64{0, 1}, []byte{77, 1})},
		"debug":                   {debug: debugOf([]uint64{4, 4}, file, []byte{1, 1}, subprogram, []byte{4, 3, 0, 7, 1})},
		"bytes after other types": {types: [][]byte{{16, 0, 0, 1, 2}, {12, 0, 0, 1}}, body: seq([]byte{0x44, 3}, returns)},
		"offsets that turn back":  {types: [][]byte{{4}, {4, 0}}, patch: func(b []byte) { b[bytes.LastIndex(b, []byte{9, 0, 0, 0})] = 2 }},
		"overlong flags":          {types: [][]byte{{13, 0, 0}}, body: seq([]byte{0x10, 2, 0, 0x06, 2, 8, 1, 0x80, 0, 0}, returns), constants: [][]byte{{4, 1, 0, 0, 0}}},
		"a copy of a section":     {extra: func(b *buffer) { b.section(ProducerSection, 1, []byte{0}); b.section(ProducerSection, 1, []byte{0}) }},
		"constant flag of 2":      globalOf("g", 2),
		"more slots than needed":  {debug: debugOf([]uint64{0, 0, 0, 9}, []byte{0})},
		"producer in an old file": {version: 1, extra: func(b *buffer) { b.section(ProducerSection, 1, []byte{0}) }},
	}
	for name, p := range tests {
		op, err := openAll(p.file())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := ir.Verify(op); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	nested := func(n int) []byte { // loops in each other: no results, no operands, one region of one block
		var out []byte
		for range n {
			out = append(out, 0x41, 0, 0, 1, 1, 0, 1)
		}
		return append(out, 0x11, 0)
	}
	chain := func(n int) (out [][]byte) { // tiles of tiles, each of the next
		for i := range n {
			out = append(out, []byte{13, byte(5 + i), 0})
		}
		return out
	}
	callSites := func(n int) (out [][]byte) { // each twice the one before
		out = append(out, []byte{2, 0, 0}, []byte{1, 1}, []byte{5, 1, 7, 0, 0, 2, 0}, []byte{4, 3, 0, 7, 1})
		for i := range n {
			out = append(out, []byte{6, byte(4 + i), byte(4 + i)})
		}
		return out
	}
	raw := func(f func(data []byte) []byte) func() []byte { return func() []byte { return f(parts{}.file()) } }
	tests := []struct {
		name string
		file func() []byte
		err  string // part
	}{
		{"nothing", func() []byte { return nil }, "offset 0: invalid magic number"},
		{"shifted", func() []byte { return []byte("XX" + Magic) }, "offset 0: invalid magic number"},
		{"only magic", func() []byte { return []byte(Magic) }, "unexpected end of data in the header"},
		{"version", raw(func(d []byte) []byte { d[9] = 6; return d }), "offset 8: unsupported Tile version 13.6.0, this reader supports versions [13.1 - 13.5]"},
		{"preview", raw(func(d []byte) []byte { d[10] = 1; return d }), "offset 10: the file holds public-preview content, which is not supported"},
		{"tag", raw(func(d []byte) []byte { d[11] = 1; return d }), "unknown version tag 0x100"},
		{"no end", raw(func(d []byte) []byte { return d[:len(d)-1] }), "the end marker is missing"},
		{"after the end", raw(func(d []byte) []byte { return append(d, 0) }), "end section is not the last section: 1 bytes follow"},
		{"aligned end", raw(func(d []byte) []byte { d[len(d)-1] = 0x80; return d }), "end section should not have alignment flag set"},
		{"unknown section", parts{extra: func(b *buffer) { b.section(8, 1, nil) }}.file, "unknown section ID: 8"},
		{"second section", parts{extra: func(b *buffer) { b.section(TypeSection, 4, []byte{0}) }}.file, "second type section"},
		{"alignment", parts{extra: func(b *buffer) { b.section(ConstantSection, 4, []byte{0}) }}.file, "alignment of the constant section must be a multiple of 8, but got 4"},
		{"odd alignment", parts{extra: func(b *buffer) { b.section(GlobalSection, 12, []byte{0}) }}.file, "section alignment must be a power of two, but got 12"},
		{"huge alignment", parts{extra: func(b *buffer) { b.b = append(b.b, 0x86, 0, 0x80, 0x80, 0x80, 0x80, 0x10) }}.file, "exceeds the size of the file"},
		{"length", parts{extra: func(b *buffer) { b.b = append(b.b, 6, 0xff, 0xff, 0xff, 0xff, 0x7f) }}.file, "exceeds the remaining"},
		{"no strings", func() []byte { return append([]byte(Magic), 13, 1, 0, 0, 0x82, 1, 8, padding, 0, 0) }, "the string section is missing"},

		{"count of types", raw(func(d []byte) []byte { d[bytes.Index(d, []byte{4, padding, padding, padding})] = 0x7f; return d }), "type section: 127 entries do not fit"},
		{"unknown type", parts{types: [][]byte{{99}}, body: []byte{0x44, 4}}.file, "type section, type 4: unknown type tag 99"},
		{"newer type", parts{version: 2, types: [][]byte{{19}}, body: []byte{0x44, 4}}.file, "type 4: type 'Float4E2M1FN' requires bytecode version 13.3+, file version is 13.2"},
		{"type contains itself", parts{types: [][]byte{{13, 5, 0}, {13, 4, 0}}, body: []byte{0x44, 4}}.file, "type 4 contains itself"},
		{"types nest", parts{types: chain(40), body: []byte{0x44, 4}}.file, "types nest deeper than 16 levels"},
		{"function in function", parts{types: [][]byte{{16, 1, 1, 0}}, body: []byte{0x44, 4}}.file, "a function type cannot be part of type Function"},
		{"bytes after composite type", parts{types: [][]byte{{13, 0, 0, 1}}, body: []byte{0x44, 4}}.file, "1 bytes after the parameters of type Tile"},
		{"shape", parts{types: [][]byte{{13, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0}}, body: []byte{0x44, 4}}.file, "all dimensions must be powers of two, got 3"},
		{"rank", parts{types: [][]byte{seq([]byte{13, 0, 0x81, 2}, bytes.Repeat([]byte{1, 0, 0, 0, 0, 0, 0, 0}, 257))}, body: []byte{0x44, 4}}.file, "type Tile has 257 dimensions, more than 256"},
		{"type flags", parts{types: [][]byte{{12, 2, 0}}, body: []byte{0x44, 4}}.file, "unknown flags 0x2 of type Pointer"},
		{"newer enum value", parts{types: [][]byte{{12, 1, 0, 2}}, body: []byte{0x44, 4}}.file, "pointer attribute 'multicast' requires bytecode version 13.5+, file version is 13.4"},
		{"view of a number", parts{types: [][]byte{{15, 0, 0, 0, 0}}, body: []byte{0x44, 4}}.file, "expected 'tensor_view' type in PartitionView"},
		{"type offsets", parts{types: [][]byte{{4}, {4, 0}}, body: []byte{0x44, 4}, patch: func(b []byte) { b[bytes.LastIndex(b, []byte{9, 0, 0, 0})] = 2 }}.file,
			"type section, type 4: the entry is said to take the bytes from"},
		{"type index", parts{body: []byte{0x44, 9}}.file, "function section, function @k: type index 9 out of bounds: there are 4"},

		{"no function name", parts{function: []byte{1, 1, 1, 2, 0, 3, 0x5c, 0, 0}, strings: []string{""}}.file, "the function has no name"},
		{"signature", parts{function: []byte{1, 0, 2, 2, 0, 3, 0x5c, 0, 0}}.file, "signature of function @k is !cuda_tile.tile<i32>, expected a function type"},
		{"parameter", parts{types: [][]byte{{12, 0, 0}, {16, 1, 4, 0}}, function: []byte{1, 0, 5, 2, 0, 3, 0x5c, 0, 0}}.file,
			"unsupported type in bytecode for entry argument #0: '!cuda_tile.ptr<i32>', expected a rank-0 !cuda_tile.tile type"},
		{"global without a name", globalOf("", 0).file, "global section, global 0: the global has no name"},
		{"device function", parts{function: []byte{1, 0, 1, 0, 0, 3, 0x5c, 0, 0}}.file, "function @k is not an entry"},
		{"two functions of a name", parts{function: []byte{2, 0, 1, 2, 0, 3, 0x5c, 0, 0, 0, 1, 2, 0, 3, 0x5c, 0, 0}}.file, "offset 25, function section, function 1: second function @k"},
		{"private entry", parts{function: []byte{1, 0, 1, 3, 0, 3, 0x5c, 0, 0}}.file, "entry @k is private"},
		{"flags", parts{function: []byte{1, 0, 1, 0x12, 0, 3, 0x5c, 0, 0}}.file, "unknown flags 0x10 of function @k"},
		{"location group", parts{function: []byte{1, 0, 1, 2, 1, 3, 0x5c, 0, 0}}.file, "function @k refers to location group 1, but there are 0"},
		{"body length", parts{function: []byte{1, 0, 1, 2, 0, 4, 0x5c, 0, 0}}.file, "4 bytes of the body do not fit the remaining 3 bytes"},
		{"hints", parts{function: []byte{1, 0, 1, 6, 0, 5, 0, 3, 0x5c, 0, 0}}.file, "unexpected attribute instead of optimization hints"},
		{"hints of no dictionary", parts{function: []byte{1, 0, 1, 6, 0, 11, 1, 0, 3, 1, 3, 0x5c, 0, 0}}.file, "optimization hints for 'k' are not a dictionary"},

		{"opcode", parts{body: []byte{0x19}}.file, "unknown or unimplemented opcode: 25 (0x19)"},
		{"large opcode", parts{body: []byte{0xff, 0xff, 0xff, 0x7f}}.file, "unknown or unimplemented opcode: 268435455 (0xfffffff)"},
		{"preview opcode", parts{body: []byte{0x82, 0x80, 0x01}}.file, "unknown or unimplemented opcode: 16386 (0x4002)"},
		{"newer opcode", parts{version: 3, body: []byte{0x77}}.file, "opcode 0x77, 'cuda_tile.gdc_launch_dependents_tko', requires bytecode version 13.4+, file version is 13.3"},
		{"truncated record", parts{body: []byte{0x44}}.file, "function @k: unexpected end of data in a varint"},
		{"value", parts{body: []byte{0x06, 2, 8, 1, 0, 0}}.file, "value index 0 out of bounds: there are 0"},
		{"operand count", parts{body: []byte{0x5c, 0, 0x7f}}.file, "127 operands do not fit the remaining 0 bytes"},
		{"too few operands", parts{body: []byte{0x26, 1, 2, 0}}.file, "'cuda_tile.extract' has 0 operands, expected at least 1"},
		{"result count", parts{body: []byte{0x5c, 1, 3, 0}}.file, "'cuda_tile.return' cannot have 1 results"},
		{"counted operands", parts{body: []byte{0x77, 3, 2, 0}}.file, "operands do not fit"},
		{"unknown record flags", parts{body: []byte{0x02, 2, 2, 0, 0, 0}}.file, "unknown flags 0x2 of 'cuda_tile.addf'"},
		{"enum", parts{body: []byte{0x02, 2, 0, 99, 0, 0}}.file, "unknown rounding mode 99"},
		{"string", parts{body: []byte{0x2c, 2, 5}}.file, "string index 5 out of bounds: there are 1"},
		{"constant", parts{body: []byte{0x10, 2, 5}}.file, "constant index 5 out of bounds: there are 0"},
		{"constant size", parts{constants: [][]byte{{2, 1, 2}}, body: []byte{0x10, 2, 0}}.file, "constant 0 of type !cuda_tile.tile<i32>: expected 4 or 4 bytes, but got 2"},
		{"constant length", parts{constants: [][]byte{{9, 1, 2}}, body: []byte{0x10, 2, 0}}.file, "constant section, constant 0: 9 bytes do not fit the remaining 2 bytes"},
		{"constant of a token", parts{constants: [][]byte{{1, 1}}, body: []byte{0x10, 3, 0}}.file, "constant 0 has type !cuda_tile.token, expected a tile"},
		{"region count", parts{body: []byte{0x41, 0, 0, 2}}.file, "'cuda_tile.loop' has 2 regions, expected 1"},
		{"nesting", parts{body: nested(300)}.file, "operations nest deeper than 200 levels"},
		{"attribute tag", parts{body: []byte{0x06, 2, 99, 0}}.file, "unknown attribute tag 99"},
		{"newer attribute", parts{body: []byte{0x06, 2, 13, 0}}.file, "attribute 'MultimemReductionKind' requires bytecode version 13.5+, file version is 13.4"},
		{"attributes nest", parts{body: seq([]byte{0x06, 2}, bytes.Repeat([]byte{6, 1}, 100), []byte{6, 0})}.file, "attributes nest deeper than 64 levels"},
		{"attribute flags", parts{body: []byte{0x06, 2, 8, 1, 4}}.file, "unknown flags 0x4 of attribute DivBy"},
		{"wide integer", parts{types: [][]byte{{1}}, body: []byte{0x06, 2, 1, 4, 0x80, 2}}.file, "pattern 0x100 does not fit 8 bits"},
		{"integer of another type", parts{body: []byte{0x06, 2, 1, 2, 1}}.file, "integer attribute has type !cuda_tile.tile<i32>"},
		{"float of another type", parts{body: []byte{0x06, 2, 2, 0, 1}}.file, "failed to read valid FloatType for FloatAttr: got i32"},
		{"extreme value", parts{body: []byte{0x53, 2, 1, 0xff, 0xff, 0xff, 0x7f}}.file, "array contains unsupported value 2147483647"},

		{"too few locations", parts{debug: debugOf([]uint64{0}, []byte{0})}.file, "the function has fewer locations than operations"},
		{"no debug attributes", parts{debug: debugOf([]uint64{0, 0})}.file, "the debug attribute table is empty"},
		{"no location", parts{debug: debugOf(nil, []byte{0})}.file, "the function has no location slot"},
		{"slot", parts{debug: debugOf([]uint64{0, 9}, []byte{0})}.file, "refers to debug attribute 8, but there are 1"},
		{"no location kind", parts{debug: debugOf([]uint64{0, 1}, []byte{2, 0, 0})}.file, `debug attribute 0, #cuda_tile.di_file<"k" in "k">, is not a location`},
		{"debug tag", parts{debug: debugOf([]uint64{0, 1}, []byte{0x82, 2, 0, 0})}.file, "debug section, debug attribute 0: unknown debug attribute tag 258"},
		{"cycle", parts{debug: debugOf([]uint64{0, 1}, []byte{6, 2, 0}, []byte{6, 1, 0})}.file, "contains itself"},
		{"scope", parts{debug: debugOf([]uint64{0, 2}, []byte{2, 0, 0}, []byte{4, 1, 0, 1, 1})}.file, "debug section, debug attribute 1: failed to read scope attribute when parsing DILocAttr: scope cannot be #cuda_tile.di_file"},
		{"unknown scope", parts{debug: debugOf([]uint64{0, 1}, []byte{4, 0, 0, 1, 1})}.file, "scope cannot be loc(unknown)"},
		{"line", parts{debug: debugOf([]uint64{0, 4}, []byte{2, 0, 0}, []byte{1, 1}, []byte{5, 1, 7, 0, 0, 2, 0}, []byte{4, 3, 0, 0xff, 0xff, 0xff, 0xff, 0x7f, 1})}.file,
			"line 34359738367 does not fit 32 bits"},
		{"subprogram without flags", parts{version: 5, debug: debugOf([]uint64{0, 4}, []byte{2, 0, 0}, []byte{1, 1}, []byte{5, 1, 7, 0, 0, 2, 0}, []byte{4, 3, 0, 1, 1})}.file,
			"debug attribute 2: unexpected end of data"},
		{"subprogram flags", parts{version: 5, debug: debugOf([]uint64{0, 4}, []byte{2, 0, 0}, []byte{1, 1}, []byte{5, 1, 7, 0, 0, 2, 0, 3}, []byte{4, 3, 0, 1, 1})}.file,
			"debug attribute 2: unrecognized flag bits (0x3) when parsing DISubprogramAttr"},
		{"call sites double", parts{debug: debugOf([]uint64{0, 34}, callSites(30)...)}.file, "debug attribute consists of more than 1024 others"},
	}
	for _, tt := range tests {
		data := tt.file()
		op, err := openAll(data)
		if err == nil {
			t.Errorf("%s: read %s", tt.name, op.Name())
			continue
		}
		if !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.err)
		}
		var e *Error
		if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(data) {
			t.Errorf("%s: %v is at no place of the file's %d bytes", tt.name, err, len(data))
		} else if inHeader := e.Offset < headerSize; !inHeader && !strings.Contains(err.Error(), "section") && !strings.Contains(err.Error(), "end marker") {
			t.Errorf("%s: %v names no section", tt.name, err)
		}
	}
}

// TestBudget reads small files in which many references to one large entry stand.
func TestBudget(t *testing.T) {
	const large, references = 1 << 20, 2000
	// A constant of i8, and as many types of as many elements.
	types := [][]byte{{1}}
	var body []byte
	for i := range references {
		shape := []byte{13, 4, byte(i%120 + 1)}
		dims := i%120 + 1
		for d := range dims {
			var b buffer
			if d == i/120 {
				b.u64(large)
			} else {
				b.u64(1)
			}
			shape = append(shape, b.b...)
		}
		if i/120 >= dims {
			continue
		}
		types = append(types, shape)
		var b buffer
		b.varint(0x10)
		b.varint(uint64(len(types) + 3))
		b.varint(0)
		body = append(body, b.b...)
	}
	var constant buffer
	constant.varint(large)
	for i := range large {
		constant.u8(byte(i % 251))
	}
	data := parts{types: types, constants: [][]byte{constant.b}, body: append(body, returns...)}.file()
	if _, err := openAll(data); err == nil || !strings.Contains(err.Error(), "expand to more than 64 times its size") {
		t.Errorf("constants: got %v", err)
	}
	// Functions that share a signature.
	signature := append([]byte{16, 0x80, 0x80, 4}, bytes.Repeat([]byte{2}, 1<<16)...)
	function := []byte{0xe8, 7}
	for i := range 1000 {
		function = append(append(function, varint(uint64(i+1))...), 4, flagEntry, 0, 3, 0x5c, 0, 0)
	}
	data = parts{strings: names(1000), types: [][]byte{append(signature, 0)}, function: function}.file()
	if _, err := openAll(data); err == nil || !strings.Contains(err.Error(), "expand to more than 64 times its size") {
		t.Errorf("signatures: got %v", err)
	}
	// Lists that all claim the same bytes.
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	body = []byte{0x06, 2}
	for range 60 {
		body = append(body, 6, 0x80, 0x80, 0x40)
	}
	data = parts{body: append(body, make([]byte, large)...)}.file()
	if _, err := openAll(data); err == nil || !strings.Contains(err.Error(), "unknown attribute tag 0") {
		t.Errorf("lists: got %v", err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 32*large {
		t.Errorf("lists: %d bytes allocated for a file of %d", n, len(data))
	}
	// Dictionaries whose only name is long.
	body = append([]byte{0x44, 3}, bytes.Repeat([]byte{0x06, 3, 10, 1, 1, 3, 1, 0}, 400)...)
	data = parts{strings: []string{strings.Repeat("x", large)}, body: body}.file()
	if _, err := openAll(data); err == nil || !strings.Contains(err.Error(), "expand to more than 64 times its size") {
		t.Errorf("dictionaries: got %v", err)
	}
}
