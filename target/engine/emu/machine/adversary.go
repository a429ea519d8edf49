package machine

// The functions below are the moves of the adversary.

// Chance is true once in n times, and never outside of adversarial mode.
func (g *Cluster) Chance(n int) bool { return g.Rng != nil && g.Rng.IntN(n) == 0 }

func (g *Cluster) shuffle() {
	if g.Rng != nil {
		g.Rng.Shuffle(len(g.order), func(i, j int) { g.order[i], g.order[j] = g.order[j], g.order[i] })
	}
}

// turn is the length of a warp's next turn.
func (g *Cluster) turn() int {
	if g.Rng != nil {
		return 1 + g.Rng.IntN(1<<g.Rng.IntN(9))
	}
	return slice
}

// Poison fills memory that starts undefined: with zeros, or with a pattern
// that is NaN in every floating-point format and no valid address.
func (g *Cluster) Poison(b []byte) {
	if g.Rng == nil {
		clear(b)
		return
	}
	for i := range b {
		b[i] = 0xff
	}
}
