package ptxas

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/tilewright/tilewright/internal/leaf/cleanup"
	"github.com/tilewright/tilewright/target/sass"
)

// Machine asks ptxas, where there is one, what it makes of an entry. Where nvdisasm stands beside it or on PATH, that
// is the machine code too. What is not known is left out.
func Machine(ctx context.Context, ptx []byte, target, entry string) (code sass.Code) {
	tool, err := Find("")
	if err != nil {
		return code
	}
	result, err := tool.Assemble(ctx, ptx, Options{Arch: target, OptLevel: 3, LineInfo: true, ExtendedShared: true})
	if err != nil {
		return code
	}
	for _, s := range result.Entries {
		if s.Entry == entry {
			code.Registers, code.Spills = s.Registers, s.SpillStores+s.SpillLoads
		}
	}
	if text, err := tool.Disassemble(ctx, result.Cubin, "--print-line-info-ptx", "--print-instruction-encoding"); err == nil {
		code.Instructions, _ = sass.Read(text, entry) // an entry that is not there has no instructions
	}
	return code
}

const (
	disassembler = "nvdisasm"
	listTime     = time.Minute
)

// ErrNoDisassembler is what the error of [Tool.Disassemble] wraps when nvdisasm is not installed.
var ErrNoDisassembler = errors.New("no nvdisasm")

// Disassemble is the text of a cubin's code that nvdisasm writes, with further options of its. It looks beside the
// assembler first: the two understand the same files.
func (t *Tool) Disassemble(ctx context.Context, cubin []byte, options ...string) (string, error) {
	path, err := exec.LookPath(disassembler)
	if real, failed := filepath.EvalSymlinks(t.Path); failed == nil {
		if beside := filepath.Join(filepath.Dir(real), disassembler); runnable(beside) == nil {
			path, err = beside, nil
		}
	}
	if err != nil {
		return "", fmt.Errorf("%w beside %s or on the PATH", ErrNoDisassembler, t.Path)
	}
	dir, remove, err := cleanup.TempDir("tilewright-nvdisasm-")
	if err != nil {
		return "", fmt.Errorf("disassembling: %w", err)
	}
	defer remove()
	file := filepath.Join(dir, "module.cubin")
	if err := os.WriteFile(file, cubin, 0o600); err != nil {
		return "", fmt.Errorf("disassembling: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	text, err := (&Tool{Path: path}).run(ctx, append([]string{"--print-code", file}, options...)...)
	if err != nil {
		return "", fmt.Errorf("nvdisasm: %w", err)
	}
	return string(text), nil
}
