package ir

import "testing"

// Two storages of the usual kinds, for comparison only: they hold what the arena holds, and keep the same use lists.

// structStorage has a struct and slices for each operation.
type structStorage struct {
	first, last *structOp
	n           int
}

type structOp struct {
	def        *OpDef
	loc        Location
	prev, next *structOp
	operands   []*structUse
	results    []*structValue
	// Room for what the benchmark does not use: order in the block, attributes, regions, successors.
	_ int
	_ []Attribute
	_ [2][]*structOp
}

type structValue struct {
	typ  Type
	def  *structOp
	idx  int
	uses []*structUse
}

type structUse struct {
	value *structValue
	owner *structOp
	idx   int
	at    int // position in value.uses
}

func (u *structUse) set(v *structValue) {
	if old := u.value; old != nil {
		last := old.uses[len(old.uses)-1]
		old.uses[u.at], last.at = last, u.at
		old.uses = old.uses[:len(old.uses)-1]
	}
	if u.value = v; v != nil {
		u.at = len(v.uses)
		v.uses = append(v.uses, u)
	}
}

func (s *structStorage) build(n int) {
	c := NewContext(testDialect)
	i32, loc := Type(c.Int(32)), Location(c.UnknownLoc())
	values := make([]*structValue, n)
	for i := range n {
		op := &structOp{def: testAdd, loc: loc, prev: s.last}
		v := &structValue{typ: i32, def: op}
		op.results = []*structValue{v}
		values[i] = v
		for k, from := range [2]int{max(i-1, 0), near(i)} {
			u := &structUse{owner: op, idx: k}
			if i > 0 {
				u.set(values[from])
			}
			op.operands = append(op.operands, u)
		}
		if s.last != nil {
			s.last.next = op
		} else {
			s.first = op
		}
		s.last = op
	}
	s.n = n
}

func (s *structStorage) walk() int {
	n, uses := 0, 0
	for op := s.first; op != nil; op = op.next {
		n++
		for _, u := range op.operands {
			if u.value != nil {
				uses += u.value.idx
			}
		}
	}
	return n + uses
}

func (s *structStorage) replaceAll() {
	i := 0
	for op := s.first; op != nil; op = op.next {
		if i&1 == 1 {
			from, to := op.results[0], op.prev.results[0]
			for len(from.uses) > 0 {
				from.uses[len(from.uses)-1].set(to)
			}
		}
		i++
	}
}

func (s *structStorage) eraseOdd() {
	i := 0
	for op := s.first; op != nil; op = op.next {
		if i&1 == 1 {
			for _, u := range op.operands {
				u.set(nil)
			}
			op.prev.next = op.next
			if op.next != nil {
				op.next.prev = op.prev
			} else {
				s.last = op.prev
			}
			s.n--
		}
		i++
	}
}

func (s *structStorage) operations() int { return s.n }

// slabStorage has pages of records that point to each other, with room for three operands and a result in the
// operation.
type slabStorage struct {
	first, last *slabOp
	slab        []slabOp
	n           int
}

const slabSize = 512

type slabOp struct {
	def        *OpDef
	loc        Location
	prev, next *slabOp
	operands   [3]slabUse
	result     slabValue
	nOperands  uint32
	nResults   uint32
	// Room for what the benchmark does not use: more operands and results, attributes, order in the block.
	_ []slabUse
	_ []slabValue
	_ []Attribute
	_ uint32
}

type slabValue struct {
	typ   Type
	def   *slabOp
	first *slabUse
}

type slabUse struct {
	value      *slabValue
	owner      *slabOp
	prev, next *slabUse
}

func (u *slabUse) set(v *slabValue) {
	if u.value != nil {
		if u.prev != nil {
			u.prev.next = u.next
		} else {
			u.value.first = u.next
		}
		if u.next != nil {
			u.next.prev = u.prev
		}
		u.prev, u.next = nil, nil
	}
	if u.value = v; v != nil {
		if u.next = v.first; u.next != nil {
			u.next.prev = u
		}
		v.first = u
	}
}

func (s *slabStorage) build(n int) {
	c := NewContext(testDialect)
	i32, loc := Type(c.Int(32)), Location(c.UnknownLoc())
	ops := make([]*slabOp, n)
	for i := range n {
		if len(s.slab) == 0 {
			s.slab = make([]slabOp, slabSize)
		}
		op := &s.slab[0]
		s.slab = s.slab[1:]
		ops[i] = op
		op.def, op.loc, op.nOperands, op.nResults, op.prev = testAdd, loc, 2, 1, s.last
		op.result = slabValue{typ: i32, def: op}
		for k, from := range [2]int{max(i-1, 0), near(i)} {
			op.operands[k].owner = op
			if i > 0 {
				op.operands[k].set(&ops[from].result)
			}
		}
		if s.last != nil {
			s.last.next = op
		} else {
			s.first = op
		}
		s.last = op
	}
	s.n = n
}

func (s *slabStorage) walk() int {
	n, uses := 0, 0
	for op := s.first; op != nil; op = op.next {
		n++
		for i := range op.nOperands {
			if v := op.operands[i].value; v != nil && v.def == nil {
				uses++
			}
		}
	}
	return n + uses
}

func (s *slabStorage) replaceAll() {
	i := 0
	for op := s.first; op != nil; op = op.next {
		if i&1 == 1 {
			for op.result.first != nil {
				op.result.first.set(&op.prev.result)
			}
		}
		i++
	}
}

func (s *slabStorage) eraseOdd() {
	i := 0
	for op := s.first; op != nil; op = op.next {
		if i&1 == 1 {
			for k := range op.nOperands {
				op.operands[k].set(nil)
			}
			op.prev.next = op.next
			if op.next != nil {
				op.next.prev = op.prev
			} else {
				s.last = op.prev
			}
			s.n--
		}
		i++
	}
}

func (s *slabStorage) operations() int { return s.n }

// The three storages do the same.
func TestStoragesAgree(t *testing.T) {
	t.Parallel()
	for _, s := range []benchStorage{&arenaStorage{}, &structStorage{}, &slabStorage{}} {
		s.build(1000)
		if n := s.walk(); n != 1000 {
			t.Errorf("%T: walked %d operations", s, n)
		}
		s.replaceAll()
		s.eraseOdd()
		if n := s.walk(); n != 500 || s.operations() != 500 {
			t.Errorf("%T: %d operations are left, it says %d", s, n, s.operations())
		}
	}
	a := &arenaStorage{}
	a.build(1000)
	checkInvariants(t, a.fn.Region(0))
	a.replaceAll()
	a.eraseOdd()
	checkInvariants(t, a.fn.Region(0))
}
