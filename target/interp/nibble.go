package interp

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// Elements of four bits lie in memory two to a byte, the first in the lower half. Only views can address them. Neighbours may belong
// to different tile blocks, so every access holds the lock of its byte.

// nibbles marks the addresses of halves of bytes, where races are looked for.
const nibbles = 1 << 63

// nibble calls f with the byte of element number offset from base, and how far its bits are shifted.
func (m *machine) nibble(base uint64, offset int64, write bool, f func(b *byte, shift int, written *bool)) error {
	addr := base + uint64(offset>>1)
	buf, err := m.find(addr, 1)
	if err != nil {
		return err
	}
	if write && buf.readOnly {
		return fmt.Errorf("address 0x%x is in %s, which is constant", addr, buf.name)
	}
	if m.race != nil {
		if err := m.race.access(addr<<1|uint64(offset&1)|nibbles, 1, write); err != nil {
			return err
		}
	}
	var written *bool
	if buf.written != nil {
		written = &buf.written[addr-buf.addr]
	}
	l := m.mem.lock(addr)
	l.Lock()
	defer l.Unlock()
	f(&buf.data[addr-buf.addr], int(offset&1)*4, written)
	return nil
}

func (d *decoder) loadNibbles(op ir.Op, v *viewing) (func(*machine) error, error) {
	out, n := d.result(op, 0), count(v.shape)
	pad, padded := padding(op.OperandNamed("view").Type().(cudatile.ViewType))
	return func(m *machine) error {
		w, err := v.window(m)
		if err != nil {
			return err
		}
		r := m.alloc(n)
		m.put(out, r)
		stride := w.stride[len(w.stride)-1]
		return w.runs(func(row run) error {
			for i := row.first; i < row.first+row.n; i++ {
				if i >= row.first+row.inside {
					if r.data[i] = pad; !padded {
						r.markUndef(i)
					}
					continue
				}
				err := m.nibble(w.base, row.offset+int64(i-row.first)*stride, false, func(b *byte, shift int, written *bool) {
					if r.data[i] = uint64(*b >> shift & 15); written != nil && !*written {
						r.markUndef(i)
					}
				})
				if err != nil {
					return op.Errorf("%s: %v", place(v.shape, i), err)
				}
			}
			return nil
		})
	}, nil
}

func (d *decoder) storeNibbles(op ir.Op, v *viewing) (func(*machine) error, error) {
	tile := d.slot(op.OperandNamed("tile"))
	return func(m *machine) error {
		w, err := v.window(m)
		if err != nil {
			return err
		}
		x := m.vals[tile]
		stride := w.stride[len(w.stride)-1]
		return w.runs(func(row run) error {
			for i := row.first; i < row.first+row.inside; i++ {
				if x.isUndef(i) {
					return unspecified(op, v.shape, i)
				}
				err := m.nibble(w.base, row.offset+int64(i-row.first)*stride, true, func(b *byte, shift int, written *bool) {
					*b = *b&^(15<<shift) | byte(x.data[i]&15)<<shift
					if written != nil {
						*written = true
					}
				})
				if err != nil {
					return op.Errorf("%s: %v", place(v.shape, i), err)
				}
			}
			return nil
		})
	}, nil
}
