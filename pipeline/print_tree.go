package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// treeFile writes a dump to a file of its own under p.Tree. The folders follow the nesting of operations. The name
// starts with the numbers of the dumps of the operations, from the outermost to this one. So files sort in the order
// of the passes:
//
//	builtin_module_no-symbol-name/0_canonicalize.mlir
//	builtin_module_no-symbol-name/cuda_tile_entry_kernel/0_0_cse.mlir
func (p *PrintIR) treeFile(ev *Event, text []byte) error {
	if p.counts == nil {
		p.counts = make(map[ir.Op]int)
	}
	if ev.Op.Erased() {
		return fmt.Errorf("pass '%s' erased the operation that it ran on", ev.Item.Pass.Name)
	}
	dir, prefix := "", ""
	for op := ev.Op; !op.IsNil(); op = op.ParentOp() {
		dir = filepath.Join(treeName(op), dir)
		prefix = strconv.Itoa(p.counts[op]) + "_" + prefix
	}
	p.counts[ev.Op]++
	dir = filepath.Join(p.Tree, dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, prefix+ev.Item.Pass.Name+".mlir"), text, 0o666)
}

// treeName names the folder of an operation. Symbols may contain anything, so what is not a plain name is spelled out.
func treeName(op ir.Op) string {
	symbol := op.SymbolName()
	if symbol == "" {
		symbol = "no-symbol-name"
	}
	name := strings.ReplaceAll(op.Name(), ".", "_") + "_" + symbol
	var sb strings.Builder
	for i := range len(name) {
		if c := name[i]; isNameByte(c) && c != '.' && c != '$' {
			sb.WriteByte(c)
		} else {
			fmt.Fprintf(&sb, "%%%02x", c)
		}
	}
	const limit = 150 // file systems allow 255 bytes
	if s := sb.String(); len(s) > limit {
		return fmt.Sprintf("%s_%d", s[:limit], op.ID())
	}
	return sb.String()
}
