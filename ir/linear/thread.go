package linear

import "slices"

// ThreadFn is a linear function of the thread, which code computes at run time. Its value is the XOR of the entries of
// the bits that are set in the lane, warp and block numbers.
type ThreadFn struct {
	Lane, Warp, Block []uint32
}

// threadFn takes the given axis out of the images of the thread bits of m.
func threadFn(m Map, to Axis) ThreadFn {
	read := func(a Axis) []uint32 { return narrow(m.component(a, to)) }
	return ThreadFn{read(Lane), read(Warp), read(Block)}
}

func narrow(cols []uint64) []uint32 {
	out := make([]uint32, len(cols))
	for i, c := range cols {
		out[i] = uint32(c)
	}
	return out
}

// At evaluates the function.
func (f ThreadFn) At(lane, warp, block uint32) uint32 {
	return dot(f.Lane, lane) ^ dot(f.Warp, warp) ^ dot(f.Block, block)
}

func dot(cols []uint32, v uint32) uint32 {
	var out uint32
	for i, c := range cols {
		if v>>i&1 != 0 {
			out ^= c
		}
	}
	return out
}

// IsZero reports whether the function is zero for every thread.
func (f ThreadFn) IsZero() bool { return f.support() == 0 }

// support returns the bits that the function can set.
func (f ThreadFn) support() uint32 {
	var out uint32
	for _, cols := range [...][]uint32{f.Lane, f.Warp, f.Block} {
		for _, c := range cols {
			out |= c
		}
	}
	return out
}

// isLane reports whether the function is the number of the lane.
func (f ThreadFn) isLane() bool {
	for i, c := range f.Lane {
		if c != 1<<i {
			return false
		}
	}
	return ThreadFn{Warp: f.Warp, Block: f.Block}.IsZero()
}

// Stage is one term of a ThreadFn: Xor, in the threads where the number of set
// bits in lane&Lane, warp&Warp and block&Block together is odd.
type Stage struct {
	Xor               uint32
	Lane, Warp, Block uint32
}

// Stages writes the function as the XOR of the fewest terms. A permutation of
// registers r -> r^f takes one round of selects per stage.
func (f ThreadFn) Stages() []Stage {
	// The rows are a reduced echelon form of the values: no row has the leading bit of another. So v^r < v says that v
	// has the leading bit of r, and therefore that r takes part in v.
	all := slices.Concat(f.Lane, f.Warp, f.Block)
	var rows []uint32
	for _, v := range all {
		for _, r := range rows {
			v = min(v, v^r)
		}
		if v == 0 {
			continue
		}
		for i, r := range rows {
			rows[i] = min(r, r^v)
		}
		rows = append(rows, v)
	}
	slices.Sort(rows)
	slices.Reverse(rows)
	out := make([]Stage, len(rows))
	for i, r := range rows {
		out[i].Xor = r
	}
	collect := func(cols []uint32, mask func(*Stage) *uint32) {
		for bit, v := range cols {
			for i, r := range rows {
				if v^r < v {
					v ^= r
					*mask(&out[i]) |= 1 << bit
				}
			}
		}
	}
	collect(f.Lane, func(s *Stage) *uint32 { return &s.Lane })
	collect(f.Warp, func(s *Stage) *uint32 { return &s.Warp })
	collect(f.Block, func(s *Stage) *uint32 { return &s.Block })
	return out
}
