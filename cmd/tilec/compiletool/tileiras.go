package compiletool

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// A wrongLine is a command line that tileiras would not take, in its words.
type wrongLine struct{ lines []string }

func (e *wrongLine) Error() string { return strings.Join(e.lines, "\n") }

// errNoInput is a command line without a file.
var errNoInput = errors.New("no input file provided")

// errSaid stands for an error whose lines are written already.
var errSaid = errors.New("said")

// checkAsReference checks, in the order of that tool, what tileiras checks of a command line once it has read the
// start of the input.
func (c *config) checkAsReference(data []byte) error {
	version, ok := bytecode.HeaderVersion(data)
	switch {
	case !ok:
		return &flagError{notTileIR, errSaid}
	case c.gpu == "":
		return flagErrorf(badCombination, "GPU architecture sm_0 is not supported by this version of %s. You may need a newer toolchain that supports this architecture (bytecode in file is version %v).",
			c.name, version)
	case c.optLevel < 0 || c.optLevel > 3:
		return flagErrorf(badCombination, "invalid optimization level: %d", c.optLevel)
	case c.debug && c.optLevel > 0:
		return flagErrorf(badCombination, "optimized debugging is currently not supported, change the optimization level to 0 or disable full debug info")
	case c.controls != "":
		return flagErrorf(badCombination, "--apply-controls is not supported on this platform")
	case c.output == "":
		return flagErrorf(badCombination, "the name of the output file is empty")
	}
	if err := c.checkOptions(); err != nil {
		return err
	}
	return c.chooseOutput()
}

// checkLibraries checks the tile libraries, after the input.
func (c *config) checkLibraries() error {
	if c.libraries == nil {
		return nil
	}
	if len(c.preview) == 0 {
		return flagErrorf(notCompiled, "libraries require the '%s' preview feature", cli.PreviewSIMT)
	}
	for _, l := range c.libraries {
		data, err := cli.ReadFile(l)
		switch {
		case err != nil:
			return flagErrorf(notCompiled, "failed to open tile library: %s", cli.Sentence(errors.Unwrap(err)))
		case !strings.HasPrefix(string(data), "\x7fELF") && !strings.HasPrefix(string(data), "!<arch>\n"):
			return flagErrorf(notCompiled, "failed to open tile library: The file was not recognized as a valid object file")
		}
	}
	return flagErrorf(notCompiled, "-l %s: tile libraries are not available yet", c.libraries[0])
}

// openRemarks sees whether the file of remarks can be written, before any work is done.
func (c *config) openRemarks() error {
	if c.remarks.format != remarksYAML || !c.remarks.asked() || c.remarks.file == "-" {
		return nil
	}
	o := cli.NewOutput(c.remarks.file, nil)
	err := o.Open()
	o.Discard()
	var at *fs.PathError
	if errors.As(err, &at) {
		return &flagError{notTileIR, &wrongLine{[]string{fmt.Sprintf("Error opening remark output file '%s': %s", c.remarks.file, cli.Sentence(at.Err)),
			"error: failed to enable optimization remarks"}}}
	}
	return err
}

// read reads the input. tileiras says in its own words what cannot be read, and does not read standard input.
func (s *session) read(stdin io.Reader) (name string, data []byte, err error) {
	if s.persona != tileiras {
		return cli.Read(s.input, stdin)
	}
	data, err = cli.ReadReference(s.input)
	return s.input, data, err
}

// parseModule reads the module. About a damaged file tileiras says where the damage is, and not which file it is.
func (s *session) parseModule() (module ir.Op, err error) {
	if s.persona != tileiras {
		return tileir.Read(s.ctx, s.name, s.data)
	}
	var damage *bytecode.Error
	var held []*ir.Diagnostic
	pop := s.ctx.Diag.Push(func(d *ir.Diagnostic) { held = append(held, d) })
	module, err = tileir.Read(s.ctx, s.name, s.data)
	pop()
	if errors.As(err, &damage) {
		where, what, _ := strings.Cut(damage.Error(), ": ")
		fmt.Fprintf(s.stderr, "error: error at %s: %s\n", where, what)
		return module, err
	}
	for _, d := range held {
		s.ctx.Diag.Emit(d)
	}
	return module, err
}

// hasEntries reports whether there is a kernel to compile.
func hasEntries(module ir.Op) bool {
	found := false
	module.Walk(func(op ir.Op) ir.WalkResult {
		if found = found || op.Is(cudatile.Entry); found {
			return ir.Interrupt
		}
		return ir.Advance
	})
	return found
}

// emptyCubin is a cubin without kernels, which needs no assembler. Front ends find out with a module of that kind
// which versions of bytecode are taken, and would take a missing assembler for an old compiler.
func emptyCubin(target string) ([]byte, error) {
	const machine = 190 // EM_CUDA
	digits := strings.Trim(target, "sm_af")
	number, err := strconv.Atoi(digits)
	if err != nil {
		return nil, fmt.Errorf("target '%s' has no number", target)
	}
	h := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: machine, Version: uint32(elf.EV_CURRENT), Flags: uint32(number), Ehsize: 64, Phentsize: 56, Shentsize: 64}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	var out bytes.Buffer
	err = binary.Write(&out, binary.LittleEndian, h)
	return out.Bytes(), err
}
