package prunetokens

import "github.com/tilewright/tilewright/ir"

// marks is a set of values that is emptied in constant time: each value has the number of the round in which it
// was added. Every access begins a set of its own. A new map for each took longer than the walk itself.
type marks struct {
	at    []uint32
	round uint32
}

// again empties the set.
// After 2^32 rounds, old numbers would count as new.
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
