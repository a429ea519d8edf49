package reference

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// ExampleFile returns where the example of an operation stands, below the root of the repository.
func ExampleFile(def *ir.OpDef) string {
	return path.Join("tests/suite/reference", def.Dialect.Name, strings.ReplaceAll(def.Name, "$", "_")+".mlir")
}

// An example is a small program that has the operation in it.
type example struct {
	text string
	// op is the first operation of the row; a zero Op when there is none: an old name is read as the new one.
	op ir.Op
}

// readExample reads and verifies the example of an operation.
func readExample(root string, def *ir.OpDef) (example, error) {
	name := ExampleFile(def)
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return example{}, fmt.Errorf("'%s' has no example: %w", def.FullName(), err)
	}
	var e example
	module, err := tileir.Read(tileir.NewContext(), name, data)
	if err != nil {
		return e, fmt.Errorf("the example of '%s' is wrong: %w", def.FullName(), err)
	}
	module.Walk(func(op ir.Op) ir.WalkResult {
		// The first module in a file may be the one that it stands for.
		if op.Def() == def && (op != module || def.Name != "module") {
			e.op = op
			return ir.Interrupt
		}
		return ir.Advance
	})
	var lines []string
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "// RUN:") {
			lines = append(lines, line)
		}
	}
	e.text = strings.TrimSpace(strings.Join(lines, ""))
	return e, nil
}

// effects says what the operation of an example does to memory; "" when that cannot be told in a few words.
func (e example) effects() string {
	op := e.op
	if op.IsNil() || op.HasTrait(ir.Pure) {
		return ""
	}
	if op.HasTrait(ir.RecursiveEffects) {
		return "those of the operations inside"
	}
	var out []string
	known := ir.Effects(op, func(f ir.Effect) {
		if text := effectText(op, f); !slices.Contains(out, text) {
			out = append(out, text)
		}
	})
	switch {
	case !known:
		return "not declared, so that it is taken to read and write everything"
	case out == nil && (ir.IsSpeculatable(op) || op.HasTrait(ir.Terminator)):
		return "none"
	case out == nil:
		return "none, but it must not run where the program would not have run it"
	}
	return strings.Join(out, ", ")
}

func effectText(op ir.Op, f ir.Effect) string {
	what := "memory"
	if f.Resource != nil {
		what = "the " + f.Resource.Name
		if strings.HasSuffix(f.Resource.Name, "memory") {
			what = f.Resource.Name
		}
	}
	verb := map[ir.EffectKind]string{ir.Read: "reads ", ir.Write: "writes ", ir.Allocate: "allocates ", ir.Free: "frees "}[f.Kind]
	if f.Value.IsNil() {
		return verb + what
	}
	if f.Value.DefiningOp() == op {
		return verb + what + " that it returns"
	}
	for i, field := range op.Def().Operands {
		lo, hi := op.OperandRange(i)
		for ; lo < hi; lo++ {
			if op.Operand(lo) == f.Value {
				return verb + what + " through `" + field.Name + "`"
			}
		}
	}
	return verb + what
}
