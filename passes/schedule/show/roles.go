package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/target/sm"
)

// A loop of a role that waits for others has no schedule but the order of its text. This file simulates it: each warp
// group of a ping-pong executes its iterations, all share the tensor cores, and the data of other roles are there.
// Times are those of the cost model, divided among the groups.

// A roleLoop is such a loop, with or without ping-pong.
type roleLoop struct {
	role   tileas.Role
	fn     string
	body   []ir.Op
	model  *price.Model
	groups int
	named  map[ir.Op]string
}

// roleLoopOf returns the loop for a simulation; nil if it does not wait for other roles, or has no MMAs.
func roleLoopOf(fn, loop ir.Op, arch *sm.Arch) *roleLoop {
	role, in := tileas.RoleOf(loop)
	if !in {
		return nil
	}
	t := &roleLoop{role: role, fn: fn.StringAttr("sym_name"), groups: 1, model: price.NewModel(arch, int(role.Warps)), named: make(map[ir.Op]string)}
	meets, mmas := false, false
	for op := range loop.Body().Ops() {
		if op.HasTrait(ir.Terminator) {
			continue
		}
		if n, ok := op.IntAttr(tileas.AttrGroups); ok && tileas.IsPingPong(op) {
			t.groups = max(1, int(n))
		}
		meets = meets || op.Is(tileas.MbarrierWait)
		mmas = mmas || op.Is(tileas.DotAsync)
		_, short, _ := strings.Cut(op.Name(), ".")
		t.named[op] = fmt.Sprintf("%s#%d", short, len(t.body))
		t.body = append(t.body, op)
	}
	if !meets || !mmas {
		return nil
	}
	return t
}

// waitsForRoles reports whether a loop is one of a role that waits for another role.
func waitsForRoles(loop ir.Op) bool {
	_, in := tileas.RoleOf(loop)
	return in && loop.Contains(tileas.MbarrierWait.Is)
}

// A stretch is a time during which a group executes an operation, or the tensor cores one of its MMAs.
type stretch struct {
	group, from, to int
	op              ir.Op
	tensor          bool
}

// A player simulates the groups.
type player struct {
	*roleLoop
	clock, next []int   // per group: the time, and the next operation
	rounds      []int   // per group: completed iterations
	tensorFree  int     // when the tensor cores complete what was started
	done        [][]int // per group: when its MMAs in flight complete
	passed      []int   // per group: when it was signaled to go on; -1: it was not
	stretches   []stretch
	began       [][]int // per group: when its iterations began
}

// played is how many iterations are simulated before the one shown; by then all are alike.
const played = 8

// play simulates some iterations. The group whose time is earliest goes next, if it can.
func (t *roleLoop) play() *player {
	p := &player{roleLoop: t, clock: make([]int, t.groups), next: make([]int, t.groups), rounds: make([]int, t.groups), done: make([][]int, t.groups), passed: make([]int, t.groups), began: make([][]int, t.groups)}
	for g := range p.passed {
		p.passed[g] = -1
	}
	iterations := 0 // groups that may begin: without a wait first, each waits before its loop
	if t.waitsFirst() {
		iterations, p.passed[0] = t.groups, 0
	}
	for {
		best := -1
		for g := range t.groups {
			able := p.next[g] > 0 || p.rounds[g] > 0 || g <= iterations
			if able && p.able(g) && p.rounds[g] <= played && (best < 0 || p.clock[g] < p.clock[best]) {
				best = g
			}
		}
		if best < 0 {
			return p
		}
		if p.step(best) {
			iterations++
		}
	}
}

// waitsFirst reports whether an iteration waits for its group's signal before it signals the next group.
func (t *roleLoop) waitsFirst() bool {
	i := slices.IndexFunc(t.body, tileas.IsPingPong)
	return i >= 0 && t.body[i].Is(tileas.PingPongWait)
}

// able reports whether the next operation of a group can be executed.
func (p *player) able(g int) bool {
	return !p.body[p.next[g]].Is(tileas.PingPongWait) || p.passed[g] >= 0
}

// step executes an operation of a group, and reports whether it lets another group begin its first iteration.
func (p *player) step(g int) (first bool) {
	op := p.body[p.next[g]]
	if p.next[g] == 0 {
		p.began[g] = append(p.began[g], p.clock[g])
	}
	from := p.clock[g]
	t := p.model.Of(op)
	switch {
	case op.Is(tileas.PingPongWait):
		p.clock[g] = max(p.clock[g], p.passed[g])
		p.passed[g] = -1
	case op.Is(tileas.PingPongSignal):
		to := (g + 1) % p.groups
		if first = p.rounds[g] == 0 && g < p.groups-1 && !p.waitsFirst(); first { // it waits before its loop
			p.clock[to] = max(p.clock[to], p.clock[g])
		} else {
			p.passed[to] = p.clock[g]
		}
	case op.Is(tileas.DotAsync):
		// All groups share the tensor cores, and each group has an equal share of the work.
		begin := max(p.clock[g], p.tensorFree)
		p.tensorFree = begin + t.Work()/p.groups
		p.done[g] = append(p.done[g], p.tensorFree+max(0, t.Latency-t.Work()))
		p.stretches = append(p.stretches, stretch{g, begin, p.tensorFree, op, true})
		p.clock[g] += t.Busy[sm.UnitIssue] / p.groups
	case op.Is(tileas.DotWait):
		pending, _ := op.IntAttr(tileas.AttrPending)
		for len(p.done[g]) > int(pending) {
			p.clock[g] = max(p.clock[g], p.done[g][0])
			p.done[g] = p.done[g][1:]
		}
	case op.Is(tileas.MbarrierWait), op.Is(tileas.MbarrierArrive):
	default:
		p.clock[g] += t.Work() / p.groups
	}
	if p.clock[g] > from {
		p.stretches = append(p.stretches, stretch{g, from, p.clock[g], op, false})
	}
	if p.next[g]++; p.next[g] == len(p.body) {
		p.next[g], p.rounds[g] = 0, p.rounds[g]+1
	}
	return first
}

// table prints the last iteration of the first group, and what the other groups do during it.
func (t *roleLoop) table(sb *strings.Builder, rows int) {
	p := t.play()
	began := p.began[0]
	if len(began) < 2 {
		fmt.Fprintf(sb, "loop of role \"%s\" in @%s: its groups wait for each other\n", t.role.Name, t.fn)
		return
	}
	from, to := began[len(began)-2], began[len(began)-1]
	busy := 0
	for _, s := range p.stretches {
		if s.tensor {
			busy += max(0, min(s.to, to)-max(s.from, from))
		}
	}
	if rows <= 0 {
		rows = 32
	}
	head := []string{"cycle", "tensor"}
	for g := range t.groups {
		first := int(t.role.Warps) / t.groups * g
		head = append(head, fmt.Sprintf("warps %d to %d", first, first+int(t.role.Warps)/t.groups-1))
	}
	lines := [][]string{head}
	for i := range min(rows, mostRows) {
		a, b := from+(to-from)*i/rows, from+(to-from)*(i+1)/rows
		row := []string{fmt.Sprint(a - from), p.busiest(a, b, -1)}
		for g := range t.groups {
			row = append(row, p.busiest(a, b, g))
		}
		lines = append(lines, row)
	}
	fmt.Fprintf(sb, "loop of role \"%s\" in @%s\n", t.role.Name, t.fn)
	fmt.Fprintf(sb, "  %-14s %d cycles by the cost model, of which the tensor cores are busy for %d\n", "iteration", to-from, busy)
	if t.groups > 1 {
		fmt.Fprintf(sb, "  %-14s %d groups of %d warps\n", "ping-pong", t.groups, int(t.role.Warps)/t.groups)
	}
	sb.WriteByte('\n')
	grid(sb, lines)
}

// busiest names the operation that takes most of a time: of a group, or of the tensor cores for -1.
func (p *player) busiest(from, to, group int) (name string) {
	longest := 0
	for _, s := range p.stretches {
		if s.tensor != (group < 0) || !s.tensor && s.group != group {
			continue
		}
		if n := min(s.to, to) - max(s.from, from); n > longest {
			name, longest = p.named[s.op], n
			if s.tensor && p.groups > 1 {
				name = fmt.Sprintf("%s of group %d", name, s.group)
			}
		}
	}
	return name
}
