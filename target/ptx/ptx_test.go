package ptx

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/sm"
)

// TestNameTables checks that every constant has a name and that no two of a kind print alike.
func TestNameTables(t *testing.T) {
	t.Parallel()
	for kind, names := range map[string][]string{"opcode": opNames[1:], "modifier": modNames[1:], "special register": specialNames[1:]} {
		seen := make(map[string]int)
		for i, name := range names {
			if name == "" {
				t.Errorf("%s %d has no name", kind, i+1)
			}
			if j, twice := seen[name]; twice {
				t.Errorf("%ss %d and %d are both %q", kind, j+1, i+1, name)
			}
			seen[name] = i
		}
	}
	for c := Pred; c < numClasses; c++ {
		if moveType[c] == 0 && c != R8 || c.String() == "" { // mov packs and unpacks bytes, and copies none
			t.Errorf("class %d lacks a declaration or a move type", c)
		}
	}
}

func TestShape(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]Mod{
		"m16n8k16": Shape(16, 8, 16), "m8n8": Shape(8, 8, 0), "m64n256k32": Shape(64, 256, 32), "m8n8k128": Shape(8, 8, 128),
	} {
		if got := m.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestRegs(t *testing.T) {
	t.Parallel()
	var f Regs
	a, b, c := f.New(R32), f.New(R32), f.New(Pred)
	for want, r := range map[string]Reg{"%r1": a, "%r2": b, "%p1": c} {
		if r.String() != want {
			t.Errorf("got %s, want %s", r, want)
		}
	}
	if f.Count(R32) != 2 || f.Count(Pred) != 1 || f.Count(R64) != 0 {
		t.Errorf("counts are %d, %d, %d", f.Count(R32), f.Count(Pred), f.Count(R64))
	}
	if R(a).Register() != a || Int(1).Register() != 0 {
		t.Error("Register does not tell a register from an immediate")
	}
}

func TestValidName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"k": true, "_k": true, "$k": true, "%k": true, "vadd_Kt1_A1f32_1l0_": true, "K9$_": true,
		"": false, "_": false, "$": false, "9k": false, "a%": false, "a b": false, "a.b": false, "é": false, "a\n": false,
	} {
		if got := ValidName(name); got != want {
			t.Errorf("ValidName(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestVerifyRejects(t *testing.T) {
	t.Parallel()
	foreign := new(Regs)
	foreign.New(R32)
	tests := []struct {
		name  string
		build func(m *Module, e *Entry)
		want  string
	}{
		{"no target", func(m *Module, _ *Entry) { m.Target = sm.Target{} }, "the module has no target"},
		{"version", func(m *Module, _ *Entry) { m.Target.Version = sm.V(6, 5) }, "target sm_80 needs PTX ISA 7.0, the module has 6.5"},
		{"entry name", func(_ *Module, e *Entry) { e.Name = "a-b" }, `entry name "a-b" is not a PTX identifier`},
		{"function name", func(m *Module, _ *Entry) { m.Funcs = []*Func{{Name: "1"}} }, `function name "1" is not a PTX identifier`},
		{"two names", func(m *Module, _ *Entry) { m.Vars = []*Var{{Name: "k", Space: Global, Type: B32}} }, "entry 'k' is declared twice"},
		{"alignment", func(m *Module, _ *Entry) { m.Vars = []*Var{{Name: "v", Align: 12}} }, "alignment 12 is not a power of two"},
		{"extent", func(m *Module, _ *Entry) { m.Vars = []*Var{{Name: "v", Count: 3}} }, "variable 'v': invalid extent 3"},
		{"initial values", func(m *Module, _ *Entry) {
			m.Vars = []*Var{{Name: "v", Array: true, Count: 1, Init: []uint64{1, 2}}}
		}, "2 initial values for 1 elements"},
		{"parameters", func(_ *Module, e *Entry) { e.Params = []Param{{Name: "x"}, {Name: "x"}} }, `parameter name "x" is no identifier or not unique`},
		{"foreign register", func(_ *Module, e *Entry) { e.Body.Mov(foreign.New(R32), Int(0)) }, "number 2 does not belong to the entry"},
		{"address", func(_ *Module, e *Entry) { e.Body.Ins(OpSt, B32).Args(At(0, 4), Int(0)) }, "class 0, number 0 does not belong"},
		{"guard", func(_ *Module, e *Entry) { e.Body.Ret().If(e.Regs.New(R32)) }, "statement 0: expected a predicate, got %r1"},
		{"negated operand", func(_ *Module, e *Entry) { e.Body.Ins(OpMov, PredType).Args(Not(e.Regs.New(R64))) }, "expected a predicate, got %rd1"},
		{"pair", func(_ *Module, e *Entry) { e.Body.Ins(OpElectSync).Args(Pair(0, 99)) }, "number 99 does not belong"},
		{"opcode", func(_ *Module, e *Entry) { e.Body.Ins(numOps) }, "invalid opcode"},
		{"modifier", func(_ *Module, e *Entry) { e.Body.Ins(OpMov, 0) }, "'mov' has invalid modifier 0"},
		{"zero operand", func(_ *Module, e *Entry) { e.Body.Ins(OpMov, B32).Args(Operand{}) }, "'mov' has an operand without a form"},
		{"special", func(_ *Module, e *Entry) { e.Body.Ins(OpMov, B32).Args(Sreg(0)) }, "invalid special register 0"},
		{"vector element", func(_ *Module, e *Entry) { e.Body.Ins(OpMov, B32).Vec(0, 0) }, "class 0, number 0 does not belong"},
		{"tensor map", func(_ *Module, e *Entry) { e.Body.Ins(OpCpAsyncBulkTensor).Tensor(0, Int(0)) }, "class 0, number 0 does not belong"},
		{"no symbol", func(_ *Module, e *Entry) { e.Body.Ins(OpLd, B32).Args(AtSym(7, 0)) }, "symbol 7 does not belong to the body"},
		{"callee", func(_ *Module, e *Entry) { e.Body.Call(0, 0) }, "symbol 0 does not belong to the body"},
		{"local name", func(_ *Module, e *Entry) { e.Body.DeclareParam(e.Body.Sym("a b"), B32) }, `local name "a b" is not a PTX identifier`},
		{"local symbol", func(_ *Module, e *Entry) { e.Body.DeclareParam(3, B32) }, "symbol 3 does not belong to the body"},
		{"label not placed", func(_ *Module, e *Entry) { e.Body.Bra(e.Body.NewLabel()) }, "label $L1 is not placed"},
		{"label placed twice", func(_ *Module, e *Entry) {
			l := e.Body.NewLabel()
			e.Body.Place(l)
			e.Body.Place(l)
		}, "statement 1: label $L1 is placed twice"},
		{"foreign label", func(_ *Module, e *Entry) { e.Body.Place(5) }, "label $L5 does not belong to the entry"},
		{"branch to foreign label", func(_ *Module, e *Entry) { e.Body.Bra(5) }, "label $L5 does not belong to the entry"},
		{"open scope", func(_ *Module, e *Entry) { e.Body.Open() }, "1 scopes are not closed"},
		{"closed scope", func(_ *Module, e *Entry) { e.Body.Close() }, "closes a scope that is not open"},
		{"location", func(_ *Module, e *Entry) { e.Body.Loc(Loc{Line: 1}) }, "location without a file"},
		{"inlined location", func(_ *Module, e *Entry) {
			e.Body.Loc(Loc{File: e.Body.File("f"), Inlined: &Inlined{Function: "g"}})
		}, "inlined location without a file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := &Entry{Name: "k"}
			m := &Module{Target: target(t, "sm_80"), Entries: []*Entry{e}}
			if err := m.Verify(); err != nil {
				t.Fatalf("before the defect: %v", err)
			}
			tt.build(m, e)
			if err := m.Verify(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
		})
	}
}

// failAfter is a writer with room for n bytes.
type failAfter struct{ n int }

var errFull = errors.New("full")

func (w *failAfter) Write(p []byte) (int, error) {
	if len(p) > w.n {
		n := w.n
		w.n = 0
		return n, errFull
	}
	w.n -= len(p)
	return len(p), nil
}

func TestWriteToReportsTheFirstError(t *testing.T) {
	t.Parallel()
	m := manyInstructions(t, 10_000)
	const room = 100_000
	n, err := m.WriteTo(&failAfter{room})
	if !errors.Is(err, errFull) || n != room {
		t.Errorf("WriteTo = %d, %v, want %d, %v", n, err, room, errFull)
	}
}

// manyInstructions is a straight line of n multiply-adds with a vector load and a store for every eight.
func manyInstructions(t testing.TB, n int) *Module {
	e := &Entry{Name: "k"}
	b, r := &e.Body, &e.Regs
	addr := r.New(R64)
	var x [4]Reg
	for i := range n {
		switch i % 8 {
		case 0:
			for j := range x {
				x[j] = r.New(RF32)
			}
			b.Ins(OpLd, Global, V4, F32).Vec(x[:]...).Args(At(addr, int32(i*16)))
		case 7:
			b.Ins(OpSt, Global, V4, F32).Args(At(addr, int32(i*16))).Vec(x[:]...)
		default:
			d := r.New(RF32)
			b.Ins(OpFma, RN, F32).Args(R(d), R(x[i%4]), R(x[(i+1)%4]), Float32(2))
			x[i%4] = d
		}
	}
	return &Module{Target: target(t, "sm_80"), Entries: []*Entry{e}}
}

// TestPrintingAllocates pins that printing allocates for each module, not for each instruction.
func TestPrintingAllocates(t *testing.T) {
	count := func(n int) float64 {
		m := manyInstructions(t, n)
		return testing.AllocsPerRun(5, func() {
			if _, err := m.WriteTo(io.Discard); err != nil {
				t.Fatal(err)
			}
		})
	}
	if small, large := count(100), count(20_000); large > small {
		t.Errorf("%v allocations for 20000 instructions, %v for 100", large, small)
	}
}

func BenchmarkPrint(b *testing.B) {
	m := manyInstructions(b, 20_000)
	n, err := m.WriteTo(io.Discard)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(n)
	for b.Loop() {
		if _, err := m.WriteTo(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20_000, "ns/instruction")
}

func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		manyInstructions(b, 20_000)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20_000, "ns/instruction")
}
