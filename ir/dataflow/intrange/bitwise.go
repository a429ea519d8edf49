package intrange

// Bounds of bitwise operations on unsigned intervals. Below the first bit in which the ends of one interval differ,
// its bits can be chosen freely. So one pass from the top bit finds the operands that attain the bound.

func (t *transfer) or(a, b part) { t.pattern(t.w, minOr(a, b), maxOr(a, b)) }

func (t *transfer) and(a, b part) {
	x, y := t.complement(a), t.complement(b)
	t.pattern(t.w, t.w.Wrap(^maxOr(x, y)), t.w.Wrap(^minOr(x, y)))
}

func (t *transfer) complement(p part) part { return part{t.w.Wrap(^p.hi), t.w.Wrap(^p.lo)} }

// xor adds the exclusive disjunctions: bits that are the same throughout both operands are known.
// Coarser than Warren's bounds of xor, which need a search for each end as those below do.
func (t *transfer) xor(a, b part) {
	fixed := ^(spread(a) | spread(b))
	known := (a.lo ^ b.lo) & fixed
	t.pattern(t.w, t.w.Wrap(known), t.w.Wrap(known|^fixed))
}

// spread has the bits set in which numbers of the interval may differ.
func spread(p part) uint64 {
	x := p.lo ^ p.hi
	for s := 1; s < 64; s *= 2 {
		x |= x >> s
	}
	return x
}

// Hacker's Delight, section 4-3: the topmost bit that one operand can set for the sake of a bit that the other has
// anyway lets all bits below it be zero.
func minOr(a, b part) uint64 {
	for m := uint64(1) << 63; m != 0; m >>= 1 {
		if ^a.lo&b.lo&m != 0 {
			if lo := (a.lo | m) &^ (m - 1); lo <= a.hi {
				a.lo = lo
				break
			}
		} else if a.lo&^b.lo&m != 0 {
			if lo := (b.lo | m) &^ (m - 1); lo <= b.hi {
				b.lo = lo
				break
			}
		}
	}
	return a.lo | b.lo
}

func maxOr(a, b part) uint64 {
	for m := uint64(1) << 63; m != 0; m >>= 1 {
		if a.hi&b.hi&m == 0 {
			continue
		}
		if hi := (a.hi - m) | (m - 1); hi >= a.lo {
			a.hi = hi
			break
		}
		if hi := (b.hi - m) | (m - 1); hi >= b.lo {
			b.hi = hi
			break
		}
	}
	return a.hi | b.hi
}
