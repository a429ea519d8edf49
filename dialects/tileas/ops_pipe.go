package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// AttrLag is an i32: release m frees the stage of wait m - lag. MMAs that read the later ones may still be in flight.
const AttrLag = "lag"

// AttrLanded is a unit: a drain waits for TMA loads, and not for MMAs that read what they have brought.
const AttrLanded = "landed"

const pipeCreate = "pipe_create"

// Pipes is the resource of effects on pipes. What is in their stages is accessed through the results of acquire and
// wait, so that no access comes before them.
var Pipes = &ir.Resource{Name: "pipes"}

var onPipes = []ir.CapImpl{ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) { add(ir.Effect{Kind: ir.Write, Resource: Pipes}) })}

// A pipe is how two roles meet (Tawa's aref, arXiv 2510.14719; CUTLASS's PipelineTmaAsync and PipelineUmmaAsync):
//
//	%p = pipe_create %a, %b                             two buffers of three stages
//	role "load":     for { %x, %y, %full = pipe_acquire %p ; tma_load %x, ..., %full ; tma_load %y, ... ; pipe_commit %p }
//	role "compute":  for { %x, %y = pipe_wait %p ; dot_async %x, %y ; dot_wait ; pipe_release %p }
//
// Who fills and who reads may be threads or asynchronous (End). Threads have accessed the stage when they commit or
// release it. An asynchronous end signals the mbarrier of the stage, which acquire or wait yields: TMA by its loads,
// MMAs by tmem_dot or mma_commit. Then commit and release only say that the role goes on to the next stage.
//
// Nothing here says how roles wait for each other: tileas-lower-pipes decides that.
var (
	// PipeCreate makes a pipe.
	PipeCreate = Dialect.Op(ir.OpDef{
		Name: pipeCreate, Summary: "Makes a queue whose stages are those of the buffers; all stages are free.",
		Doc: "Stages go round: fill n is in stage n mod the number of stages. One role fills and one role reads. A pipe " +
			"of which nothing is released is filled once.\n\nBetween `pipe_acquire` and `pipe_commit` the stage " +
			"belongs to the role that fills, and between `pipe_wait` and `pipe_release` to the role that reads. " +
			"Otherwise its contents are undetermined.\n\nA pipe of `two_ctas` is made by both CTAs of a pair. The MMAs " +
			"that fill or read it are executed by the even CTA only, for both. The other end is in both CTAs. MMAs read a " +
			"stage when TMA has filled it in both CTAs, and fill one when the threads of both CTAs have released it.\n\n" +
			"In a pipe of `threads <-> mma` the one stage comes back with what threads and MMAs have written there. Threads " +
			"may acquire it again without a commit, as after the last MMA.",
		Operands: []ir.Field{{Name: "buffers", Type: buffer, Arity: ir.Variadic}}, Results: []ir.Field{{Name: "pipe", Type: aPipe}},
		Syntax: "$buffers attr-dict `:` type($buffers) `->` type($pipe)",
		Verify: verifyPipe, Caps: onPipes,
	})
	// PipeAcquire waits for a free stage.
	PipeAcquire = Dialect.Op(ir.OpDef{
		Name: "pipe_acquire", Summary: "Waits until the next stage is free, and yields its buffers to fill.",
		Doc: "Their contents are undetermined, unless the stage comes back. If TMA fills the pipe, the last result is the mbarrier that counts its " +
			"loads, which must bring the bytes of all buffers. If MMAs fill it, an `mma_commit` must signal that mbarrier.",
		Operands: pipeOperand, Results: stageResults, Syntax: "$pipe attr-dict `:` type($pipe)",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return st.Operands[0].Type().(*PipeType).Filled(), nil },
		Verify:     func(op ir.Op) error { return verifyStage(op, pipeType(op).Filled()) }, Caps: onPipes,
	})
	// PipeCommit hands a stage to the role that reads.
	PipeCommit = Dialect.Op(ir.OpDef{
		Name: "pipe_commit", Summary: "Hands the acquired stage to the role that reads.",
		Doc: "If threads fill the pipe, their accesses before the commit are visible after the wait for the stage. " +
			"If copies fill it, the stage is full when all copies of committed groups have landed, and the role that " +
			"started them does not wait. Otherwise the stage is full when its mbarrier has been signaled.",
		Operands: pipeOperand, Syntax: "$pipe attr-dict `:` type($pipe)", Verify: inRole, Caps: onPipes,
	})
	// PipeWait waits for a full stage.
	PipeWait = Dialect.Op(ir.OpDef{
		Name: "pipe_wait", Summary: "Waits until the next stage is full, and yields its buffers to read.",
		Doc: "If MMAs read the pipe, the last result is the mbarrier that one of them or an `mma_commit` must signal " +
			"when the stage has been read.",
		Operands: pipeOperand, Results: stageResults, Syntax: "$pipe attr-dict `:` type($pipe)",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return st.Operands[0].Type().(*PipeType).Read(), nil },
		Verify:     func(op ir.Op) error { return verifyStage(op, pipeType(op).Read()) }, Caps: onPipes,
	})
	// PipeRelease frees a stage.
	PipeRelease = Dialect.Op(ir.OpDef{
		Name: "pipe_release", Summary: "Frees a stage that was waited for.",
		Doc: "With `lag`, release m frees the stage of wait m - lag. So the first ones free nothing, and the last stages " +
			"stay taken. If MMAs read the pipe, the stage is free when its mbarrier has been signaled.",
		Operands: pipeOperand, Attrs: []ir.Field{{Name: AttrLag, Arity: ir.Optional, Kind: ir.I32Kind}},
		Syntax: "$pipe (`lag` $lag^)? attr-dict `:` type($pipe)", Verify: func(op ir.Op) error {
			n, ok := op.IntAttr(AttrLag)
			switch t := pipeType(op); {
			case ok && (n < 1 || n >= t.Stages()):
				return op.Errorf("can lag by 1 to %d stages, but got %d", t.Stages()-1, n)
			case ok && t.To.Async():
				return op.Errorf("cannot lag: the MMAs that read a stage signal its mbarrier")
			}
			return inRole(op)
		}, Caps: onPipes,
	})
	// PipeDrain waits for what a role has handed on.
	PipeDrain = Dialect.Op(ir.OpDef{
		Name: "pipe_drain", Summary: "Waits until MMAs have done what they were to do with the stages that this role has filled, or handed back.",
		Doc: "A role must not end with MMAs in flight. Of a pipe that MMAs read, the role that fills waits until all stages are free: a CTA " +
			"must not end while MMAs of another one may still signal that. With `landed` it waits until the TMA loads to all " +
			"stages have landed: a tensor map must not be made in the place of one that loads in flight use.",
		Operands: []ir.Field{{Name: "pipes", Type: aPipe, Arity: ir.Variadic}}, Attrs: []ir.Field{{Name: AttrLanded, Arity: ir.Optional, Kind: ir.UnitKind}},
		Syntax: "$pipes (`landed` $landed^)? attr-dict `:` type($pipes)",
		Verify: func(op ir.Op) error {
			for _, v := range op.Operands() {
				switch t := v.Type().(*PipeType); {
				case op.HasUnitAttr(AttrLanded) && (t.From != ByTMA || t.TwoCTAs): // of two CTAs, only the even one knows what has landed
					return op.Errorf("waits for TMA loads of one CTA, but got '%s'", ir.TypeString(t))
				case t.From != ByMMAs && t.To != ByMMAs && !op.HasUnitAttr(AttrLanded):
					return op.Errorf("drains what MMAs fill or read, but got '%s'", ir.TypeString(t))
				}
			}
			return inRole(op)
		}, Caps: onPipes,
	})
)

var (
	pipeOperand  = []ir.Field{{Name: "pipe", Type: aPipe}}
	stageResults = []ir.Field{{Name: "stage", Type: buffer, Arity: ir.Variadic}}
)

func pipeType(op ir.Op) *PipeType { return op.Operand(0).Type().(*PipeType) }

// IsPipeOp reports whether an operation is about pipes.
func IsPipeOp(op ir.Op) bool {
	return slices.ContainsFunc([]*ir.OpDef{PipeCreate, PipeAcquire, PipeCommit, PipeWait, PipeRelease, PipeDrain}, op.Is)
}

// Lag returns by how many stages a release lags.
func Lag(release ir.Op) int64 {
	n, _ := release.IntAttr(AttrLag)
	return n
}

// inRole checks where an operation on pipes stands, and that it names its pipes: control flow does not pass them on.
func inRole(op ir.Op) error {
	if _, ok := RoleOf(op); !ok {
		return op.Errorf("stands in no role, and a pipe is between two")
	}
	for _, v := range op.Operands() {
		if def := v.DefiningOp(); def.IsNil() || def.Dialect() != Dialect || def.Def().Name != pipeCreate {
			return op.Errorf("must use a pipe where it is made, but got one that control flow passes on")
		}
	}
	return nil
}

func verifyStage(op ir.Op, want []ir.Type) error {
	if got := op.ResultTypes(); !slices.Equal(got, want) {
		return op.Errorf("must yield (%s), but yields (%s)", typesString(want), typesString(got))
	}
	return inRole(op)
}

func typesString(ts []ir.Type) (s string) {
	for i, t := range ts {
		if i > 0 {
			s += ", "
		}
		s += ir.TypeString(t)
	}
	return s
}
