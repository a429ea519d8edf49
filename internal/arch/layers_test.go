package arch

import (
	"path"
	"slices"
)

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
var levels = []string{levelCudaTile, levelTileAA, levelTileAS, levelNVVM}

// testHelpers serve tests: only test files and the packages under tests may import them.
var testHelpers = []string{"internal/arch/...", "internal/testing/..."}

// mains are the programs: flags of the process, standard streams, exit status.
var mains = []string{"cmd/tile-opt", "cmd/tile-reduce", "cmd/tile-run", "cmd/tile-translate", "cmd/tilec", "cmd/tile", "cmd/tile-lsp", "cmd/tile-view", "cmd/tile-tools"}

// tools are the bodies of the programs as libraries beside their mains, so that tests and the reference pages call them
// in the process.
var tools = []string{"cmd/tile-opt/opttool", "cmd/tile-translate/translatetool", "cmd/tilec/compiletool", "cmd/tile-run/runtool",
	"cmd/tile-reduce/reducetool", "cmd/tile-lsp/lsptool", "cmd/tile-view/viewtool", "cmd/tile/check", "cmd/tile/confirm", "cmd/tile/debug", "cmd/tile/doctor", "cmd/tile/judge", "cmd/tile/link", "cmd/tile/tiletool", "cmd/tile-tools/multitool"}

// servers stand beside the main that serves them: a language server, a page that recompiles, the engine for clients.
var servers = []string{"cmd/tile-lsp/lsp", "cmd/tile-view/view", "cmd/tile-run/serve"}

var testLibraries = []string{"tests/..."}

const mainsWhy = "a tool is a thin main"

// leaves are helpers that know nothing of the project. Every layer above ir may use them, the emulator excepted.
const leaves = "internal/leaf/..."

// tooling is what tools share: flags and exit status, reports, reference pages, the demo.
const tooling = "internal/tooling/..."

// lastConversionRooms have the rules of convert-tileas-to-nvvm, each those of one subject.
var lastConversionRooms = []string{"passes/convert/tileastonvvm/async", "passes/convert/tileastonvvm/collective",
	"passes/convert/tileastonvvm/control", "passes/convert/tileastonvvm/deviceruntime", "passes/convert/tileastonvvm/elements",
	"passes/convert/tileastonvvm/memory", "passes/convert/tileastonvvm/mma", "passes/convert/tileastonvvm/tmem"}

var layers = []layer{
	{
		packages: []string{"ir/linear"},
		why:      "layouts are mathematics, so that every level may use them",
	},
	{
		packages: []string{"ir/asm/lexer", "ir/asm/number", "ir/asm/symbols", "ir/asm/naming", "ir/asm/format", "ir/asm/index", "ir/asm/resource"},
		may:      []string{"ir", "ir/numeric", "ir/asm/lexer"},
		why:      "the rooms below the parser and the printer know neither",
	},
	{
		packages: []string{"ir/asm/parser", "ir/asm/printer"},
		may:      []string{"ir/..."},
		never:    []string{"ir/asm", "ir/asm/parser", "ir/asm/printer"},
		why:      "parser and printer are apart",
	},
	{
		packages: []string{"ir/..."},
		may:      []string{"ir/..."},
		why:      "the generic IR knows no dialect",
	},
	inputRoom("", "the words of the dialect know nothing that is made of them"),
	inputRoom("wire", "encodings know no operation's rules"),
	inputRoom("syntax", "text is parsed and printed without rules"),
	inputRoom("facts", "what analyses ask knows neither text nor rules"),
	inputRoom("verify", "rules know where control goes and no text", "facts"),
	inputRoom("canonical", "folds and patterns know neither text nor rules"),
	inputRoom("ops", "the table is made of all rooms", "wire", "syntax", "facts", "verify", "canonical"),
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
	room("hb", "what happens before what is decided from events, without a machine"),
	room("machine", "the machine executes functions and knows no instruction", "num", "syntax", "hb"),
	room("profile", "reports know the names of instructions and not what they do", "num", "syntax", "machine"),
	room("vector", "vector instructions know lanes and no machine"),
	room("decode", "operands are the same for all instructions, so that their decoder knows none", "num", "syntax", "machine"),
	room("arith", "what is computed in registers needs no memory and no copy", slices.Concat(belowInstructions, []string{"fp", "vector"})...),
	room("tma", "copies know neither tensor cores nor the accesses of threads", slices.Concat(belowInstructions, []string{"fp", "arith"})...),
	room("access", "accesses of threads know of the rest only that bulk copies are not theirs", slices.Concat(belowInstructions, []string{"fp", "arith", "tma"})...),
	room("barrier", "waiting knows what the machine waits at, not who else arrives there", slices.Concat(belowInstructions, []string{"fp", "arith"})...),
	room("control", "control flow computes nothing", belowInstructions...),
	room("mma", "products of registers know no TMEM", slices.Concat(belowInstructions, []string{"fp", "arith"})...),
	room("tcgen05", "TMEM multiplies as mma does and knows no other instruction", slices.Concat(belowInstructions, []string{"fp", "arith", "mma"})...),
	{
		packages: []string{"target/engine/emu/..."},
		may:      []string{"target/engine/emu/..."},
		why:      "the emulator judges the compiler, so it shares no code with it",
	},
	interpreter("vector", "vector instructions know slices of patterns and no operation"),
	interpreter("values", "tiles know no machine", "vector"),
	interpreter("kernel", "kernels know slices of patterns and no tile", "vector"),
	interpreter("fault", "errors know tiles and no memory", "values"),
	interpreter("sched", "what runs next does not depend on what it does", "values", "fault"),
	interpreter("memory", "global memory knows no operation", "values", "fault"),
	interpreter("races", "races are between addresses", "values", "fault", "memory"),
	interpreter("inflight", "what is in flight knows how it lands and not what it is", "sched"),
	interpreter("onchip", "memory on the chip knows no machine", "values", "fault", "sched", "inflight"),
	interpreter("core", "the machine executes closures and knows no operation", machineState...),
	interpreter("compute", "what is computed of tiles needs no memory", slices.Concat(machineState, []string{"core", "kernel"})...),
	interpreter("control", "control flow computes nothing", slices.Concat(machineState, []string{"core"})...),
	interpreter("access", "accesses of threads know nothing asynchronous", slices.Concat(machineState, []string{"core", "vector"})...),
	interpreter("cluster", "what CTAs share knows nothing asynchronous", slices.Concat(machineState, []string{"core", "access"})...),
	interpreter("mma", "MMAs multiply tiles, wherever those come from", slices.Concat(machineState, []string{"core", "kernel", "cluster"})...),
	interpreter("async", "asynchronous copies and MMAs know no TMEM", slices.Concat(machineState, []string{"core", "access", "cluster", "mma"})...),
	interpreter("tmem", "TMEM multiplies as mma does, asynchronously", slices.Concat(machineState, []string{"core", "access", "cluster", "mma", "async"})...),
	interpreter("warps", "barriers of warps know nothing asynchronous", slices.Concat(machineState, []string{"core"})...),
	{
		packages: []string{"target/..."},
		may:      []string{"ir/...", "dialects/...", "bytecode/...", "target/...", leaves},
		why:      "a target is described and run without the passes that lower to it",
	},
	{
		packages: lastConversionRooms,
		may:      []string{"ir/...", "dialects/...", "target/...", "passes/...", leaves},
		never:    lastConversionRooms,
		why:      "rooms of the last conversion know its core and the access to tiles, and not each other",
	},
	{
		packages: []string{"passes/..."},
		may:      []string{"ir/...", "dialects/...", "bytecode/...", "target/...", "passes/...", leaves},
		why:      "a pass is driven by the pipeline and does not know it",
	},
	{
		packages: []string{"pipeline/..."},
		may:      []string{"ir/...", "dialects/...", "bytecode/...", "target/...", "passes/...", "pipeline/...", leaves},
		never:    tools,
		why:      "the pipeline is a library and knows no tool",
	},
	{
		packages: tools,
		may:      []string{"..."},
		never:    slices.Concat(mains, testLibraries, testHelpers),
		why:      "a tool as a library stands above everything but its main",
	},
	{
		packages: servers,
		may:      []string{"ir/...", "dialects/...", "bytecode/...", "target/...", "passes/...", "pipeline/...", tooling, leaves},
		never:    []string{"internal/tooling/cli"},
		why:      "a server is a library over the pipeline; its tool has the flags",
	},
	{
		packages: []string{"internal/tooling/report", "internal/tooling/why"},
		may:      []string{"ir/...", "dialects/...", "bytecode/...", "target/...", "passes/...", "pipeline/...", "internal/tooling/why", leaves},
		why:      "a report explains a compile, with its cures, and knows no tool",
	},
	{
		packages: []string{"internal/tooling/cli"},
		may:      []string{"..."},
		never:    slices.Concat(mains, testLibraries, testHelpers),
		why:      "what the tools share is a library below them",
	},
	{
		packages: []string{tooling},
		may:      []string{"..."},
		never:    slices.Concat(mains, testLibraries, testHelpers),
		why:      "what explains the project is made from everything that explains itself",
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

// machineState are the rooms of the interpreter that hold the state of a machine.
var machineState = []string{"values", "fault", "sched", "memory", "races", "inflight", "onchip"}

// interpreter is the row of one package of the interpreter.
func interpreter(name, why string, may ...string) layer {
	const interp = "target/engine/interp/"
	row := layer{packages: []string{interp + name}, may: []string{"ir/...", "dialects/...", "target/engine/launch", leaves}, why: why}
	for _, below := range may {
		row.may = append(row.may, interp+below)
	}
	return row
}

// inputRoom is the row of one room of the dialect cuda_tile.
func inputRoom(name, why string, may ...string) layer {
	const input = "dialects/cudatile"
	row := layer{packages: []string{path.Join(input, name)}, may: []string{"ir/...", leaves}, why: why}
	if name != "" {
		row.may = append(row.may, input)
	}
	for _, below := range may {
		row.may = append(row.may, path.Join(input, below))
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
	{"internal/testing/...", []string{"tests/...", "internal/testing/..."}, "what tests share serves tests"},
	{"internal/testing/testpasses/...", []string{"tests/..."}, "passes for tests are linked by tests, or the tools would list them"},
	{"ir/asm/asmtest", nil, "what the tests of ir/asm share is for tests"},
	{"target/engine/emu/emutest", nil, "what the tests of the emulator share is for tests"},
	{"internal/arch/...", nil, "the package holds only tests"},
	{"internal/tooling/cli", append([]string{"cmd/...", "internal/tooling/reference", "tests/..."}, tools...), "what the tools share is not for what lies below them"},
	{"tests/...", []string{"tests/...", "internal/testing/..."}, "test libraries serve tests"},
	{"cmd/tile-opt", nil, mainsWhy},
	{"cmd/tile-reduce", nil, mainsWhy},
	{"cmd/tile-run", nil, mainsWhy},
	{"cmd/tile-translate", nil, mainsWhy},
	{"cmd/tilec", nil, mainsWhy},
	{"cmd/tile", nil, mainsWhy},
	{"cmd/tile-lsp", nil, mainsWhy},
	{"cmd/tile-view", nil, mainsWhy},
	{"cmd/tile-tools", nil, mainsWhy},
}

// allPasses have rooms besides (passRooms).
const allPasses = "passes/..."
