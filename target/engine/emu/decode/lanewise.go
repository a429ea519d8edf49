package decode

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

// WholeWarp makes f an instruction that all lanes must execute together.
//
// The ISA calls these instructions .aligned: that a warp is divergent at one is undefined there.
func (d *Decoder) WholeWarp(f machine.Exec) {
	name := d.Stmt.Op
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		if m != machine.Full {
			w.Faultf(machine.FirstLane(m), "'%s' needs all 32 lanes, but only lanes %#x execute it", name, m)
			return
		}
		f(w, m)
	}
}

// Move copies a register, or a constant into one.
func Move(dst int32, a machine.Src) machine.Exec {
	return func(w *machine.Warp, m uint32) {
		D, A := w.Reg(dst), w.Lanes(a)
		if m == machine.Full {
			*D = *A
			return
		}
		for m != 0 {
			i := machine.Next(&m)
			D[i] = A[i]
		}
	}
}

// The map functions apply a scalar function to the active lanes. A lane that equals the one before has its result: where
// MMAs compute nothing, as in samples for an estimate, all lanes of most registers are equal.

// Map1 applies a function of one source to the active lanes.
func Map1(d int32, a machine.Src, f func(a uint64) uint64) machine.Exec {
	return func(w *machine.Warp, m uint32) {
		D, A := w.Reg(d), w.Lanes(a)
		if m == machine.Full {
			last, is := A[0], f(A[0])
			for i := range D {
				if a := A[i]; a != last {
					last, is = a, f(a)
				}
				D[i] = is
			}
			return
		}
		for m != 0 {
			i := machine.Next(&m)
			D[i] = f(A[i])
		}
	}
}

// The loop over all lanes is separate because it tests no masks. With a full warp, which is the usual case, it is a
// plain loop over three arrays. The scalar function is called through a pointer for each lane; the commonest integer
// instructions have their loops written out instead (see package arith).
func Map2(d int32, a, b machine.Src, f func(a, b uint64) uint64) machine.Exec {
	return func(w *machine.Warp, m uint32) {
		D, A, B := w.Reg(d), w.Lanes(a), w.Lanes(b)
		if m == machine.Full {
			lastA, lastB, is := A[0], B[0], f(A[0], B[0])
			for i := range D {
				if a, b := A[i], B[i]; a != lastA || b != lastB {
					lastA, lastB, is = a, b, f(a, b)
				}
				D[i] = is
			}
			return
		}
		for m != 0 {
			i := machine.Next(&m)
			D[i] = f(A[i], B[i])
		}
	}
}

// Map3 is Map2 with three sources.
func Map3(d int32, a, b, c machine.Src, f func(a, b, c uint64) uint64) machine.Exec {
	return func(w *machine.Warp, m uint32) {
		D, A, B, C := w.Reg(d), w.Lanes(a), w.Lanes(b), w.Lanes(c)
		if m == machine.Full {
			for i := range D {
				D[i] = f(A[i], B[i], C[i])
			}
			return
		}
		for m != 0 {
			i := machine.Next(&m)
			D[i] = f(A[i], B[i], C[i])
		}
	}
}

// Full2 returns what executes f where all lanes are active, and else rest, which does the same. Without an f that is
// rest alone.
func Full2(d int32, a, b machine.Src, f func(d, a, b *machine.Lanes), rest machine.Exec) machine.Exec {
	if f == nil {
		return rest
	}
	return func(w *machine.Warp, m uint32) {
		if m != machine.Full {
			rest(w, m)
			return
		}
		f(w.Reg(d), w.Lanes(a), w.Lanes(b))
	}
}

// Full3 is Full2 with three sources.
func Full3(d int32, a, b, c machine.Src, f func(d, a, b, c *machine.Lanes), rest machine.Exec) machine.Exec {
	if f == nil {
		return rest
	}
	return func(w *machine.Warp, m uint32) {
		if m != machine.Full {
			rest(w, m)
			return
		}
		f(w.Reg(d), w.Lanes(a), w.Lanes(b), w.Lanes(c))
	}
}
