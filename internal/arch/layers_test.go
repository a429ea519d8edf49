package arch

import "slices"

// A pattern is a package path below the module root; with a trailing /... it covers the packages below it too.

// layer is a row: the packages it is about and what their code outside tests may import of the project. The first row
// that covers a package is its row.
type layer struct {
	packages []string
	may      []string // patterns
	never    []string // patterns that are taken out of may
	why      string
}

// The levels of the compiler, each a dialect of its own.
var levels = []string{"dialects/cudatile/...", "dialects/tileaa/...", "dialects/tileas/...", "dialects/nvvm/..."}

// testHelpers serve tests: only test files and the packages under tests may import them.
var testHelpers = []string{"internal/arch/...", "internal/corpus/...", "internal/judges/...", "internal/testdialect/...",
	"internal/cudatiletesting/...", "internal/testpasses/...", "internal/headless/..."}

// mains are the programs: flags of the process, standard streams, exit status.
var mains = []string{"cmd/tile-opt", "cmd/tile-reduce", "cmd/tile-run", "cmd/tile-translate", "cmd/tilec", "cmd/tile", "cmd/tile-lsp", "cmd/tile-view"}

// tools are the bodies of the programs as libraries beside their mains, so that tests and the reference pages call them
// in the process.
var tools = []string{"cmd/tile-opt/opttool", "cmd/tile-translate/translatetool", "cmd/tilec/compiletool", "cmd/tile-run/runtool", "cmd/tile-reduce/reducetool", "cmd/tile-lsp/lsptool", "cmd/tile-view/viewtool", "cmd/tile/doctor"}

var testLibraries = []string{"tests/..."}

const mainsWhy = "a tool is a thin main"

// leaves are helpers that know nothing of the project. Every layer above ir may use them, the emulator excepted.
const leaves = "internal/..."

var layers = []layer{
	{
		packages: []string{"ir/..."},
		may:      []string{"ir/..."},
		why:      "the generic IR knows no dialect",
	},
	level("dialects/cudatile/..."),
	level("dialects/tileaa/..."),
	level("dialects/tileas/..."),
	level("dialects/nvvm/..."),
	{
		packages: []string{"dialects/..."},
		may:      []string{"ir/...", "dialects/...", leaves},
		never:    levels,
		why:      "what the levels share must not depend on one of them",
	},
	{
		packages: []string{"bytecode/..."},
		may:      []string{"ir/...", "dialects/...", "bytecode/...", leaves},
		why:      "the container holds dialects and nothing above them",
	},
	room("num", "numbers of n bits know nothing of PTX"),
	room("fp", "arithmetic knows nothing of PTX", "num"),
	room("syntax", "text is read without knowing an instruction", "num", "fp"),
	room("forms", "the list of instructions is data, made from nothing"),
	room("machine", "the machine executes functions and knows no instruction", "num", "syntax"),
	room("profile", "reports know the names of instructions and not what they do", "num", "syntax", "machine"),
	room("decode", "operands are the same for all instructions, so that their decoder knows none", "num", "syntax", "machine"),
	room("arith", "what is computed in registers needs no memory and no copy", slices.Concat(belowInstructions, []string{"fp"})...),
	room("tma", "copies know neither tensor cores nor the accesses of threads", slices.Concat(belowInstructions, []string{"fp", "arith"})...),
	room("access", "accesses of threads know of the rest only that bulk copies are not theirs", slices.Concat(belowInstructions, []string{"fp", "arith", "tma"})...),
	room("barrier", "waiting knows what the machine waits at, not who else arrives there", slices.Concat(belowInstructions, []string{"fp", "arith"})...),
	room("control", "control flow computes nothing", belowInstructions...),
	room("mma", "products of registers know no tensor memory", slices.Concat(belowInstructions, []string{"fp", "arith"})...),
	room("tcgen05", "tensor memory multiplies as mma does and knows no other instruction", slices.Concat(belowInstructions, []string{"fp", "arith", "mma"})...),
	{
		packages: []string{"target/engine/emu/..."},
		may:      []string{"target/engine/emu/..."},
		why:      "the emulator judges the compiler, so it shares no code with it",
	},
	{
		packages: []string{"target/..."},
		may:      []string{"ir/...", "dialects/...", "bytecode/...", "target/...", leaves},
		why:      "a target is described and run without the passes that lower to it",
	},
	{
		packages: []string{"passes/..."},
		may:      []string{"ir/...", "dialects/...", "bytecode/...", "target/...", "passes/...", leaves},
		why:      "a pass is driven by the pipeline and does not know it",
	},
	{
		packages: tools,
		may:      []string{"..."},
		never:    slices.Concat(mains, testLibraries, testHelpers),
		why:      "a tool as a library stands above everything but its main",
	},
	{
		packages: []string{"pipeline/..."},
		may:      []string{"ir/...", "dialects/...", "bytecode/...", "target/...", "passes/...", "pipeline/...", leaves},
		never:    tools,
		why:      "the pipeline is a library and knows no tool",
	},
	{
		packages: []string{"internal/cli/..."},
		may:      []string{"..."},
		never:    slices.Concat(mains, testLibraries, testHelpers),
		why:      "what the tools share is a library below them",
	},
	{
		packages: []string{"internal/reference/..."},
		may:      []string{"..."},
		never:    slices.Concat(mains, testLibraries, testHelpers),
		why:      "the reference pages are made from everything that explains itself",
	},
	{
		packages: append([]string{"tests/..."}, testHelpers...),
		may:      []string{"..."},
		never:    mains,
		why:      "tests call the tools as libraries",
	},
	{
		packages: []string{leaves},
		may:      []string{leaves},
		never:    append([]string{"internal/cli/..."}, testHelpers...),
		why:      "every layer may use a leaf, so a leaf knows none",
	},
	{
		packages: []string{"cmd/..."},
		may:      []string{"..."},
		never:    slices.Concat(mains, testLibraries, testHelpers),
		why:      "a tool is a thin main over libraries",
	},
}

// belowInstructions are the rooms of the emulator that every family of instructions stands on.
var belowInstructions = []string{"num", "syntax", "machine", "decode"}

// room is the row of one package of the emulator.
func room(name, why string, may ...string) layer {
	const emu = "target/engine/emu/"
	row := layer{packages: []string{emu + name}, why: why}
	for _, below := range may {
		row.may = append(row.may, emu+below)
	}
	return row
}

// level is the row of one level's dialect.
func level(packages string) layer {
	row := layer{
		packages: []string{packages},
		may:      []string{"ir/...", "dialects/...", leaves},
		why:      "a level knows no other level; conversions do",
	}
	for _, other := range levels {
		if other != packages {
			row.never = append(row.never, other)
		}
	}
	return row
}

// reserved patterns may be imported by these packages only, whatever their row says.
var reserved = []struct {
	pattern string
	by      []string
	why     string
}{
	{"internal/corpus/...", []string{"tests/...", "internal/judges/..."}, "the corpus serves tests"},
	{"internal/judges/...", []string{"tests/..."}, "the judges serve tests"},
	{"internal/testpasses/...", []string{"tests/..."}, "passes for tests are linked by tests, or the tools would list them"},
	{"target/engine/emu/emutest", nil, "what the tests of the emulator share is for tests"},
	{"internal/arch/...", nil, "the package holds only tests"},
	{"internal/cli/...", append([]string{"cmd/...", "internal/cli/...", "tests/..."}, tools...), "what the tools share is not for what lies below them"},
	{"tests/...", []string{"tests/..."}, "test libraries serve tests"},
	{"cmd/tile-opt", nil, mainsWhy},
	{"cmd/tile-reduce", nil, mainsWhy},
	{"cmd/tile-run", nil, mainsWhy},
	{"cmd/tile-translate", nil, mainsWhy},
	{"cmd/tilec", nil, mainsWhy},
	{"cmd/tile", nil, mainsWhy},
	{"cmd/tile-lsp", nil, mainsWhy},
	{"cmd/tile-view", nil, mainsWhy},
}

// conversions are the only passes that may know two levels. Properties are no pass: their package declares those of all levels.
const (
	allPasses   = "passes/..."
	conversions = "passes/convert/..."
	properties  = "passes/property"
)
