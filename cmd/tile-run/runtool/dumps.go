package runtool

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/cubin"
)

// dumpSuffix is what the names of files end in that cuTile Python writes to the folder CUDA_TILE_DUMP_BYTECODE.
const dumpSuffix = ".tileirbc"

// isDumps reports whether an input is a folder of bytecode and not of cases, which may have some beside them.
func isDumps(input string) bool {
	files, err := dumpsIn(input)
	if err != nil || len(files) == 0 {
		return false
	}
	_, err = find(input)
	return err != nil
}

func dumpsIn(dir string) (files []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), dumpSuffix) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, nil
}

// dumpOf returns the newest file of a folder of dumps that has the entry of the command line: a program that was run
// again leaves what it was before, too.
func (c *config) dumpOf(dir string) (string, error) {
	files, err := dumpsIn(dir)
	if err != nil {
		return "", err
	}
	var all []string
	newest, found := int64(0), ""
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return "", err
		}
		data, err := cli.ReadFile(file)
		if err != nil {
			return "", err
		}
		names := entriesIn(file, data)
		for _, n := range names {
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
		if at := info.ModTime().UnixNano(); (c.entry == "" || slices.Contains(names, c.entry)) && len(names) > 0 && (found == "" || at >= newest) {
			newest, found = at, file
		}
	}
	switch {
	case c.entry == "" && len(all) > 1:
		return "", fmt.Errorf("the files in '%s' have %d entries, and --entry does not say which; entries: %s", dir, len(all), suggest.List(all))
	case found == "":
		return "", fmt.Errorf("no file in '%s' has the entry '%s'%s; entries: %s", dir, c.entry, suggest.DidYouMean(c.entry, all), suggest.List(all))
	}
	return found, nil
}

// entriesIn returns the entries of a file of bytecode, none if it is damaged: others in the folder may be the one.
func entriesIn(file string, data []byte) []string {
	if !bytecode.Is(data) {
		return nil
	}
	ctx := tileir.NewContext()
	ctx.Diag.Push(func(*ir.Diagnostic) {})
	module, err := tileir.Read(ctx, file, data)
	if err != nil {
		return nil
	}
	return entriesOf(module)
}

// disassemble puts the PTX in the place of a cubin that brings it along.
func (p *program) disassemble() error {
	if !cubin.Is(p.data) {
		return nil
	}
	text, err := cubin.PTX(p.data)
	if err != nil {
		return fmt.Errorf("cannot run '%s': %w", p.name, err)
	}
	p.data, p.name, p.assembled = text, p.name+":ptx", true
	return nil
}
