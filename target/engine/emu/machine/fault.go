package machine

import (
	"fmt"
	"math/bits"

	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Fault is an error of the program that a launch ran.
//
// Only the first fault counts: the ones after it are its consequences, and the lanes after it have not executed.
type Fault struct {
	Module      string
	Line        int
	Instruction string
	CTA, Thread [3]uint32
	Msg         string
	Kind        string  // "out-of-bounds", "misaligned", "read-only", "assert"; "": any other
	Source      []Place // where in the source that .loc lines name, and after it its callers
	Address     *uint64 // in global memory, of the access; nil: the fault is about none

	settled bool // line and thread are those of an asynchronous operation
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s:%d: '%s': %s (cta %d,%d,%d thread %d,%d,%d)", f.Module, f.Line, f.Instruction, f.Msg,
		f.CTA[0], f.CTA[1], f.CTA[2], f.Thread[0], f.Thread[1], f.Thread[2])
}

// Faultf records the first fault of a warp.
func (w *Warp) Faultf(lane int, format string, args ...any) {
	if w.Err != nil {
		return
	}
	f := &Fault{Module: w.Program.Module.Name, CTA: w.CTA.ID, Thread: w.thread(lane), Msg: fmt.Sprintf(format, args...)}
	if w.Cur != nil && int(w.Cur.pc) < len(w.Program.Code) {
		s := w.Program.Code[w.Cur.pc].Stmt
		f.Line, f.Instruction, f.Source = int(s.Pos.Line), s.Text, places(w.Program.Module, s.Loc)
	}
	w.Err = f
}

// places returns a place of the source and those that it was inlined at, from the inside out.
func places(m *syntax.Module, l syntax.Loc) (out []Place) {
	for range maxCallers {
		if l.File == 0 || l.Line == 0 {
			break
		}
		file, ok := m.Files[l.File]
		if !ok {
			file = fmt.Sprintf("file %d", l.File)
		}
		out = append(out, Place{File: file, Line: int(l.Line), Column: int(l.Column)})
		if l.Caller == 0 {
			break
		}
		l = m.Callers[l.Caller-1]
	}
	return out
}

// maxCallers bounds how many callers a fault names: a file may say that a call is inlined at itself.
const maxCallers = 64

// FaultOf is Faultf with a kind.
func (w *Warp) FaultOf(kind string, lane int, format string, args ...any) {
	if w.Err == nil {
		w.Faultf(lane, format, args...)
		w.Err.Kind = kind
	}
}

// faultAt is FaultOf for an access at an address of a state space.
func (w *Warp) faultAt(kind string, lane int, sp syntax.Space, addr uint64, format string, args ...any) {
	if w.Err != nil {
		return
	}
	w.FaultOf(kind, lane, format, args...)
	if sp == syntax.Global || sp == syntax.Const {
		w.Err.Address = &addr
	}
}

// Settle makes the warp's fault, if it has one, that of an operation which a lane issued earlier. The instruction that
// is current when an asynchronous operation takes effect has nothing to do with it.
func (w *Warp) Settle(lane int, s *syntax.Stmt) {
	if f := w.Err; f != nil && !f.settled {
		f.Line, f.Instruction, f.Thread, f.settled = int(s.Pos.Line), s.Text, w.thread(lane), true
		f.Source = places(w.Program.Module, s.Loc)
	}
}

// uninitialised reports the first register that in reads before any write.
//
// The test in the hot loop is a mask; which register it was is searched only now, by trying all names.
func (w *Warp) uninitialised(in *Inst, m uint32) {
	s := in.Stmt
	report := func(name string, slot int32, lanes uint32) {
		for _, q := range []struct {
			name   string
			queue  *RegisterQueue
			stream Stream
		}{{"wgmma", &w.MMAs, Wgmma}, {"tcgen05.ld", &w.Loads, TensorLoads}} {
			if q.queue.Writes(slot) {
				if w.watch != nil {
					w.watch.Early(q.stream)
				}
				w.Faultf(bits.TrailingZeros32(lanes), "register '%s' is read while an asynchronous '%s' that writes it is in flight", name, q.name)
			}
		}
		w.Faultf(bits.TrailingZeros32(lanes), "register '%s' is read before it is written", name)
	}
	for sym, slot := range w.Program.Slots {
		var bad uint32
		switch {
		case sym.Type == syntax.Pred && usesPred(in, slot):
			bad = m &^ w.PredInit[slot]
		case sym.Type != syntax.Pred && contains(in.Uses, slot):
			bad = m &^ w.Init[slot]
			if sym.Type.Bits() > 64 {
				bad |= m &^ w.Init[slot+1]
			}
		}
		if bad != 0 {
			report(sym.Name, slot, bad)
			return
		}
	}
	w.Faultf(bits.TrailingZeros32(m), "'%s' reads a register before it is written", s.Op)
}

func usesPred(in *Inst, slot int32) bool {
	return contains(in.PredUses, slot) || in.Guarded && in.Guard.Slot == slot
}

func contains(list []int32, x int32) bool {
	for _, v := range list {
		if v == x {
			return true
		}
	}
	return false
}
