package triton

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sass"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/tests/triton/kernels"
)

// peersPage has the table of what TestPeers counts, and why we are worse where we are.
const peersPage = "../../docs/measurements/peers.md"

// minimumPeers is what TestPeers promises to cover: so many kernels beside ours.
const minimumPeers = 19

// slack is by how much a figure may be above Triton's before somebody must say why.
const slack = 1.05

// A tally is what a launch did, by the counters of the emulator, and what ptxas and the model say of its code.
type tally struct {
	who                string
	warps              int // of a CTA
	registers, spilled int
	code               int    // machine instructions
	instructions       uint64 // of PTX without moves, and without waits that failed and their branches back
	counters           *machine.Counters
	conflicts, shared  uint64
	blocks             uint64
	cycles             int64
}

// explained finds the lines of the page that say why a figure is worse.
var explained = regexp.MustCompile(`(?m)^- \w+ on sm_\d+, [a-z ]+`)

// TestPeers runs our PTX beside Triton's: the same problem, the same arguments, the same engine. Both must leave what
// numpy says, ours however late what is asynchronous completes too (Triton's late runs are those of TestTriton), and
// ours may not do more of anything than Triton's by more than the slack where the page does not say why. With
// TILEWRIGHT_UPDATE=1 it writes the table of the page.
func TestPeers(t *testing.T) {
	tier.Long(t)
	t.Parallel()
	page, err := os.ReadFile(peersPage)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	needed := map[string]bool{}
	for _, target := range kernels.Targets {
		dirs, err := filepath.Glob(filepath.Join(kernels.Builds(t)[target], "peer_*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			c, err := kernels.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), "peer_"), ".")
			t.Run(target+"/"+name, func(t *testing.T) {
				theirs, ours := theirTally(t, c, target), ourTally(t, c, target)
				behind := ours.behind(theirs)
				for _, what := range behind {
					line := "- " + name + " on " + target + ", " + what
					if needed[line] = true; !bytes.Contains(page, []byte(line)) {
						t.Errorf("%s of ours are above Triton's, and %s has no line that begins with '%s' to say why:\n%s%s", what, peersPage, line, theirs.row(name, target, nil), ours.row(name, target, behind))
					}
				}
				rows = append(rows, theirs.row(name, target, nil), ours.row(name, target, behind))
			})
		}
	}
	for _, line := range explained.FindAllString(string(page), -1) {
		if !needed[line] {
			t.Errorf("%s says why we are worse in '%s', and we are not", peersPage, line)
		}
	}
	if len(rows) < 2*minimumPeers {
		t.Errorf("only %d kernels stand beside each other, expected at least %d", len(rows)/2, minimumPeers)
	}
	if os.Getenv("TILEWRIGHT_UPDATE") != "" {
		writeTable(t, string(page), rows)
	}
}

func theirTally(t *testing.T, c *kernels.Case, target string) *tally {
	t.Helper()
	p := &emu.Profile{Trace: new(emu.Trace)}
	if _, err := c.Launch(t.Context(), c.Module, emu.Launch{Profile: p}); err != nil {
		t.Fatalf("Triton's: %v", err)
	}
	e, err := emulate.New("theirs.ptx", c.PTX)
	if err != nil {
		t.Fatal(err)
	}
	e.Profile = p
	return newTally(t, "Triton", e, c.Entry, target)
}

func ourTally(t *testing.T, c *kernels.Case, target string) *tally {
	t.Helper()
	code := compiled(t, c.Peer, target)
	var x *tally
	for seed := range uint64(3) {
		e, err := code.Emulator("ours.ptx", "k")
		if err != nil {
			t.Fatal(err)
		}
		if e.Adversarial, e.Seed = seed > 0, seed; seed == 0 {
			e.Profile = &emu.Profile{Trace: new(emu.Trace)}
		}
		if err := runOurs(t.Context(), c, e); err != nil {
			t.Fatalf("ours, seed %d: %v", seed, err)
		}
		if seed == 0 {
			x = newTally(t, "ours", e, "k", target)
		}
	}
	return x
}

// compiled is a kernel of peers/ as PTX, with maps of bulk tensor copies for parameters, which Triton's host
// descriptors are as well.
func compiled(t *testing.T, name, target string) *compile.Result {
	t.Helper()
	file := filepath.Join("peers", name+".mlir")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	ctx := tileir.NewContext()
	ctx.Diag.Push(ctx.Diag.PrintTo(&said))
	m, err := tileir.Read(ctx, file, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	code, err := compile.To(t.Context(), m, compile.Options{GPU: target, OptLevel: 3, TensorMaps: contract.TensorMapParams})
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	return code
}

// runOurs runs a kernel of this project with the case's arguments, and compares what it leaves.
func runOurs(ctx context.Context, c *kernels.Case, e *emulate.Engine) error {
	r := &launch.Request{Entry: "k", Grid: c.Grid}
	args := make(map[int]*launch.Buffer) // by parameter of the case
	for i, p := range c.Params {
		switch {
		case p.Arg == "":
		case p.Kind == "scalar":
			d, err := launch.ParseDType(p.DType)
			if err != nil {
				return err
			}
			bits, err := d.ParseValue(p.Value)
			if err != nil {
				return err
			}
			r.Args = append(r.Args, launch.Arg{Scalar: launch.Scalar{DType: d, Bits: bits}})
		default:
			b, err := c.Buffer(p.File, p.DType)
			if err != nil {
				return err
			}
			args[i] = b
			r.Args = append(r.Args, launch.Arg{Buffer: b})
		}
	}
	if err := e.Run(ctx, r); err != nil {
		return err
	}
	for _, x := range c.Expect {
		if err := c.Compare(x, args[x.Param]); err != nil {
			return err
		}
	}
	return nil
}

func newTally(t *testing.T, who string, e *emulate.Engine, entry, target string) *tally {
	t.Helper()
	report, err := e.Report(entry)
	if err != nil {
		t.Fatal(err)
	}
	x := &tally{who: who, counters: &report.Total.Counters, blocks: report.TileBlocks}
	for _, a := range machine.Accesses() {
		if a.Unit == machine.WavefrontUnit {
			x.conflicts += x.counters[a.First+1] - x.counters[a.First+2]
			x.shared += x.counters[a.First+3]
		}
	}
	x.instructions = x.counters[machine.WarpInstructions] - 2*x.counters[machine.MbarrierRetries]
	for _, u := range report.Units {
		if u.Unit == "move" {
			x.instructions -= u.WarpInstructions
		}
	}
	x.assemble(t, e, entry)
	arch, err := sm.Lookup(target)
	if err != nil {
		t.Fatal(err)
	}
	estimate, err := e.Estimate(t.Context(), entry, arch, sass.Code{Registers: x.registers})
	if err != nil {
		t.Fatal(err)
	}
	x.warps, x.cycles = estimate.Warps, estimate.KernelCycles
	return x
}

// sassLine is an instruction in a listing of machine code.
var sassLine = regexp.MustCompile(`(?m)^\s+/\*[0-9a-f]{4,}\*/\s+[^;]+;`)

// assemble asks ptxas what it makes of the code.
func (x *tally) assemble(t *testing.T, e *emulate.Engine, entry string) {
	t.Helper()
	tool := &ptxas.Tool{Path: judges.Ptxas(t)}
	a, err := tool.Assemble(t.Context(), e.Source(), ptxas.Options{Arch: e.Target(), OptLevel: 3, ExtendedShared: true})
	if err != nil {
		t.Fatalf("%s: %v", x.who, err)
	}
	for _, s := range a.Entries {
		if s.Entry == entry {
			x.registers, x.spilled = s.Registers, s.SpillStores+s.SpillLoads
		}
	}
	file := filepath.Join(t.TempDir(), "k.cubin")
	if err := os.WriteFile(file, a.Cubin, 0o666); err != nil {
		t.Fatal(err)
	}
	listing, err := exec.Command(judges.Tool(t, "cuobjdump"), "-sass", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range sassLine.FindAll(listing, -1) {
		if !bytes.Contains(line, []byte(" NOP ")) && !bytes.Contains(line, []byte(" NOP;")) {
			x.code++
		}
	}
}

// globalBytes are all that travel from and to global memory.
func (x *tally) globalBytes() (n uint64) {
	for _, way := range []machine.Counter{machine.GlobalLoad, machine.GlobalCopy, machine.BulkLoad, machine.GlobalStore, machine.BulkStore, machine.GlobalAtomic} {
		n += x.counters[way+3]
	}
	return n
}

// behind names the figures that are above those of another code by more than the slack.
func (x *tally) behind(y *tally) (list []string) {
	for _, f := range []struct {
		what         string
		ours, theirs uint64
	}{
		{"instructions", x.instructions, y.instructions}, {"bytes of global memory", x.globalBytes(), y.globalBytes()}, {"bank conflicts", x.conflicts, y.conflicts},
		{"barriers", x.counters[machine.BarrierArrivals], y.counters[machine.BarrierArrivals]}, {"spills", uint64(x.spilled), uint64(y.spilled)}, {"cycles", uint64(x.cycles), uint64(y.cycles)},
	} {
		if float64(f.ours) > slack*float64(f.theirs) {
			list = append(list, f.what)
		}
	}
	return list
}

const peersHead = "| kernel | target | whose | warps | registers | spills | machine code | instructions a tile block | KiB read: ld, cp.async, TMA | written: st, TMA | shared: threads, bulk | bank conflicts | barriers a warp | mbarrier waits a warp | cycles | worse in |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"

func (x *tally) row(name, target string, behind []string) string {
	c := x.counters
	kib := func(ways ...uint64) string {
		list := make([]string, len(ways))
		for i, n := range ways {
			list[i] = fmt.Sprint((n + 512) / 1024)
		}
		return strings.Join(list, ", ")
	}
	warps := float64(x.warps) * float64(x.blocks)
	return fmt.Sprintf("| %s | %s | %s | %d | %d | %d | %d | %d | %s | %s | %s | %d | %.1f | %.1f | %d | %s |\n", name, target, x.who, x.warps, x.registers, x.spilled, x.code, x.instructions/x.blocks,
		kib(c[machine.GlobalLoad+3], c[machine.GlobalCopy+3], c[machine.BulkLoad+3]), kib(c[machine.GlobalStore+3], c[machine.BulkStore+3]), kib(x.shared, c[machine.SharedBulkReadBytes]+c[machine.SharedBulkWriteBytes]),
		x.conflicts, float64(c[machine.BarrierArrivals])/warps, float64(c[machine.MbarrierWaits]-c[machine.MbarrierRetries])/warps, x.cycles, strings.Join(behind, ", "))
}

func writeTable(t *testing.T, page string, rows []string) {
	t.Helper()
	const begin, end = "<!-- table -->\n", "<!-- end of table -->"
	head, rest, ok := strings.Cut(page, begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", peersPage)
	}
	if err := os.WriteFile(peersPage, []byte(head+begin+peersHead+strings.Join(rows, "")+end+tail), 0o666); err != nil {
		t.Fatal(err)
	}
}
