package bytecode

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"testing"
	"time"

	"github.com/tilewright/tilewright/ir"
)

// The most that reading a file may allocate, all in all, and take. The limit is 64 MiB and 100 bytes for each byte of
// the file. For the small files here this is sharpened, so that what would pass it only in a large file is found. The
// most expensive things are functions: each has an arena of its own.
const (
	bombBase    = 4 << 20
	bombPerByte = 100
	bombTime    = 2 * time.Second
)

// many returns n copies of something, each made by its number.
func many(n int, make func(i int) []byte) (out [][]byte) {
	for i := range n {
		out = append(out, make(i))
	}
	return out
}

func repeat(n int, b ...byte) []byte { return bytes.Repeat(b, n) }

func varint(v uint64) []byte { return binary.AppendUvarint(nil, v) }

// withSection is a file with another payload for one of the sections that parts does not know in raw form.
func withSection(id SectionID, align int, payload []byte) parts {
	return parts{extra: func(b *buffer) { b.section(id, align, payload) }}
}

// shaped is a tile type of dimensions.
func shaped(elem byte, dims ...uint64) []byte {
	var b buffer
	b.b = append(b.b, 13, elem)
	b.varint(uint64(len(dims)))
	for _, d := range dims {
		b.u64(d)
	}
	return b.b
}

// TestBombs reads files of about a megabyte that are made to cost memory or time. Whether they are read or rejected,
// it must not take much of either.
func TestBombs(t *testing.T) {
	const n = 1 << 17
	file := []byte{2, 0, 0}
	subprogram := [][]byte{file, {1, 1}, {5, 1, 7, 0, 0, 2, 0}}
	slots := func(n int) []uint64 { return make([]uint64, n) }
	i8 := parts{types: [][]byte{{1}}}.types
	tests := []struct {
		name string
		file parts
	}{
		{"strings", parts{strings: make([]string, n)}},
		{"long strings", parts{strings: []string{string(repeat(n, 'x')), string(repeat(n, 'y'))}}},
		{"empty types", parts{types: make([][]byte, n)}},
		{"unknown types", parts{types: many(n, func(int) []byte { return []byte{99} })}},
		{"equal types", parts{types: many(n, func(int) []byte { return []byte{13, 0, 0} })}},
		{"pointer types", parts{version: 1, types: many(n, func(int) []byte { return []byte{12, 0} })}},
		{"types of tokens", parts{types: many(n, func(int) []byte { return []byte{13, 3, 0} })}},
		{"tile types", parts{types: many(n/16, func(i int) []byte {
			return shaped(0, 1<<(i%8), 1<<(i/8%8), 1<<(i/64%4), 1, 1, 1)
		})}},
		{"types of many dimensions", parts{types: many(n/2048, func(int) []byte { return shaped(0, make([]uint64, 256)...) })}},
		{"function types", parts{types: many(n, func(i int) []byte { return append(append([]byte{16, 2}, byte(i%4), 2), 0) })}},
		{"types of types", parts{types: many(n/4, func(i int) []byte { return append(append([]byte{13}, varint(uint64(i+5))...), 0) })}},
		{"wide function type", parts{types: [][]byte{append(append([]byte{16}, append(varint(4*n), repeat(4*n, 2)...)...), 0)}}},
		{"wide signature", parts{types: [][]byte{append(append([]byte{16}, append(varint(4*n), repeat(4*n, 2)...)...), 0)},
			function: []byte{1, 0, 4, 2, 0, 3, 0x5c, 0, 0}}},
		{"types on each other", parts{types: append([][]byte{append(append([]byte{16}, append(varint(n/2), repeat(n/2, 2)...)...), 0)},
			many(n, func(int) []byte { return nil })...), patch: func(b []byte) {
			// Let all entries but the first begin where that begins, by turns, and end with the section.
			at := bytes.Index(b, []byte{8, 0, 0, 0})
			for i := range n - 1 {
				binary.LittleEndian.PutUint32(b[at+8+4*i:], uint32(8+i%2))
			}
		}}},
		{"constants", parts{constants: many(n, func(int) []byte { return []byte{1, 1} })}},
		{"empty constants", parts{constants: make([][]byte, n)}},
		{"splat of the largest tile", parts{types: append(i8, shaped(4, 1<<24)), constants: [][]byte{{1, 7}}, body: append(repeat(n, 0x10, 5, 0), returns...)}},
		{"bits", parts{types: [][]byte{{0}, shaped(4, 1<<23)}, constants: [][]byte{append(varint(1<<20), many(1, func(int) []byte { return repeat(1<<19, 1, 2) })[0]...)},
			body: append([]byte{0x10, 5, 0, 0x10, 5, 0}, returns...)}},
		{"shapes of one constant", parts{types: append(i8, many(64, func(i int) []byte { return shaped(4, append(make([]uint64, 0), 1<<20)...) })...),
			constants: [][]byte{append(varint(1<<20), repeat(1<<19, 1, 2)...)}, body: append(repeat(n, 0x10, 5, 0), returns...)}},
		{"sections", parts{extra: func(b *buffer) { b.b = append(b.b, repeat(n, byte(ProducerSection), 1, 0)...) }}},
		{"functions of a name", parts{function: append(varint(n), repeat(n, 0, 1, flagEntry, 0, 3, 0x5c, 0, 0)...)}},
		{"functions", parts{strings: names(n / 4), function: append(varint(n/4), bytes.Join(many(n/4, func(i int) []byte {
			return append(varint(uint64(i+1)), 1, flagEntry, 0, 3, 0x5c, 0, 0)
		}), nil)...)}},
		{"too many globals", withSection(GlobalSection, 1, varint(1<<60))},
		{"globals", parts{types: [][]byte{shaped(0, 1)}, constants: [][]byte{{4, 1, 0, 0, 0}},
			extra: func(b *buffer) { b.section(GlobalSection, 1, append(varint(n), repeat(n, 0, 4, 0, 4, 0, 0)...)) }}},
		{"operations", parts{body: append(repeat(2*n, 0x44, 3), returns...)}},
		{"returns", parts{body: repeat(n, returns...)}},
		{"regions", parts{body: append(repeat(n, 0x41, 0, 0, 1, 1, 0, 1, 0x13, 0, 0), returns...)}},
		{"empty regions", parts{body: append(repeat(n, 0x41, 0, 0, 1, 0), returns...)}},
		{"blocks", parts{body: append(append([]byte{0x41, 0, 0, 1}, varint(n)...), repeat(n, 0, 0)...)}},
		{"block arguments", parts{body: append(append([]byte{0x41, 0, 0, 1, 1}, varint(4*n)...), append(repeat(4*n, 2), 0)...)}},
		{"operands", parts{body: append(append([]byte{0x44, 3, 0x3a, 3}, varint(4*n)...), repeat(4*n, 0)...)}},
		{"results", parts{body: append(append([]byte{0x41}, varint(4*n)...), append(repeat(4*n, 2), 0, 0)...)}},
		{"nested loops", parts{body: repeat(n, 0x41, 0, 0, 1, 1, 0, 1)}},
		{"nested attributes", parts{body: append([]byte{0x06, 2}, repeat(n, 6, 1)...)}},
		{"list of attributes", parts{body: append(append([]byte{0x06, 2, 6}, varint(2*n)...), repeat(2*n, 3, 1)...)}},
		{"lists of lists", parts{body: append(append([]byte{0x06, 2, 6}, varint(2*n)...), repeat(2*n, 6, 0)...)}},
		{"dictionaries", parts{body: append(append([]byte{0x06, 2, 6}, varint(n)...), repeat(n, 10, 1, 0, 3, 1)...)}},
		{"wide dictionary", parts{strings: names(n),
			body: append(append([]byte{0x06, 2, 10}, varint(n/2)...), bytes.Join(many(n/2, func(i int) []byte { return append(varint(uint64(i+1)), 3, 1) }), nil)...)}},
		{"different attributes", parts{body: bytes.Join(many(n, func(i int) []byte { return append(append([]byte{0x06, 2, 8}, varint(uint64(i))...), 0, 0) }), nil)}},
		{"list of numbers", parts{body: append(append([]byte{0x06, 2, 9}, varint(n)...), make([]byte, 8*n)...)}},
		{"slots", parts{debug: debugOf(slots(n), []byte{0})}},
		{"groups", parts{debug: append(append(varint(n), 0), make([]byte, 8*n)...)}},
		{"equal locations", parts{debug: debugOf(slots(1), append(subprogram, many(n, func(int) []byte { return []byte{4, 3, 0, 1, 1} })...)...)}},
		{"different locations", parts{debug: debugOf(slots(1), append(subprogram, many(n, func(i int) []byte {
			return append([]byte{4, 3, 0}, append(varint(uint64(i)), 1)...)
		})...)...)}},
		{"empty debug attributes", parts{debug: debugOf(slots(1), make([][]byte, n)...)}},
		{"malformed debug attributes", parts{debug: debugOf(slots(1), many(n, func(int) []byte { return []byte{4, 1, 0, 1, 1} })...)}},
		{"call sites", parts{debug: debugOf(slots(1), many(n, func(i int) []byte { return append(append([]byte{6}, varint(uint64(i))...), varint(uint64(i))...) })...)}}, // each of two of the one before
		{"blocks of blocks", parts{debug: debugOf(slots(1), append(subprogram, many(n, func(i int) []byte {
			return append(append([]byte{3}, varint(uint64(i+3))...), 1, 1, 1)
		})...)...)}},
		{"blocks of blocks, backwards", parts{debug: debugOf(slots(1), append(subprogram, many(n, func(i int) []byte {
			return append(append([]byte{3}, varint(uint64(i+5))...), 1, 1, 1)
		})...)...)}},
	}
	for _, tt := range tests {
		data := tt.file.file()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		op, err := openAll(data)
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		used := after.TotalAlloc - before.TotalAlloc
		t.Logf("%-30s %8d bytes, %6.1f MB allocated, %5.1f a byte, %v: %.90v", tt.name, len(data), float64(used)/1e6, float64(used)/float64(len(data)), took.Round(time.Millisecond), err)
		if limit := uint64(bombBase + bombPerByte*len(data)); used > limit {
			t.Errorf("%s: %d bytes allocated for a file of %d bytes, more than %d", tt.name, used, len(data), limit)
		}
		if took > bombTime {
			t.Errorf("%s: reading took %v", tt.name, took)
		}
		if err != nil {
			continue
		}
		start = time.Now()
		if err := ir.Verify(op); err != nil && err.Error() == "" {
			t.Errorf("%s: an error without words", tt.name)
		}
		if d := time.Since(start); d > bombTime {
			t.Errorf("%s: verifying took %v", tt.name, d)
		}
	}
}

// names returns n different strings.
func names(n int) (out []string) {
	for i := range n {
		out = append(out, string([]byte{byte(i), byte(i >> 8), byte(i >> 16)}))
	}
	return out
}
