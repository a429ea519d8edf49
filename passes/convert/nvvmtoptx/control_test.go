package nvvmtoptx_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// TestParallelMoves runs loops that assign their arguments from one another at random (permutations, copies,
// constants), on both kinds of branches, and compares with the same done here.
func TestParallelMoves(t *testing.T) {
	t.Parallel()
	const n, rounds = 7, 5
	r := rand.New(rand.NewPCG(5, 6))
	for trial := range 40 {
		back, out := make([]int, n), make([]int, n) // sources; n is the constant
		for i := range n {
			back[i], out[i] = r.IntN(n+1), r.IntN(n+1)
		}
		if trial%2 == 0 {
			copy(back, r.Perm(n))
		}
		conditional := trial%3 == 0
		src := shuffleLoop(n, rounds, back, out, conditional)
		m, text := ptxprobe.Emit(t, ptxprobe.Parse(t, src), "sm_80")
		if trial < 6 {
			ptxprobe.Assemble(t, m, text)
		}
		state := make([]uint32, n+1)
		for i := range n {
			state[i] = uint32(10 + i)
		}
		state[n] = 99
		assign := func(from []int) {
			next := append([]uint32{}, state...)
			for i, f := range from {
				next[i] = state[f]
			}
			state = next
		}
		for range rounds {
			assign(back)
		}
		assign(out)
		for i, got := range results(t, text, n) {
			if got != state[i] {
				t.Fatalf("trial %d, value %d: got %d, want %d\n%s\n%s", trial, i, got, state[i], src, text)
			}
		}
	}
}

func shuffleLoop(n, rounds int, back, out []int, conditional bool) string {
	names := func(prefix string, from []int) string {
		list := make([]string, len(from))
		for i, f := range from {
			if list[i] = fmt.Sprintf("%%%s%d", prefix, f); f == n {
				list[i] = "%k"
			}
		}
		return strings.Join(list, ", ")
	}
	types := strings.TrimSuffix(strings.Repeat("i32, ", n), ", ")
	var b strings.Builder
	b.WriteString("nvvm.func @k(%y: !nvvm.ptr<1>) attributes {nvvm.reqntid = array<i32: 1>} {\n  %k = arith.constant 99 : i32\n  %zero = arith.constant 0 : i32\n  %one = arith.constant 1 : i32\n")
	fmt.Fprintf(&b, "  %%n = arith.constant %d : i32\n", rounds)
	identity := make([]int, n)
	var header, final []string
	for i := range n {
		identity[i] = i
		fmt.Fprintf(&b, "  %%s%d = arith.constant %d : i32\n", i, 10+i)
		header = append(header, fmt.Sprintf("%%a%d: i32", i))
		final = append(final, fmt.Sprintf("%%r%d: i32", i))
	}
	fmt.Fprintf(&b, "  cf.br ^head(%%zero, %s : i32, %s)\n^head(%%i: i32, %s):\n", names("s", identity), types, strings.Join(header, ", "))
	b.WriteString("  %next = arith.addi %i, %one : i32\n")
	if conditional { // a block that branches to itself, and leaves one round later
		fmt.Fprintf(&b, "  %%more = arith.cmpi slt, %%i, %%n : i32\n  cf.cond_br %%more, ^head(%%next, %s : i32, %s), ^exit(%s : %s)\n",
			names("a", back), types, names("a", out), types)
	} else {
		fmt.Fprintf(&b, "  %%done = arith.cmpi sge, %%i, %%n : i32\n  cf.cond_br %%done, ^exit(%s : %s), ^body\n^body:\n  cf.br ^head(%%next, %s : i32, %s)\n",
			names("a", out), types, names("a", back), types)
	}
	fmt.Fprintf(&b, "^exit(%s):\n", strings.Join(final, ", "))
	for i := range n {
		fmt.Fprintf(&b, "  nvvm.st %%y + %d, %%r%d : !nvvm.ptr<1>, i32\n", 4*i, i)
	}
	b.WriteString("  nvvm.return\n}\n")
	return b.String()
}

// results runs kernel k with one thread and returns the n words that it stores.
func results(t *testing.T, text string, n int) []uint32 {
	t.Helper()
	mem := emu.NewMemory()
	y, err := mem.Alloc("y", uint64(4*n), 16)
	if err != nil {
		t.Fatal(err)
	}
	params := [][]byte{binary.LittleEndian.AppendUint64(nil, y)}
	if _, err := ptxprobe.Load(t, text).Run(context.Background(), mem, emu.Launch{Entry: "k", Params: params}); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	data := make([]byte, 4*n)
	if err := mem.Read(y, data); err != nil {
		t.Fatal(err)
	}
	out := make([]uint32, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return out
}
