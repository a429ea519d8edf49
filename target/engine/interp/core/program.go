package core

import (
	"maps"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// A Program is a decoded entry. Running it does not change it, so that all machines of a launch share it.
type Program struct {
	Entry     ir.Op
	body      *Code
	params    []int // slots
	vecs      int   // number of slots
	Tensors   []int // rank of each tensor_view
	Globals   map[string]ir.Op
	ctas      int  // the number of CTAs that share a tile block
	clustered bool // CTAs use each other's memory
	Remote    bool // CTAs load each other's shared memory
	Bulk      bool // some operation is a bulk copy
	Halves    bool // some operation accesses halves of bytes

	Prints       bool             // some operation prints
	Synchronises bool             // some access is stronger than weak
	slots        map[ir.Value]int // of tiles
	views        map[ir.Value]int // of tensor_views, and of views of them
}

// A Decoder decodes one entry.
type Decoder struct {
	Program *Program
	Slots   map[ir.Value]int // of tiles
	Views   map[ir.Value]int // of tensor_views, and of views of them: the number of the tensor_view
	exits   []Frame          // of the enclosing operations, outermost first
	Buffers uint64           // allocations so far
	InRole  bool             // the operation is in a warp role
	races   bool             // tokens have slots too: they hold the accesses ordered before them
	keep    bool             // values stay after their last use

	kept         int               // of values that are kept decoded
	narrow, made map[ir.Value]bool // what Narrow and mayNarrow have found
}

// A Frame holds the slots to which terminators inside an operation move their operands.
type Frame struct{ Yield, Next, Leave []int }

// Decode decodes an entry. With races, tokens have slots. With keep, values stay in theirs after their last use.
func Decode(entry ir.Op, races, keep bool) (*Program, error) {
	d := &Decoder{races: races, keep: keep, Program: &Program{Entry: entry, ctas: contract.CTAsOf(entry), Globals: make(map[string]ir.Op)}, Slots: make(map[ir.Value]int), Views: make(map[ir.Value]int),
		narrow: make(map[ir.Value]bool), made: make(map[ir.Value]bool)}
	body := entry.Body()
	entry.Walk(func(op ir.Op) ir.WalkResult {
		if d.Program.clustered = tileas.IsClustered(op) || op.Is(tileaa.Level.AllGather) || op.Is(tileaa.Level.ClusterSync); d.Program.clustered {
			return ir.Interrupt
		}
		return ir.Advance
	})
	d.Program.params = d.NewSlots(body.Args())
	var err error
	d.Program.body, err = d.Block(body, Frame{})
	d.Program.slots, d.Program.views = d.Slots, d.Views
	return d.Program, err
}

// newSlot returns a fresh slot for v, or -1 if it has none.
func (d *Decoder) newSlot(v ir.Value) int {
	if t := v.Type(); !hasSlot(t) && !(d.races && values.IsToken(t)) {
		return -1
	}
	s := d.TempSlot()
	d.Slots[v] = s
	return s
}

// MaxElements bounds the elements of a tile. Tile IR has no larger ones, but the levels below can express any tensor.
const MaxElements = 1 << 24

// representable rejects a tile of unknown or enormous size.
func representable(op ir.Op, v ir.Value) error {
	if !values.IsTile(v.Type()) {
		return nil
	}
	n := int64(1)
	for _, size := range values.ShapeOf(v) {
		if size < 1 || size > MaxElements/n {
			return op.Errorf("cannot be interpreted: '%s' is no tile of at most %d elements", ir.TypeString(v.Type()), MaxElements)
		}
		n *= size
	}
	return nil
}

// NewSlots gives values fresh slots, -1 for those that have none.
func (d *Decoder) NewSlots(vs []ir.Value) []int {
	out := make([]int, len(vs))
	for i, v := range vs {
		out[i] = d.newSlot(v)
	}
	return out
}

// TempSlot returns a slot that belongs to no value.
func (d *Decoder) TempSlot() int {
	d.Program.vecs++
	return d.Program.vecs - 1
}

// Slot returns the slot of a tile.
func (d *Decoder) Slot(v ir.Value) int { return d.Slots[v] }

// SlotsOf returns the slots of values, -1 for those without one.
func (d *Decoder) SlotsOf(vs []ir.Value) []int {
	out := make([]int, len(vs))
	for i, v := range vs {
		s, ok := d.Slots[v]
		if !ok {
			s = -1
		}
		out[i] = s
	}
	return out
}

// Keep returns a fresh number for Machine.Kept.
func (d *Decoder) Keep() int {
	d.kept++
	return d.kept - 1
}

// Optional returns the slot of an optional operand, or -1.
func (d *Decoder) Optional(op ir.Op, name string) int {
	if v := op.OperandNamed(name); !v.IsNil() {
		return d.Slot(v)
	}
	return -1
}

// Result returns the slot of a result.
func (d *Decoder) Result(op ir.Op, i int) int { return d.Slots[op.Result(i)] }

// Replace makes slots those of values, until restore is called. What is decoded meanwhile finds its operands there: an
// asynchronous operation keeps the operands of its start in slots of its own.
func (d *Decoder) Replace(list []ir.Value, slots []int) (restore func()) {
	kept := make(map[ir.Value]int, len(list))
	for i, v := range list {
		if _, twice := kept[v]; !twice {
			kept[v] = d.Slots[v]
		}
		d.Slots[v] = slots[i]
	}
	return func() { maps.Copy(d.Slots, kept) }
}

// Block decodes a block, whose arguments have slots.
func (d *Decoder) Block(b ir.Block, f Frame) (*Code, error) {
	d.exits = append(d.exits, f)
	defer func() { d.exits = d.exits[:len(d.exits)-1] }()
	c := &Code{args: d.SlotsOf(b.Args())}
	for op := range b.Ops() {
		if op.HasTrait(ir.Terminator) {
			if err := d.terminator(c, op); err != nil {
				return nil, err
			}
			break
		}
		if err := d.define(op); err != nil {
			return nil, err
		}
		in := instr{op: op}
		var err error
		row := RowOf(op.Def())
		switch {
		case row.Nest != nil:
			in.nest, err = row.Nest(d, op)
		case row.Run != nil:
			if in.run, err = row.Run(d, op); err == nil && d.races {
				in.run = d.tracked(op, in.run)
			}
		default:
			err = op.Errorf("cannot be interpreted")
		}
		if err == nil && d.InRole {
			err = d.cooperate(&in, row)
		}
		if err != nil {
			return nil, err
		}
		c.scoped = c.scoped || row.Allocates
		c.instrs = append(c.instrs, in)
	}
	if !d.keep {
		d.drops(c, b)
	}
	return c, nil
}

// define gives the results of an operation slots. It checks the arguments of its regions too, before a rule gives those
// slots.
func (d *Decoder) define(op ir.Op) error {
	for _, r := range op.Results() {
		if err := representable(op, r); err != nil {
			return err
		}
		d.newSlot(r)
	}
	for i := range op.NumRegions() {
		if r := op.Region(i); !r.Empty() {
			for _, a := range r.First().Args() {
				if err := representable(op, a); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (d *Decoder) terminator(c *Code, op ir.Op) error {
	c.end = op
	last := len(d.exits) - 1
	var to []int
	switch c.exit = RowOf(op.Def()).End; c.exit {
	case ExitNone:
		return op.Errorf("cannot be interpreted")
	case ExitYield:
		to = d.exits[last].Yield
	case ExitContinue:
		for last > 0 && d.exits[last].Next == nil {
			last--
		}
		to = d.exits[last].Next
	case ExitBreak:
		for last > 0 && d.exits[last].Leave == nil {
			last--
		}
		to = d.exits[last].Leave
	}
	for i, s := range d.SlotsOf(op.Operands()) {
		if s >= 0 && i < len(to) {
			c.from = append(c.from, s)
			c.to = append(c.to, to[i])
		}
	}
	return nil
}

// drops finds the last use of each slot that the block defines.
func (d *Decoder) drops(c *Code, b ir.Block) {
	used := make(map[int]bool)
	use := func(v ir.Value, drop *[]int) {
		s, ok := d.Slots[v]
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
