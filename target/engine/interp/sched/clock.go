package sched

// A Clock holds a time of each warp role: what a role did up to that time has been seen.
type Clock []uint64

// Joined returns the join of two clocks, either of which may be nil. It may change and return c.
func (c Clock) Joined(d Clock) Clock {
	if c == nil {
		return d
	}
	c.Join(d)
	return c
}

// Join makes c have seen what d has.
func (c Clock) Join(d Clock) {
	for i, t := range d {
		c[i] = max(c[i], t)
	}
}
