package bytecode

import "encoding/binary"

// padding is what the public writer fills gaps with.
const padding = 0xcb

// A buffer collects the payload of a section.
//
// A section is built completely before it is written, since its length stands before it.
type buffer struct{ b []byte }

func (b *buffer) u8(v byte) { b.b = append(b.b, v) }

func (b *buffer) varint(v uint64) { b.b = binary.AppendUvarint(b.b, v) }

// signed writes a number in zigzag form.
func (b *buffer) signed(v int64) { b.varint(uint64(v)<<1 ^ uint64(v>>63)) }

func (b *buffer) u32(v uint32) { b.b = binary.LittleEndian.AppendUint32(b.b, v) }

func (b *buffer) u64(v uint64) { b.b = binary.LittleEndian.AppendUint64(b.b, v) }

func (b *buffer) bool(v bool) {
	if v {
		b.u8(1)
	} else {
		b.u8(0)
	}
}

// Counted from the start of the section: its payload is aligned in the file by the section's own alignment.
func (b *buffer) align(n int) {
	for len(b.b)%n != 0 {
		b.u8(padding)
	}
}

// words writes a counted list of little-endian words of 1, 4 or 8 bytes.
func (b *buffer) words(size int, values []int64) {
	b.varint(uint64(len(values)))
	for _, v := range values {
		switch size {
		case 1:
			b.bool(v != 0)
		case 4:
			b.u32(uint32(v))
		default:
			b.u64(uint64(v))
		}
	}
}

// table writes the head of a string, type or constant section, with offsets of width bytes (4 or 8), and the entries.
func (b *buffer) table(width int, entries [][]byte) {
	b.varint(uint64(len(entries)))
	b.align(width)
	b.entries(width, entries)
}

func (b *buffer) entries(width int, entries [][]byte) {
	offset := 0
	for _, e := range entries {
		if width == 4 {
			b.u32(uint32(offset))
		} else {
			b.u64(uint64(offset))
		}
		offset += len(e)
	}
	for _, e := range entries {
		b.b = append(b.b, e...)
	}
}

// section appends a section to a file; align 1 means that none is stated.
func (b *buffer) section(id SectionID, align int, payload []byte) {
	if align == 1 {
		b.u8(byte(id))
		b.varint(uint64(len(payload)))
	} else {
		b.u8(byte(id) | alignFlag)
		b.varint(uint64(len(payload)))
		b.varint(uint64(align))
		b.align(align)
	}
	b.b = append(b.b, payload...)
}
