package interp

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A program is a decoded entry. It is not changed by running it.
type program struct {
	entry     ir.Op
	body      *code
	params    []int // slots
	vecs      int   // number of slots
	tensors   []int // rank of each tensor_view
	globals   map[string]ir.Op
	ctas      int  // that share a tile block
	clustered bool // they use each other's memory
	remote    bool // they read it themselves
	bulk      bool // some operation is a bulk copy
	halves    bool // some operation accesses halves of bytes

	prints       bool             // some operation prints
	synchronises bool             // some operation accesses memory in the belief that others do at the same time
	slots        map[ir.Value]int // of tiles
}

// An exit is where control goes at the end of a block. Each kind ends the nearest operation that understands it.
type exit uint8

const (
	exitNone     exit = iota // to the next operation
	exitYield                // to the end of the if, reduce or scan around
	exitContinue             // to the next iteration of the for or loop around
	exitBreak                // to the end of the loop around
	exitReturn               // to the end of the entry
)

// A code is a decoded block.
type code struct {
	instrs []instr
	end    ir.Op // the terminator
	exit   exit
	from   []int // the operands of the terminator,
	to     []int // and the slots that they are moved to
	drop   []int // slots that nothing uses after the terminator
	args   []int // slots of the arguments
	scoped bool  // has an alloca, whose memory ends with the block
}

// An instr is a decoded operation, with either run or nest set.
type instr struct {
	op   ir.Op
	run  func(m *machine) error
	nest func(m *machine) (exit, error)
	drop []int // slots that nothing uses after it
}

// A rule decodes an operation into what executes it.
type rule func(d *decoder, op ir.Op) (func(m *machine) error, error)

// rules has one for each operation without regions that is no terminator.
var rules = map[*ir.OpDef]rule{}

// define adds rules; it is called by init functions.
func define(more map[*ir.OpDef]rule) {
	for def, r := range more {
		if rules[def] != nil {
			panic("interp: two rules for " + def.FullName())
		}
		rules[def] = r
	}
}

// vectors are the operations that compute element i of their result from elements i of their operands only, so that they can run on any
// number of elements at once.
var vectors = map[*ir.OpDef]bool{}

func defineVector(more map[*ir.OpDef]rule) {
	define(more)
	for def := range more {
		vectors[def] = true
	}
}

// nests decodes the operations with regions.
var nests map[*ir.OpDef]func(d *decoder, op ir.Op) (func(m *machine) (exit, error), error)

func init() {
	nests = map[*ir.OpDef]func(*decoder, ir.Op) (func(*machine) (exit, error), error){
		cudatile.If: (*decoder).ifOp, cudatile.For: (*decoder).forOp, cudatile.Loop: (*decoder).loopOp,
		cudatile.Reduce: (*decoder).reduce, cudatile.Scan: (*decoder).scan,
		tileas.WarpSpecialize: (*decoder).warpSpecialize,
		scf.If:                (*decoder).ifOp, scf.For: (*decoder).forOp, scf.Loop: (*decoder).loopOp,
	}
	for _, l := range levels {
		nests[l.Reduce], nests[l.Scan] = (*decoder).reduce, (*decoder).scan
	}
}

// A decoder decodes one entry.
type decoder struct {
	p       *program
	slots   map[ir.Value]int // of tiles
	views   map[ir.Value]int // of tensor_views and of views of them: the number of the tensor_view
	exits   []frame          // the operations around, outermost first
	buffers uint64           // allocations so far
	inRole  bool             // what is decoded runs beside other roles
	races   bool             // tokens have slots too: they hold what is ordered before them
}

// A frame says where the terminators inside an operation move their operands.
type frame struct{ yield, next, leave []int }

func decode(entry ir.Op, races bool) (*program, error) {
	d := &decoder{races: races, p: &program{entry: entry, ctas: contract.CTAsOf(entry), globals: make(map[string]ir.Op)}, slots: make(map[ir.Value]int), views: make(map[ir.Value]int)}
	body := entry.Body()
	entry.Walk(func(op ir.Op) ir.WalkResult {
		if d.p.clustered = tileas.IsClustered(op) || op.Is(tileaa.Level.AllGather) || op.Is(tileaa.Level.ClusterSync); d.p.clustered {
			return ir.Interrupt
		}
		return ir.Advance
	})
	d.p.params = d.newSlots(body.Args())
	var err error
	d.p.body, err = d.block(body, frame{})
	d.p.slots = d.slots
	return d.p, err
}

// newSlot returns a fresh slot for v, or -1 if it has none.
func (d *decoder) newSlot(v ir.Value) int {
	if t := v.Type(); !hasSlot(t) && !(d.races && isToken(t)) {
		return -1
	}
	s := d.tempSlot()
	d.slots[v] = s
	return s
}

// maxElements bounds the elements of a tile. Tile IR has no more; the levels below can write down any tensor.
const maxElements = 1 << 24

// representable reports a value that cannot be represented: a tile of unknown or enormous size.
func representable(op ir.Op, v ir.Value) error {
	if !isTile(v.Type()) {
		return nil
	}
	n := int64(1)
	for _, size := range shapeOf(v) {
		if size < 1 || size > maxElements/n {
			return op.Errorf("cannot be interpreted: '%s' is no tile of at most %d elements", ir.TypeString(v.Type()), maxElements)
		}
		n *= size
	}
	return nil
}

func (d *decoder) newSlots(vs []ir.Value) []int {
	out := make([]int, len(vs))
	for i, v := range vs {
		out[i] = d.newSlot(v)
	}
	return out
}

func (d *decoder) tempSlot() int {
	d.p.vecs++
	return d.p.vecs - 1
}

// slot returns the slot of a tile.
func (d *decoder) slot(v ir.Value) int { return d.slots[v] }

// slotsOf returns the slots of values, -1 for what is no tile.
func (d *decoder) slotsOf(vs []ir.Value) []int {
	out := make([]int, len(vs))
	for i, v := range vs {
		s, ok := d.slots[v]
		if !ok {
			s = -1
		}
		out[i] = s
	}
	return out
}

// optional returns the slot of an optional operand, or -1.
func (d *decoder) optional(op ir.Op, name string) int {
	if v := op.OperandNamed(name); !v.IsNil() {
		return d.slot(v)
	}
	return -1
}

// result returns the slot of a result.
func (d *decoder) result(op ir.Op, i int) int { return d.slots[op.Result(i)] }

// block decodes a block, whose arguments have slots.
func (d *decoder) block(b ir.Block, f frame) (*code, error) {
	d.exits = append(d.exits, f)
	defer func() { d.exits = d.exits[:len(d.exits)-1] }()
	c := &code{args: d.slotsOf(b.Args())}
	for op := range b.Ops() {
		if op.HasTrait(ir.Terminator) {
			if err := d.terminator(c, op); err != nil {
				return nil, err
			}
			break
		}
		for _, r := range op.Results() {
			if err := representable(op, r); err != nil {
				return nil, err
			}
			d.newSlot(r)
		}
		for i := range op.NumRegions() {
			if r := op.Region(i); !r.Empty() {
				for _, a := range r.First().Args() {
					if err := representable(op, a); err != nil {
						return nil, err
					}
				}
			}
		}
		in := instr{op: op}
		var err error
		if nest := nests[op.Def()]; nest != nil {
			in.nest, err = nest(d, op)
		} else if r := ruleOf(op.Def()); r != nil {
			if in.run, err = r(d, op); err == nil && d.races {
				in.run = d.tracked(op, in.run)
			}
		} else {
			err = op.Errorf("cannot be interpreted")
		}
		if err == nil && d.inRole {
			err = d.besideOthers(&in)
		}
		if err != nil {
			return nil, err
		}
		c.scoped = c.scoped || allocations[op.Def()]
		c.instrs = append(c.instrs, in)
	}
	d.drops(c, b)
	return c, nil
}

// ends says where control goes behind each terminator.
var ends = map[*ir.OpDef]exit{
	cudatile.Yield: exitYield, cudatile.Continue: exitContinue, cudatile.Break: exitBreak, cudatile.Return: exitReturn,
	scf.Yield: exitYield, scf.Continue: exitContinue, scf.Break: exitBreak,
	tileas.EndRole: exitYield,
}

func (d *decoder) terminator(c *code, op ir.Op) error {
	c.end = op
	last := len(d.exits) - 1
	var to []int
	switch c.exit = ends[op.Def()]; c.exit {
	case exitNone:
		return op.Errorf("cannot be interpreted")
	case exitYield:
		to = d.exits[last].yield
	case exitContinue:
		for last > 0 && d.exits[last].next == nil {
			last--
		}
		to = d.exits[last].next
	case exitBreak:
		for last > 0 && d.exits[last].leave == nil {
			last--
		}
		to = d.exits[last].leave
	}
	for i, s := range d.slotsOf(op.Operands()) {
		if s >= 0 && i < len(to) {
			c.from = append(c.from, s)
			c.to = append(c.to, to[i])
		}
	}
	return nil
}

// drops finds after which operation each slot that the block defines is not used any more.
func (d *decoder) drops(c *code, b ir.Block) {
	used := make(map[int]bool)
	use := func(v ir.Value, drop *[]int) {
		s, ok := d.slots[v]
		if !ok || used[s] || v.Block() != b {
			return
		}
		used[s] = true
		*drop = append(*drop, s)
	}
	if t := b.Terminator(); !t.IsNil() {
		for _, v := range t.Operands() {
			use(v, &c.drop)
		}
	}
	for i := len(c.instrs) - 1; i >= 0; i-- {
		in := &c.instrs[i]
		for _, v := range in.op.Results() {
			use(v, &in.drop)
		}
		if in.op.NumRegions() == 0 {
			for _, v := range in.op.Operands() {
				use(v, &in.drop)
			}
			continue
		}
		in.op.Walk(func(op ir.Op) ir.WalkResult {
			for _, v := range op.Operands() {
				use(v, &in.drop)
			}
			return ir.Advance
		})
	}
}
