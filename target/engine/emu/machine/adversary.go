package machine

import "github.com/tilewright/tilewright/target/engine/emu/syntax"

// The functions below are the moves of the adversary.

// Chance is true once in n times, and never outside of adversarial mode.
//
// The choices come from one generator for each cluster, seeded by the launch and the number of the cluster. So they
// do not depend on which worker runs it, and a failure can be repeated from its seed.
func (g *Cluster) Chance(n int) bool { return g.Rng != nil && g.Rng.IntN(n) == 0 }

func (g *Cluster) shuffle() {
	if g.Rng != nil {
		g.Rng.Shuffle(len(g.order), func(i, j int) { g.order[i], g.order[j] = g.order[j], g.order[i] })
	}
}

// turn is how many instructions a warp executes before the next one runs.
//
// The length is uniform on a logarithmic scale, up to 256. Many short ones interleave warps finely, and in some long
// ones a warp leaves the others far apart. A uniform length would almost never be short.
func (g *Cluster) turn() int {
	if g.Rng != nil {
		return 1 + g.Rng.IntN(1<<g.Rng.IntN(9))
	}
	return slice
}

// Poison fills memory that starts undefined: with zeros, or with a pattern
// that is NaN in every floating-point format and no valid address.
//
// All ones are also minus one as an integer, so that an index made of it is out of bounds. Without the adversary
// memory starts as zeros, as it often does on hardware, so that programs which pass by luck pass here too unless they
// are put to the test.
func (g *Cluster) Poison(b []byte) {
	if g.Rng == nil {
		clear(b)
		return
	}
	for i := range b {
		b[i] = 0xff
	}
}

// scramble fills registers that may be read before they are written: with zeros, or with anything.
//
// Anything, and not poison: what is read so comes from lanes that a mask leaves out, say, and no pattern is better than
// another at showing that it matters.
func (g *Cluster) scramble(w *Warp) {
	clear(w.Regs)
	clear(w.Preds)
	w.Preds[PredTrue] = Full
	if g.Rng == nil {
		return
	}
	// A narrow register holds zeros above its bits, which instructions rely on.
	widths := make([]int, len(w.Regs))
	preds := make([]bool, len(w.Preds))
	for sym, slot := range w.Program.Slots {
		if sym.Type == syntax.Pred {
			preds[slot] = true
			continue
		}
		widths[slot] = min(sym.Type.Bits(), 64)
		if sym.Type.Bits() > 64 {
			widths[slot+1] = sym.Type.Bits() - 64
		}
	}
	for i, bits := range widths {
		if bits == 0 {
			continue
		}
		for l := range w.Regs[i] {
			w.Regs[i][l] = g.Rng.Uint64() >> (64 - bits)
		}
	}
	for i, declared := range preds {
		if declared {
			w.Preds[i] = g.Rng.Uint32()
		}
	}
}
