package machine

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

// turn is the length of a warp's next turn.
//
// The length is uniform on a logarithmic scale, up to 256: many turns of a few instructions, which interleave warps
// finely, and some long ones, in which a warp runs far ahead. A uniform length would almost never be short.
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
