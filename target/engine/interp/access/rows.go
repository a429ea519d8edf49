package access

import (
	"encoding/binary"
	"unsafe"

	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
	"github.com/tilewright/tilewright/target/engine/interp/races"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// simple reports whether bytes in a buffer are all that an access is about.
func (c Cell) simple(m *core.Machine, write bool) bool {
	return m.Launch.Options.Access == nil && !(write && len(m.Flights.Copies) > 0) && c.weak && !c.half && (!c.bool || write)
}

// box returns the bytes of a tile of n elements from the first one on, and the dimensions along which the others lie,
// with strides in bytes. It returns nil if an element is outside the tensor, or needs a check of its own.
//
// Most tiles are such boxes. They are found once; the elements are copied by loops without checks.
func (c Cell) box(m *core.Machine, w *memory.Window, n int, write bool) ([]byte, []memory.Dim) {
	if !c.simple(m, write) || m.Race != nil && c.noted != races.Everywhere || write && m.Program.Bulk {
		return nil, nil
	}
	offset, dims, length, ok := w.Whole(n, c.size)
	if !ok {
		return nil, nil
	}
	addr := w.Base + uint64(offset)
	b, err := m.Mem.Find(addr, length)
	if err != nil || addr&(c.size-1) != 0 || b.Written != nil || write && b.ReadOnly || c.seen(m, b, addr, length, write) != nil {
		return nil, nil
	}
	if write && b.Segment != nil {
		b.Segment.MarkWritten()
	}
	return b.Data[addr-b.Addr:][:length], dims
}

// loadBox reads elements along dimensions, in the order of a tile.
func loadBox(out []uint64, data []byte, dims []memory.Dim, size uint64) {
	if len(dims) == 1 {
		loadRow(out, data, size, int(dims[0].Stride), 0)
		return
	}
	n, step := int(dims[0].N), int(dims[0].Stride)
	row := len(out) / n
	if len(dims) == 2 {
		from := 0
		if step == int(size) {
			from = loadColumns(out, data, size, n, row, int(dims[1].Stride))
		}
		if from == 0 && dims[1].Stride == int64(size) {
			if k := vector.Load(size); k != nil && k(out, data, n, step, vector.RowsAhead*step) == len(out) {
				return
			}
		}
		if from == row {
			return
		}
		for i := range n {
			loadRow(out[i*row+from:(i+1)*row], data[i*step+from*int(dims[1].Stride):], size, int(dims[1].Stride), step)
		}
		return
	}
	for i := range n {
		loadBox(out[i*row:][:row], data[i*step:], dims[1:], size)
	}
}

// stored returns a matrix that lies in memory row by row. It reports false if the elements of a row have gaps.
func stored(data []byte, dims []memory.Dim, columns int64, size int) (r values.Stored, ok bool) {
	r = values.Stored{Bytes: data, Step: int(columns) * size, Size: size}
	switch last := dims[len(dims)-1]; {
	case last.Stride != int64(size) || uintptr(unsafe.Pointer(&data[0]))%uintptr(size) != 0:
		return r, false
	case len(dims) == 1:
	case last.N != columns:
		return r, false
	default:
		r.Step = int(dims[0].Stride)
	}
	return r, true
}

// loadColumns reads a matrix of n rows that lies in memory column by column, step bytes apart. It returns how many
// columns it has read.
func loadColumns(out []uint64, data []byte, size uint64, n, row, step int) int {
	k := vector.LoadColumns(size)
	if k == nil || n%vector.ColumnRows != 0 {
		return 0
	}
	j := 0
	for ; j+vector.Columns <= row; j += vector.Columns {
		k(out[j:], data[j*step:], n, row, step)
	}
	return j
}

// storeBox is the inverse of loadBox.
func storeBox(data []byte, in []uint64, dims []memory.Dim, size uint64) {
	if len(dims) == 1 {
		storeRow(data, in, size, int(dims[0].Stride))
		return
	}
	n, step := int(dims[0].N), int(dims[0].Stride)
	row := len(in) / n
	for i := range n {
		storeBox(data[i*step:], in[i*row:][:row], dims[1:], size)
	}
}

// plain returns the bytes of n elements at addr, step bytes apart, if no element needs a check of its own. Else it
// returns nil.
//
// Most accesses are rows of a tile in one buffer. They are found once, and copied by a loop without checks. Whatever
// makes an element special takes the path element by element, whose errors name the element: races, strong accesses,
// halves of bytes, memory without values.
func (c Cell) plain(m *core.Machine, addr uint64, n int, step int64, write bool) []byte {
	if !c.simple(m, write) || step < 0 || addr&(c.size-1) != 0 {
		return nil
	}
	// One search for the entire row. A row that spans two buffers has a gap in it, and takes the slow path to its
	// error.
	length := uint64(n-1)*uint64(step) + c.size
	b, err := m.Mem.Find(addr, length)
	if err != nil || write && b.ReadOnly || c.seen(m, b, addr, length, write) != nil {
		return nil
	}
	off := addr - b.Addr
	if !write && !b.RowHasValue(off, n, c.size, step) {
		return nil
	}
	// A row of a gather is one run, of which all or nothing is noted.
	if m.Race != nil && addr+length > c.noted && (addr < c.noted || uint64(step) != c.size || m.Race.Tile(addr, c.size, []memory.Dim{{N: int64(n), Stride: 1}}, write) != races.Everywhere) {
		return nil
	}
	if write {
		b.SetRow(off, n, c.size, step)
	}
	if write && b.Segment != nil {
		b.Segment.MarkWritten()
	}
	if write && m.Program.Bulk {
		m.Mem.Stored.Mark(addr, length, c.op)
	}
	return b.Data[off:][:length]
}

// loadRow reads elements that are step bytes apart. The next row of the tile is so many bytes further on.
func loadRow(out []uint64, data []byte, size uint64, step, next int) {
	if k := vector.Load(size); k != nil && step == int(size) {
		done := k(out, data, 1, 0, vector.RowsAhead*next)
		out, data = out[done:], data[done*step:]
	}
	switch {
	case size == 4 && step == 4:
		for i := range out {
			out[i] = uint64(binary.LittleEndian.Uint32(data[4*i:]))
		}
	case size == 2 && step == 2:
		for i := range out {
			out[i] = uint64(binary.LittleEndian.Uint16(data[2*i:]))
		}
	case size == 8 && step == 8:
		for i := range out {
			out[i] = binary.LittleEndian.Uint64(data[8*i:])
		}
	case size == 4:
		for i := range out {
			out[i] = uint64(binary.LittleEndian.Uint32(data[i*step:]))
		}
	case size == 2:
		for i := range out {
			out[i] = uint64(binary.LittleEndian.Uint16(data[i*step:]))
		}
	default:
		for i := range out {
			at := i * step
			out[i] = values.FromBytes(data[at : at+int(size)])
		}
	}
}

// storeRow writes elements that are step bytes apart.
func storeRow(data []byte, in []uint64, size uint64, step int) {
	if k := vector.Store(size); k != nil && step == int(size) {
		done := k(data, in)
		data, in = data[done*step:], in[done:]
	}
	switch {
	case size == 4 && step == 4:
		for i, x := range in {
			binary.LittleEndian.PutUint32(data[4*i:], uint32(x))
		}
	case size == 2 && step == 2:
		for i, x := range in {
			binary.LittleEndian.PutUint16(data[2*i:], uint16(x))
		}
	default:
		for i, x := range in {
			at := i * step
			values.ToBytes(data[at:at+int(size)], x)
		}
	}
}
