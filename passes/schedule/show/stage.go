package show

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/target/sm"
)

// Loops of roles have no schedule: what runs when is decided at the mbarriers where they meet. So it is played: each role issues the operations of its loop in their order, an operation
// begins when its operands and its units are free, and a role waits at an mbarrier for the arrivals and copies of others. Times are those of package cost; only the first loop of a role that
// meets others takes part. What is drawn is the steady state that this comes to, an estimate.
//
// Table plays the loop of one role (roles.go), with groups that take turns: there what the others load is there, and results cost no wait. So its iteration is the shorter one.

// A RolePlay is the steady state of the loops of a kernel's roles.
type RolePlay struct {
	Name  string
	Roles []PlayedRole
	// From and To are the cycles that are drawn: a few iterations of the first role, which is that named First.
	From, To int
	// Interval is what an iteration of the first role takes in the steady state.
	Interval int
	First    string
	// Stuck is set when nobody could go on: the play does not know how the roles meet.
	Stuck bool
}

// A PlayedRole is what one role does.
type PlayedRole struct {
	Name  string
	Warps int64
	Acts  []Act
}

// An Act is an operation that keeps a unit busy, or a wait, when Unit is NumUnits.
type Act struct {
	Op        string
	Unit      sm.Unit
	Iteration int
	From, To  int
}

// RolesOf returns the plays of the kernels inside a module or a kernel whose warps have roles.
func RolesOf(root ir.Op, t *passes.Target) (plays []*RolePlay, err error) {
	arch, err := t.Arch()
	if err != nil {
		return nil, err
	}
	root.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.WarpSpecialize) {
			if p := playRoles(op, arch); p != nil {
				plays = append(plays, p)
			}
			return ir.SkipBelow
		}
		return ir.Advance
	})
	return plays, nil
}

const (
	playedBefore = 8 // iterations that are played before those that are drawn, besides as many as a ring has slots
	playedShown  = 3
	maxSlots     = 64
)

// A ring is the slots of mbarriers at which roles meet.
type ring struct {
	slots    int
	early    int   // arrivals in front of the loops: so many slots are freed late
	announce bool  // it counts bytes of copies
	expects  int   // in the loop of a role
	loads    int   // likewise: copies
	left     int   // copies of the phase under way that have not been started
	over     int   // when those that have been are
	phases   []int // when each was over, so far as it is known
}

// A actor is a role in the play.
type actor struct {
	role      *PlayedRole
	model     *cost.Model
	loop      ir.Op
	body      []ir.Op
	at        int // of body
	iteration int
	now       int
	ready     map[ir.Value]int
	products  []int // when each was over
	waits     map[*ring]int
	fills     bool // it starts copies
	ends      []int
}

// A stage is where actors meet.
type stage struct {
	rings map[ir.Value]*ring
	free  [sm.NumUnits]int
}

func playRoles(op ir.Op, arch *sm.Arch) *RolePlay {
	s := &stage{rings: make(map[ir.Value]*ring)}
	fn := op
	for !fn.ParentOp().IsNil() && !fn.Is(tileas.Level.Func) {
		fn = fn.ParentOp()
	}
	p := &RolePlay{Name: "roles of @" + fn.SymbolName(), Roles: make([]PlayedRole, op.NumRegions())}
	var actors []*actor
	most := 0
	for i := range op.NumRegions() {
		role := tileas.RoleAt(op, i)
		p.Roles[i] = PlayedRole{Name: role.Name, Warps: role.Warps}
		made := &actor{role: &p.Roles[i], model: cost.NewModel(arch, max(1, int(role.Warps))), ready: make(map[ir.Value]int), waits: make(map[*ring]int)}
		s.look(op.Region(i), made)
		if made.loop.IsNil() {
			continue // it is idle, or meets the others outside of loops
		}
		for inner := range made.loop.Body().Ops() {
			if tileas.IsTurn(inner) {
				return nil // what groups that take turns do is not one sequence of operations: Table plays them
			}
			made.body = append(made.body, inner)
		}
		actors = append(actors, made)
	}
	for _, r := range s.rings {
		most = max(most, r.slots)
	}
	if len(actors) < 2 {
		return nil
	}
	s.run(actors, 2*most+playedBefore+playedShown)
	p.First = actors[0].role.Name
	p.window(actors[0], most)
	return p
}

// look finds the loop of a role and the rings that it uses.
func (s *stage) look(region ir.Region, p *actor) {
	for b := range region.Blocks() {
		for op := range b.Ops() {
			op.Walk(func(inner ir.Op) ir.WalkResult {
				at := mbarrierOf(inner)
				if at.IsNil() {
					return ir.Advance
				}
				r := s.ringOf(at)
				p.fills = p.fills || inner.Is(tileas.TMALoad)
				r.announce = r.announce || inner.Is(tileas.MbarrierExpect)
				switch loop := loopAround(inner); {
				case loop.IsNil():
					if inner.Is(tileas.MbarrierArrive) {
						r.early++
					}
				case p.loop.IsNil() || p.loop == loop:
					p.loop = loop
					r.count(inner)
				}
				return ir.Advance
			})
		}
	}
}

func (r *ring) count(op ir.Op) {
	switch {
	case op.Is(tileas.MbarrierExpect):
		r.expects++
	case op.Is(tileas.TMALoad):
		r.loads++
	}
}

// arrive makes an arrival, behind which so many copies start that the phase waits for as well.
func (r *ring) arrive(at int) {
	r.over = at
	if r.left = 0; r.expects > 0 {
		r.left = r.loads / r.expects
	}
	r.settle()
}

func (r *ring) settle() {
	if r.left == 0 {
		r.phases = append(r.phases, r.over)
	}
}

// start starts a copy.
func (r *ring) start(over int) {
	r.over = max(r.over, over)
	if r.left > 0 {
		r.left--
		r.settle()
	}
}

// loopAround returns the loop whose body an operation stands in directly.
func loopAround(op ir.Op) ir.Op {
	if parent := op.ParentOp(); parent.Is(scf.For) {
		return parent
	}
	return ir.Op{}
}

// mbarrierOf returns the mbarrier that an operation is about; a zero value for others.
func mbarrierOf(op ir.Op) ir.Value {
	switch {
	case op.Is(tileas.MbarrierWait), op.Is(tileas.MbarrierArrive), op.Is(tileas.MbarrierExpect), op.Is(tileas.TMALoad):
		return op.OperandNamed("mbarrier")
	}
	return ir.Value{}
}

// ringOf returns the ring that an mbarrier is a slot of.
func (s *stage) ringOf(v ir.Value) *ring {
	if def := v.DefiningOp(); !def.IsNil() && def.Is(tileas.BufferSlot) {
		v = def.Operand(0)
	}
	r := s.rings[v]
	if r == nil {
		r = &ring{slots: 1}
		if b, ok := v.Type().(*tileas.BufferType); ok {
			r.slots = int(min(max(1, b.Slots), maxSlots))
		}
		s.rings[v] = r
	}
	return r
}

// run plays so many iterations of each role, or until nobody can go on. Who is behind goes first.
func (s *stage) run(actors []*actor, iterations int) {
	for {
		var next *actor
		until := 0
		for _, p := range actors {
			if p.iteration == iterations {
				continue
			}
			if at, ok := s.open(p); ok && (next == nil || at < until) {
				next, until = p, at
			}
		}
		if next == nil {
			return
		}
		s.step(next, until)
	}
}

// open returns when the next operation of a role can begin as far as waiting goes; false while that is not known.
func (s *stage) open(p *actor) (int, bool) {
	op := p.body[p.at]
	switch {
	case op.Is(tileas.MbarrierWait):
		r := s.ringOf(op.OperandNamed("mbarrier"))
		need := p.waits[r]
		if !r.announce && p.fills { // slots are free at first
			need += r.early - r.slots
		}
		if need < 0 {
			return p.now, true
		}
		if need >= len(r.phases) {
			return 0, false
		}
		return max(p.now, r.phases[need]), true
	case op.Is(tileas.DotWait):
		pending, _ := op.IntAttr("pending")
		if last := len(p.products) - 1 - int(pending); last >= 0 {
			return max(p.now, p.products[last]), true
		}
	}
	return p.now, true
}

// step carries out the next operation of a role.
func (s *stage) step(p *actor, open int) {
	op := p.body[p.at]
	name := op.Def().Name
	if open > p.now {
		p.role.Acts = append(p.role.Acts, Act{name, sm.NumUnits, p.iteration, p.now, open})
	}
	t := p.model.Of(op)
	begin := open
	if !op.Is(tileas.DotAsync) { // whose sum the tensor cores add to in their order
		for _, v := range op.Operands() {
			begin = max(begin, p.ready[v])
		}
	}
	for u, busy := range t.Busy {
		if busy > 0 {
			begin = max(begin, s.free[u])
		}
	}
	for u, busy := range t.Busy {
		if busy > 0 {
			s.free[u] = begin + busy
			p.role.Acts = append(p.role.Acts, Act{name, sm.Unit(u), p.iteration, begin, begin + busy})
		}
	}
	over := begin + t.Latency
	switch {
	case op.Is(tileas.MbarrierWait):
		p.waits[s.ringOf(op.OperandNamed("mbarrier"))]++
	case op.Is(tileas.MbarrierArrive), op.Is(tileas.MbarrierExpect):
		s.ringOf(op.OperandNamed("mbarrier")).arrive(begin)
	case op.Is(tileas.TMALoad):
		s.ringOf(op.OperandNamed("mbarrier")).start(over)
	case op.Is(tileas.DotAsync):
		p.products = append(p.products, over)
	default:
		for _, v := range op.Results() {
			p.ready[v] = over
		}
	}
	p.now = begin + t.Busy[sm.UnitIssue]
	if p.at++; p.at < len(p.body) {
		return
	}
	for i, v := range op.Operands() { // of the terminator, for the next iteration
		if args := p.loop.Body().Args(); i+1 < len(args) {
			p.ready[args[i+1]] = p.ready[v]
		}
	}
	p.at = 0
	p.iteration++
	p.ends = append(p.ends, p.now)
}

// window chooses what is drawn: the last iterations of a role in which one that is so many ahead is still at work.
func (p *RolePlay) window(first *actor, ahead int) {
	n := len(first.ends) - ahead
	if n <= playedShown {
		p.Stuck = true
		return
	}
	p.From, p.To = first.ends[n-1-playedShown], first.ends[n-1]
	p.Interval = (p.To - p.From) / playedShown
	p.Stuck = p.To <= p.From
}

// text says in a line what the play is.
func (p *RolePlay) text() string {
	if p.Stuck {
		return p.Name + ": how they meet is not known"
	}
	return fmt.Sprintf("%s: an estimate of %d cycles for an iteration of '%s'; %d iterations, all data in L2", p.Name, p.Interval, p.First, playedShown)
}
