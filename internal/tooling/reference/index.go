package reference

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/pipeline/tileir"
)

func indexPage(w *words) string {
	page := newDoc("Reference")
	page.WriteString("Made from the tables of the compiler by `" + Command + "`; a test fails when a page is out of date.\n\n")
	page.heading(2, "Dialects")
	for _, d := range tileir.Dialects() {
		var parts []string
		for _, n := range []struct {
			count int
			what  string
		}{{len(d.Ops()), "operations"}, {len(d.Types), "types"}, {len(d.Attrs), "attributes"}} {
			if n.count > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n.count, n.what))
			}
		}
		page.printf("- [`%s`](%s.md): %s", d.Name, d.Name, strings.TrimSuffix(escape(d.Doc), "."))
		if parts != nil {
			page.printf(" (%s)", strings.Join(parts, ", "))
		}
		page.WriteString("\n")
	}
	page.WriteString("\n")
	page.heading(2, "Passes and tools")
	page.WriteString("- [Passes](passes.md): what each does, its options and statistics, and the default pipelines\n" +
		"- [Tools](tools.md): the flags\n" +
		"- [Remarks](remarks.md): what the compiler says of its decisions, and the questions of `--why`\n" +
		"- [The PTX emulator](ptx-emulator.md): the instructions that it executes\n\n")
	page.heading(2, "Entries")
	page.WriteString("The syntax of an operation is in the notation of MLIR's declarative formats:\n\n" +
		"- Words in backquotes are literal.\n" +
		"- `$name` is an operand, attribute or region, and `type($name)` its type.\n" +
		"- `( ... $name^ ...)?` is there only if `$name` is.\n" +
		"- `attr-dict` holds the attributes without a place of their own.\n\n" +
		"A hook parses and prints some operations. Their syntax has words in capitals for what they name, and brackets around optional parts. " +
		"`{ ... }` is a region there, and `...` is more of the same. " +
		"Every operation has a generic form too: `\"dialect.name\"(%operands) <{attributes}> ({regions}) : (types) -> types`.\n\n" +
		"Each example is a file of the test suite, which is parsed, verified, printed and parsed again. " +
		"Examples of `cuda_tile` are also written to bytecode and read back: of the first version that has the operation, and of the newest. " +
		"The effects are those of the operation in the example.\n\n")
	page.heading(2, "Traits")
	page.list("", terms(w.traits))
	page.heading(2, "Capabilities")
	page.WriteString("Generic code asks an operation for a capability. An operation without it gets the safe assumption.\n\n")
	page.list("", terms(w.caps))
	return strings.TrimRight(page.String(), "\n") + "\n"
}

func terms(ts []term) (items []string) {
	for _, t := range ts {
		item := "`" + t.name + "`"
		if t.text != "" {
			item += ": " + escape(t.text)
		}
		items = append(items, item)
	}
	return items
}
