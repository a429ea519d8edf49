package emu

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"unsafe"
)

// Generic addresses of the spaces other than global start at these bases.
// A shared address carries the rank of its CTA in the cluster above bit 24, that
// of a variable too: kernels clear bit 24 to address the even CTA of a pair.
const (
	windowShared = 0x0100_0000_0000
	windowLocal  = 0x0200_0000_0000
	windowParam  = 0x0300_0000_0000
	windowSize   = 0x0100_0000_0000
	clusterShift = 24
)

// classify finds the space of a generic address and its address there.
func classify(addr uint64) (space, uint64) {
	switch addr &^ (windowSize - 1) {
	case windowShared:
		return spShared, addr - windowShared
	case windowLocal:
		return spLocal, addr - windowLocal
	case windowParam:
		return spParam, addr - windowParam
	}
	return spGlobal, addr
}

// at returns the n bytes at addr of a space as one lane sees them, or nil
// after recording a fault. n is a power of two and the access must be
// naturally aligned.
func (w *warp) at(sp space, addr uint64, n int, lane int, write bool) []byte {
	if sp == spGlobal {
		if a := w.recent; a != nil {
			if off := addr - a.base; off <= uint64(len(a.data)) && uint64(n) <= uint64(len(a.data))-off && addr&uint64(n-1) == 0 && !(write && a.constant) {
				return a.data[off:][:n:n]
			}
		}
	}
	return w.span(sp, addr, n, n, lane, write)
}

// span is at for n bytes, any number, that are aligned to align.
func (w *warp) span(sp space, addr uint64, n, align, lane int, write bool) []byte {
	in := sp
	if sp == spGeneric {
		sp, addr = classify(addr)
		in = sp
	}
	verb := "read"
	if write {
		verb = "write"
	}
	if addr&uint64(align-1) != 0 {
		w.faultf(lane, "misaligned %s %s of %d bytes at %s", in, verb, n, w.describe(sp, addr))
		return nil
	}
	var b []byte
	switch sp {
	case spGlobal, spConst:
		a := w.cta.run.mem.find(addr)
		if a == nil || addr-a.base >= uint64(len(a.data)) {
			break
		}
		if write && a.constant {
			w.faultf(lane, "write to constant memory at %s", w.describe(sp, addr))
			return nil
		}
		w.recent = a
		b = a.data
		addr -= a.base
	case spShared:
		c := w.cta
		if rank := addr >> clusterShift; rank != uint64(c.rank) {
			if rank >= uint64(len(c.group.ctas)) {
				break
			}
			c = c.group.ctas[rank]
		}
		addr &= 1<<clusterShift - 1
		if w.prog.asyncReads && addr < uint64(len(c.shared)) && uint64(n) <= uint64(len(c.shared))-addr && !w.throughProxy(c, addr, n, lane, write) {
			return nil
		}
		b = c.shared
	case spLocal:
		size := uint64(w.prog.localSize)
		if addr < size {
			b = w.local[uint64(lane)*size:][:size]
		}
	case spParam:
		if write {
			w.faultf(lane, "write to the kernel parameters at offset %d", addr)
			return nil
		}
		b = w.cta.run.params
	}
	if addr > uint64(len(b)) || uint64(n) > uint64(len(b))-addr {
		w.faultf(lane, "%s %s of %d bytes is out of bounds: %s", in, verb, n, w.describe(sp, addr))
		return nil
	}
	return b[addr:][:n:n]
}

func (w *warp) describe(sp space, addr uint64) string {
	switch sp {
	case spGlobal, spConst:
		return w.cta.run.mem.describe(addr)
	case spShared:
		return fmt.Sprintf("shared address %#x of %d bytes", addr, len(w.cta.shared))
	case spLocal:
		return fmt.Sprintf("local address %#x of %d bytes", addr, w.prog.localSize)
	}
	return fmt.Sprintf("parameter offset %#x of %d bytes", addr, len(w.cta.run.params))
}

// get reads a little-endian value of 1, 2, 4 or 8 bytes.
func get(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

func put(b []byte, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// word returns the aligned 32-bit word that holds b, of one or two bytes,
// and the position of b in it. Every buffer is padded and aligned so that
// the whole word belongs to it.
func word(b []byte) (p *uint32, shift int) {
	u := uintptr(unsafe.Pointer(&b[0]))
	lead := u & 3
	return (*uint32)(unsafe.Add(unsafe.Pointer(&b[0]), -int(lead))), int(lead) * 8
}

// getStrong reads as get does, as one atomic access.
func getStrong(b []byte) uint64 {
	switch len(b) {
	case 1, 2:
		p, shift := word(b)
		return uint64(atomic.LoadUint32(p)>>shift) & mask(8*len(b))
	case 4:
		return uint64(atomic.LoadUint32((*uint32)(unsafe.Pointer(&b[0]))))
	}
	return atomic.LoadUint64((*uint64)(unsafe.Pointer(&b[0])))
}

// update replaces the value at b by f of it, atomically, and returns the
// old value.
func update(b []byte, f func(old uint64) uint64) uint64 {
	switch len(b) {
	case 1, 2:
		p, shift := word(b)
		ones := uint32(mask(8*len(b))) << shift
		for {
			old := atomic.LoadUint32(p)
			v := uint64(old&ones) >> shift
			if atomic.CompareAndSwapUint32(p, old, old&^ones|uint32(f(v))<<shift&ones) {
				return v
			}
		}
	case 4:
		p := (*uint32)(unsafe.Pointer(&b[0]))
		for {
			old := atomic.LoadUint32(p)
			if atomic.CompareAndSwapUint32(p, old, uint32(f(uint64(old)))) {
				return uint64(old)
			}
		}
	}
	p := (*uint64)(unsafe.Pointer(&b[0]))
	for {
		old := atomic.LoadUint64(p)
		if atomic.CompareAndSwapUint64(p, old, f(old)) {
			return old
		}
	}
}

// putStrong writes as put does, as one atomic access.
func putStrong(b []byte, v uint64) {
	switch len(b) {
	case 1, 2:
		update(b, func(uint64) uint64 { return v })
	case 4:
		atomic.StoreUint32((*uint32)(unsafe.Pointer(&b[0])), uint32(v))
	default:
		atomic.StoreUint64((*uint64)(unsafe.Pointer(&b[0])), v)
	}
}

// alignedBytes makes a zeroed byte slice whose words can be accessed
// atomically.
func alignedBytes(n int) []byte {
	words := make([]uint64, (n+15)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
}
