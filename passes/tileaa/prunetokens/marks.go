package prunetokens

import "github.com/tilewright/tilewright/ir"

// marks is a set of values of a kernel that is emptied in no time: each value has the number of the use of the set that it was added in. Every access begins a set of its own, of what it looks
// at, and a new map for each of them took longer than the looking.
type marks struct {
	at    []uint32
	round uint32
}

// again empties the set.
func (m *marks) again() *marks {
	if m.round++; m.round == 0 {
		clear(m.at)
		m.round = 1
	}
	return m
}

// add reports whether the value was not in the set.
func (m *marks) add(v ir.Value) bool {
	id := v.ID()
	for len(m.at) <= id {
		m.at = append(m.at, 0)
	}
	if m.at[id] == m.round {
		return false
	}
	m.at[id] = m.round
	return true
}

func (m *marks) has(v ir.Value) bool { return v.ID() < len(m.at) && m.at[v.ID()] == m.round }
