package show

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/target/sm"
)

// Loops of specialized warps have no schedule: their mbarriers decide at run time what runs when. So this file
// simulates them. Each role issues the operations of its loop in order. An operation begins when its operands and
// units are free. A role waits at an mbarrier for the arrivals and TMA loads of others.
//
// Times are those of package cost. Only the first loop of a role that waits for others takes part. The drawing shows
// the steady state, an estimate.
//
// Table simulates the loop of one role only (roles.go), with ping-pong. There the data of other roles are always
// there, and results cost no wait, so its iteration is the shorter one.

// A RolePlay is the simulated steady state of the loops of a kernel's roles.
type RolePlay struct {
	Name  string
	Roles []PlayedRole
	// From and To are the cycles that are drawn: a few iterations of the role named First.
	From, To int
	// Interval is the time of an iteration of that role in the steady state.
	Interval int
	First    string
	// Stuck says that no role could go on: the simulation does not understand how the roles wait for each other.
	Stuck bool
}

// A PlayedRole is what one role does.
type PlayedRole struct {
	Name  string
	Warps int64
	Acts  []Act
}

// An Act is an operation that occupies a unit, or a wait if Unit is NumUnits.
type Act struct {
	Op        string
	Unit      sm.Unit
	Iteration int
	From, To  int
}

// RolesOf simulates the warp-specialized kernels inside a module or a kernel.
func RolesOf(root ir.Op, t *passes.Target) (plays []*RolePlay, err error) {
	arch, err := t.Arch()
	if err != nil {
		return nil, err
	}
	root.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.WarpSpecialize) {
			if p := simulate(op, arch); p != nil {
				plays = append(plays, p)
			}
			return ir.SkipBelow
		}
		return ir.Advance
	})
	return plays, nil
}

const (
	playedBefore = 8 // iterations simulated before those drawn, besides one per stage of a pipe
	playedShown  = 3
	maxStages    = 64
)

// A pipe is the mbarriers of a circular buffer, at which roles wait for each other.
type pipe struct {
	stages   int
	early    int   // arrivals before the loops: stages are released that many iterations late
	announce bool  // it counts bytes of TMA loads
	expects  int   // announcements in the loop of a role
	loads    int   // TMA loads in the loop of a role
	left     int   // loads of the current phase that are not started yet
	over     int   // when the started loads complete
	phases   []int // when each phase completed, as far as known
}

// An actor is a role in the simulation.
type actor struct {
	role      *PlayedRole
	model     *price.Model
	loop      ir.Op
	body      []ir.Op
	at        int // index of the next operation in body
	iteration int
	now       int
	ready     map[ir.Value]int
	mmas      []int // when each MMA completed
	waits     map[*pipe]int
	fills     bool // it starts TMA loads
	ends      []int
}

// A simulation holds what the actors share: pipes and units.
type simulation struct {
	pipes map[ir.Value]*pipe
	free  [sm.NumUnits]int
}

func simulate(op ir.Op, arch *sm.Arch) *RolePlay {
	s := &simulation{pipes: make(map[ir.Value]*pipe)}
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
		made := &actor{role: &p.Roles[i], model: price.NewModel(arch, max(1, int(role.Warps))), ready: make(map[ir.Value]int), waits: make(map[*pipe]int)}
		s.look(op.Region(i), made)
		if made.loop.IsNil() {
			continue // it is idle, or synchronizes outside of loops only
		}
		for inner := range made.loop.Body().Ops() {
			if tileas.IsPingPong(inner) {
				return nil // ping-pong groups are not one sequence of operations; Table simulates them
			}
			made.body = append(made.body, inner)
		}
		actors = append(actors, made)
	}
	for _, r := range s.pipes {
		most = max(most, r.stages)
	}
	if len(actors) < 2 {
		return nil
	}
	s.run(actors, 2*most+playedBefore+playedShown)
	p.First = actors[0].role.Name
	p.window(actors[0], most)
	return p
}

// look finds the loop of a role and the pipes that it uses.
func (s *simulation) look(region ir.Region, p *actor) {
	for b := range region.Blocks() {
		for op := range b.Ops() {
			for inner := range op.All() {
				at := mbarrierOf(inner)
				if at.IsNil() {
					continue
				}
				r := s.pipeOf(at)
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
			}
		}
	}
}

func (r *pipe) count(op ir.Op) {
	switch {
	case op.Is(tileas.MbarrierExpect):
		r.expects++
	case op.Is(tileas.TMALoad):
		r.loads++
	}
}

// arrive records an arrival. The phase then also waits for the loads that were announced.
func (r *pipe) arrive(at int) {
	r.over = at
	if r.left = 0; r.expects > 0 {
		r.left = r.loads / r.expects
	}
	r.settle()
}

func (r *pipe) settle() {
	if r.left == 0 {
		r.phases = append(r.phases, r.over)
	}
}

// start records a TMA load.
func (r *pipe) start(over int) {
	r.over = max(r.over, over)
	if r.left > 0 {
		r.left--
		r.settle()
	}
}

// loopAround returns the loop whose body directly contains an operation.
func loopAround(op ir.Op) ir.Op {
	if parent := op.ParentOp(); parent.Is(scf.For) {
		return parent
	}
	return ir.Op{}
}

// mbarrierOf returns the mbarrier that an operation uses; a zero Value for others.
func mbarrierOf(op ir.Op) ir.Value {
	switch {
	case op.Is(tileas.MbarrierWait), op.Is(tileas.MbarrierArrive), op.Is(tileas.MbarrierExpect), op.Is(tileas.TMALoad):
		return op.OperandNamed("mbarrier")
	}
	return ir.Value{}
}

// pipeOf returns the pipe that an mbarrier is a stage of.
func (s *simulation) pipeOf(v ir.Value) *pipe {
	if def := v.DefiningOp(); !def.IsNil() && def.Is(tileas.BufferStage) {
		v = def.Operand(0)
	}
	r := s.pipes[v]
	if r == nil {
		r = &pipe{stages: 1}
		if b, ok := v.Type().(*tileas.BufferType); ok {
			r.stages = int(min(max(1, b.Stages), maxStages))
		}
		s.pipes[v] = r
	}
	return r
}

// run simulates so many iterations of each role, or until no role can go on. The role that can go on earliest is next.
func (s *simulation) run(actors []*actor, iterations int) {
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

// open returns when the waits of a role's next operation are over; false if that is not known yet.
func (s *simulation) open(p *actor) (int, bool) {
	op := p.body[p.at]
	switch {
	case op.Is(tileas.MbarrierWait):
		r := s.pipeOf(op.OperandNamed("mbarrier"))
		// A role waits for one phase of a pipe after the other, so its count of waits is the phase.
		need := p.waits[r]
		if !r.announce && p.fills { // the producer finds all stages free at first
			need += r.early - r.stages
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
		if last := len(p.mmas) - 1 - int(pending); last >= 0 {
			return max(p.now, p.mmas[last]), true
		}
	}
	return p.now, true
}

// step executes the next operation of a role.
func (s *simulation) step(p *actor, open int) {
	op := p.body[p.at]
	name := op.Def().Name
	if open > p.now {
		p.role.Acts = append(p.role.Acts, Act{name, sm.NumUnits, p.iteration, p.now, open})
	}
	t := p.model.Of(op)
	begin := open
	if !op.Is(tileas.DotAsync) { // tensor cores add to an accumulator in order, without a wait
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
		p.waits[s.pipeOf(op.OperandNamed("mbarrier"))]++
	case op.Is(tileas.MbarrierArrive), op.Is(tileas.MbarrierExpect):
		s.pipeOf(op.OperandNamed("mbarrier")).arrive(begin)
	case op.Is(tileas.TMALoad):
		s.pipeOf(op.OperandNamed("mbarrier")).start(over)
	case op.Is(tileas.DotAsync):
		p.mmas = append(p.mmas, over)
	default:
		for _, v := range op.Results() {
			p.ready[v] = over
		}
	}
	// A warp issues in order, and goes on as soon as it has issued.
	p.now = begin + t.Busy[sm.UnitIssue]
	if p.at++; p.at < len(p.body) {
		return
	}
	for i, v := range op.Operands() { // loop-carried values become ready for the next iteration
		if args := p.loop.Body().Args(); i+1 < len(args) {
			p.ready[args[i+1]] = p.ready[v]
		}
	}
	p.at = 0
	p.iteration++
	p.ends = append(p.ends, p.now)
}

// window chooses what is drawn: the last iterations of a role during which a role `ahead` iterations before it still
// works.
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

// text summarizes the simulation in a line.
func (p *RolePlay) text() string {
	if p.Stuck {
		return p.Name + ": how they meet is not known"
	}
	return fmt.Sprintf("%s: an estimate of %d cycles for an iteration of '%s'; %d iterations, all data in L2", p.Name, p.Interval, p.First, playedShown)
}
