package translatetool

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/bytecode/inspect"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// disassemblerName is that of NVIDIA's disassembler, for which this tool stands in under that name: front ends look
// for one beside the compiler.
const disassemblerName = "tileirdisasm"

// The exit statuses of that tool.
const (
	badLine    = 1
	noInput    = 2
	notTileIR  = 3
	suggestion = "print-debug-info"
)

// MainAs runs the tool that a program of that path is: tile-translate, or the disassembler.
func MainAs(program string, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if strings.TrimSuffix(filepath.Base(program), ".exe") != disassemblerName {
		return Main(args, stdin, stdout, stderr)
	}
	return cli.Checked(disassemblerName, stdout, stderr, func(stdout io.Writer) int {
		return disassembler(program, args, stdout, stderr)
	})
}

func disassembler(program string, args []string, stdout, stderr io.Writer) int {
	fs := cli.NewFlags(disassemblerName, nil)
	debug := fs.BoolP("print-debug-info", "g", false, "annotate the listing with locations, if there are any")
	fs.StringSlice("preview", nil, "enable preview `FEATURES`: "+cli.PreviewSIMT)
	line := &cli.ReferenceLine{Name: disassemblerName, Program: program, Flags: fs, Suggested: []string{"g", "h", suggestion, "preview", "version", "help", "help-list"}}
	line.Read(args)
	for _, l := range line.Wrong {
		fmt.Fprintln(stderr, source.Printable(l))
	}
	switch {
	case line.Asked == "version":
		if err := cli.WriteVersion(stdout, disassemblerName); err != nil {
			fmt.Fprintf(stderr, "error: %v\n", err)
			return badLine
		}
		return cli.OK
	case line.Asked != "":
		writeDisassemblerHelp(stdout, fs)
		return cli.OK
	case line.Wrong != nil:
		return badLine
	case strings.Join(line.Files, "") == "":
		writeDisassemblerHelp(stdout, fs)
		fmt.Fprint(stderr, "error: no input file provided\n\n")
		return noInput
	}
	data, err := cli.ReadReference(line.Files[0])
	if err != nil {
		fmt.Fprintf(stderr, "error: error: %s\n\n", source.Printable(err.Error())) // as that tool has it
		return noInput
	}
	if _, ok := bytecode.HeaderVersion(data); !ok {
		fmt.Fprintf(stderr, "error: %s\n", bytecode.NotTileIR(data))
		return notTileIR
	}
	if err := list(stdout, stderr, data, *debug); err != nil {
		fmt.Fprint(stderr, "error: failed to read provided Tile IR bytecode\n")
		return notTileIR
	}
	return cli.OK
}

// list writes the listing of a file, or what is wrong with it.
func list(stdout, stderr io.Writer, data []byte, debug bool) error {
	ctx := tileir.NewContext()
	defer cli.Diagnose(ctx, stderr)()
	module, err := bytecode.Read(ctx, data)
	var damage *bytecode.Error
	if errors.As(err, &damage) {
		fmt.Fprintf(stderr, "error: error at %v\n", damage)
		return err
	}
	if err == nil {
		err = ir.Verify(module)
	}
	if err == nil {
		module, err = findModule(module)
	}
	if err != nil {
		return err
	}
	return inspect.Listing(stdout, module, debug)
}

func writeDisassemblerHelp(w io.Writer, fs *pflag.FlagSet) {
	fmt.Fprintf(w, "OVERVIEW: %s: Tilewright in the place of the Cuda Tile IR disassembler\n\nUSAGE: %s [options] <tile bytecode file>\n\nOPTIONS:\n%s", disassemblerName, disassemblerName, fs.FlagUsages())
}
