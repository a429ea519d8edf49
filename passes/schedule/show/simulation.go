package show

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/target/sm"
)

// Loops of specialized warps have no schedule: their mbarriers decide at run time what runs when. So this file
// simulates them. Each role issues the operations of its loop in order. An operation begins when its operands and
// units are free; the tensor cores take MMAs in their order. A role waits at an mbarrier for the arrivals and TMA loads
// of others. Groups of warps that ping-pong are a role each, with an equal share of the work.
//
// Times are those of package cost. Only the first loop of a role that waits for others takes part. The drawing shows
// the steady state, an estimate.

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

// A PlayedRole is what one role does, or a group of its warps.
type PlayedRole struct {
	Name  string
	Warps int64
	Acts  []Act
	group int
	loop  ir.Op
}

// An Act is an operation that occupies a unit, or a wait if Unit is NumUnits.
type Act struct {
	Op        string
	Unit      sm.Unit
	Iteration int // in a schedule the stage
	From, To  int
	at        int // number of the operation in the loop
	group     int // of warps that ping-pong
}

// String names the operation; "" for nil.
func (a *Act) String() string {
	if a == nil {
		return ""
	}
	return fmt.Sprintf("%s#%d", a.Op, a.at)
}

// during returns how much of a time an act takes; at most 0 if none of it.
func (a *Act) during(from, to int) int { return min(a.To, to) - max(a.From, from) }

// unitsOf returns the units that acts use during a time, in their order; the last one may stand for waits.
func unitsOf(acts []Act, from, to int) (units []sm.Unit) {
	for u := range sm.NumUnits + 1 {
		if slices.ContainsFunc(acts, func(a Act) bool { return a.Unit == u && a.during(from, to) > 0 }) {
			units = append(units, u)
		}
	}
	return units
}

// busiest returns the act that takes most of a time, of those that count; nil if none does.
func busiest(acts []Act, from, to int, counts func(Act) bool) (most *Act) {
	longest := 0
	for i, a := range acts {
		if n := a.during(from, to); n > longest && counts(a) {
			most, longest = &acts[i], n
		}
	}
	return most
}

// RolesOf simulates the warp-specialized kernels inside a module or a kernel.
func RolesOf(root ir.Op, t *passes.Target) (plays []*RolePlay, err error) {
	arch, err := t.Arch()
	if err != nil {
		return nil, err
	}
	for _, op := range root.Collect(tileas.WarpSpecialize.Is) {
		if p := simulate(op, arch); p != nil {
			plays = append(plays, p)
		}
	}
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

// An actor is a role in the simulation, or a group of its warps.
type actor struct {
	PlayedRole
	model     *price.Model
	body      []ir.Op
	at        int // index of the next operation in body
	iteration int
	now       int
	ready     map[ir.Value]int
	mmas      []int // when each MMA completed
	waits     map[*pipe]int
	fills     bool // it starts TMA loads
	ends      []int
	groups    []*actor // that ping-pong, with this one
	turn      int      // when the group before has signaled; -1: it has not
	inTurn    bool     // it waits for its first turn before the loop
}

// A simulation holds what the actors share: pipes and units. A role alone has the data of others, its groups share the
// tensor cores only, and no result costs a wait. So its iteration is the shorter one.
type simulation struct {
	alone bool
	pipes map[ir.Value]*pipe
	free  [sm.NumUnits]int
}

func simulate(op ir.Op, arch *sm.Arch) *RolePlay {
	s := &simulation{pipes: make(map[ir.Value]*pipe)}
	p := &RolePlay{Name: "roles of @" + tileas.KernelOf(op).SymbolName()}
	var all, actors []*actor
	most := 0
	for i := range op.NumRegions() {
		made := s.cast(tileas.RoleAt(op, i), arch)
		if len(made) > 1 {
			return nil // the groups of a ping-pong are not one sequence of operations; Table simulates them
		}
		if all = append(all, made...); !made[0].loop.IsNil() { // otherwise it is idle, or synchronizes outside of loops only
			actors = append(actors, made...)
		}
	}
	for _, r := range s.pipes {
		most = max(most, r.stages)
	}
	if len(actors) < 2 {
		return nil
	}
	s.run(actors, 2*most+playedBefore+playedShown)
	p.window(actors[0], most, all)
	return p
}

// alone simulates the loop of one role, with MMAs, to which the data of other roles come in time; nil for other loops.
func alone(loop ir.Op, arch *sm.Arch) *RolePlay {
	role, in := tileas.RoleOf(loop)
	if !in || !loop.Contains(tileas.DotAsync.Is) {
		return nil
	}
	s := &simulation{pipes: make(map[ir.Value]*pipe), alone: true}
	groups := s.cast(role, arch)
	if groups[0].loop != loop {
		return nil
	}
	s.run(groups, playedBefore+playedShown)
	p := &RolePlay{}
	p.window(groups[0], 0, groups)
	return p
}

// cast returns the actors of a role: groups of warps that ping-pong, or the role itself.
func (s *simulation) cast(role tileas.Role, arch *sm.Arch) (groups []*actor) {
	p := actor{PlayedRole: PlayedRole{Name: role.Name, Warps: role.Warps}, model: price.NewModel(arch, max(1, int(role.Warps)))}
	s.look(role.Op.Region(role.Index), &p)
	n, inTurn := 1, false
	if !p.loop.IsNil() {
		p.body = slices.Collect(p.loop.Body().Ops())
		if i := slices.IndexFunc(p.body, tileas.IsPingPong); i >= 0 {
			of, _ := p.body[i].IntAttr(tileas.AttrGroups)
			n, inTurn = max(1, int(of)), p.body[i].Is(tileas.PingPongSignal)
		}
	}
	for g := range n {
		one := p
		one.Warps /= int64(n)
		one.group, one.turn, one.inTurn = g, -min(1, g), inTurn
		one.ready, one.waits = make(map[ir.Value]int), make(map[*pipe]int)
		groups = append(groups, &one)
	}
	for _, g := range groups {
		g.groups = groups
	}
	return groups
}

// look finds the loop of a role and the pipes that it uses.
func (s *simulation) look(region ir.Region, p *actor) {
	for op := range region.First().Ops() {
		for inner := range op.All() {
			at := mbarrierOf(inner)
			if at.IsNil() {
				continue
			}
			r, load, expect := s.pipeOf(at), inner.Is(tileas.TMALoad), inner.Is(tileas.MbarrierExpect)
			p.fills, r.announce = p.fills || load, r.announce || expect
			switch loop := inner.ParentOp(); {
			case !loop.Is(scf.For):
				if inner.Is(tileas.MbarrierArrive) {
					r.early++
				}
			case p.loop.IsNil() || p.loop == loop:
				p.loop = loop
				if load {
					r.loads++
				} else if expect {
					r.expects++
				}
			}
		}
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

// mbarrierOf returns the mbarrier that an operation uses; a zero Value for others.
func mbarrierOf(op ir.Op) ir.Value {
	if op.Is(tileas.MbarrierWait) || op.Is(tileas.MbarrierArrive) || op.Is(tileas.MbarrierExpect) || op.Is(tileas.TMALoad) {
		return op.OperandNamed("mbarrier")
	}
	return ir.Value{}
}

// pipeOf returns the pipe that an mbarrier is a stage of.
func (s *simulation) pipeOf(v ir.Value) *pipe {
	v = v.Through(tileas.BufferStage.Is)
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
	case p.inTurn, op.Is(tileas.PingPongWait):
		return max(p.now, p.turn), p.turn >= 0
	case op.Is(tileas.MbarrierWait) && !s.alone:
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
	op, groups := p.body[p.at], len(p.groups)
	if p.inTurn {
		p.inTurn, p.now, p.turn = false, open, -1
		return
	}
	act := func(unit sm.Unit, from, to int) {
		if to > from {
			p.Acts = append(p.Acts, Act{op.Def().Name, unit, p.iteration, from, to, p.at, p.group})
		}
	}
	act(sm.NumUnits, p.now, open)
	t, mma := p.model.Of(op), op.Is(tileas.DotAsync)
	begin := open
	if !mma && !s.alone { // tensor cores add to an accumulator in order, without a wait
		for _, v := range op.Operands() {
			begin = max(begin, p.ready[v])
		}
	}
	// A warp goes on while its MMA waits for those before it.
	queues := func(u int) bool { return mma && u == int(sm.UnitTensor) }
	for u, busy := range t.Busy {
		if busy > 0 && !queues(u) && !s.alone {
			begin = max(begin, s.free[u])
		}
	}
	over := begin
	for u, busy := range t.Busy {
		if busy > 0 && (queues(u) || !s.alone) {
			from := begin
			if queues(u) {
				from = max(from, s.free[u])
				over = from
			}
			s.free[u] = from + busy/groups
			act(sm.Unit(u), from, s.free[u])
		}
	}
	over += t.Latency - t.Work() + t.Work()/groups
	switch {
	case op.Is(tileas.MbarrierWait):
		p.waits[s.pipeOf(op.OperandNamed("mbarrier"))]++
	case op.Is(tileas.MbarrierArrive), op.Is(tileas.MbarrierExpect):
		s.pipeOf(op.OperandNamed("mbarrier")).arrive(begin)
	case op.Is(tileas.TMALoad):
		s.pipeOf(op.OperandNamed("mbarrier")).start(over)
	case op.Is(tileas.DotAsync):
		p.mmas = append(p.mmas, over)
	case op.Is(tileas.PingPongWait):
		p.turn = -1
	case op.Is(tileas.PingPongSignal):
		p.groups[(p.group+1)%groups].turn = begin
	default:
		for _, v := range op.Results() {
			p.ready[v] = over
		}
	}
	// A warp issues in order, and goes on as soon as it has issued.
	takes := t.Busy[sm.UnitIssue]
	if s.alone && !mma {
		takes = t.Work()
	}
	if p.now = begin + takes/groups; s.alone {
		act(sm.UnitIssue, begin, p.now)
	}
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
func (p *RolePlay) window(first *actor, ahead int, all []*actor) {
	p.First = first.Name
	p.Roles = ir.Map(all, func(a *actor) PlayedRole { return a.PlayedRole })
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
