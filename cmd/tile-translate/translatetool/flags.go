package translatetool

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/check/expect"
)

// aliases are the spellings of the reference tools.
var aliases = map[string]string{"generic-form": "mlir-print-op-generic"}

// A config is what the command line says.
type config struct {
	input, output string
	action        *action
	version       ir.Version

	versionText       string
	debugInfo         bool
	generic           bool
	split             bool
	allowUnregistered bool
	noImplicit        bool
	listVersions      bool
	log               string
	verifyDiag        string
	about             cli.About
	chosen            []*bool // by action

	accept func(ir.Op) bool // whether the optimization hints of a module are acceptable
	flags  *pflag.FlagSet
}

func newConfig(format *wire.Format) *config {
	c := &config{flags: cli.NewFlags(toolName, aliases)}
	fs := c.flags
	for i := range actions {
		c.chosen = append(c.chosen, fs.Bool(actions[i].flag, false, actions[i].help))
	}
	fs.BoolVar(&c.listVersions, "list-versions", false, "list the versions of the bytecode, and exit")
	fs.StringVarP(&c.output, "output", "o", "-", "write the result to `FILE`, completely or not at all")
	fs.StringVar(&c.versionText, "bytecode-version", format.Newest.String(), "write this `VERSION` of the bytecode")
	fs.BoolVarP(&c.debugInfo, "mlir-print-debuginfo", "g", false, "print locations")
	fs.BoolVar(&c.generic, "mlir-print-op-generic", false, "print operations in the generic form")
	fs.BoolVar(&c.split, "split-input-file", false, "translate the parts of a text between lines '// -----' one by one")
	fs.BoolVar(&c.allowUnregistered, "allow-unregistered-dialect", false, "admit operations of dialects that are not known")
	expect.Flag(fs, &c.verifyDiag)
	fs.BoolVar(&c.noImplicit, "no-implicit-module", false, "do not wrap a text in a module")
	c.accept = opttool.HintFlags(fs)
	cli.DefineLog(fs, &c.log, "is read and written")
	c.about.Define(fs)
	return c
}

func parseFlags(args []string, format *wire.Format) (*config, error) {
	c := newConfig(format)
	if err := cli.Parse(c.flags, args); err != nil {
		return nil, err
	}
	if c.about.Asked() {
		return c, nil
	}
	var err error
	if c.input, err = cli.Input(c.flags.Args()); err != nil {
		return nil, err
	}
	if c.listVersions {
		return c, nil
	}
	if err := expect.CheckFlag(c.verifyDiag); err != nil {
		return nil, err
	}
	for i, on := range c.chosen {
		switch {
		case !*on:
		case c.action != nil:
			return nil, fmt.Errorf("--%s cannot be combined with --%s", c.action.flag, actions[i].flag)
		default:
			c.action = &actions[i]
		}
	}
	if c.action == nil {
		return nil, fmt.Errorf("expected an action: one of %s, or --list-versions", actionList())
	}
	if err := c.checkIgnored(); err != nil {
		return nil, err
	}
	return c, c.parseVersion(format)
}

// checkIgnored rejects flags that the action does not follow, and an output that would replace the input.
func (c *config) checkIgnored() error {
	for flag, follows := range map[string]bool{
		"bytecode-version":      c.action.writes,
		"mlir-print-debuginfo":  c.action.prints,
		"mlir-print-op-generic": c.action.prints,
	} {
		if c.flags.Changed(flag) && !follows {
			return fmt.Errorf("--%s does nothing with --%s", flag, c.action.flag)
		}
	}
	return cli.CheckOutput(c.input, c.output)
}

func actionList() string {
	var names []string
	for i := range actions {
		names = append(names, "--"+actions[i].flag)
	}
	return strings.Join(names, ", ")
}

func (c *config) parseVersion(format *wire.Format) error {
	for _, v := range format.Versions {
		if v.String() == c.versionText {
			c.version = v
			return nil
		}
	}
	return fmt.Errorf("--bytecode-version: Invalid argument '%s': the supported versions are [%v - %v]", c.versionText, format.Versions[0], format.Newest)
}

// tool is what the tool says of itself.
func (c *config) tool() *cli.Tool {
	t := &cli.Tool{Name: toolName, Summary: "convert between Tile IR bytecode and text, and show what bytecode holds", Flags: c.flags,
		Usage: []cli.Line{{Command: " ACTION [flags] [FILE]"}},
		Examples: []cli.Line{
			{Command: " --disassemble k.tileirbc", Does: "print a kernel as the reference disassembler does"},
			{Command: " --mlir-to-cudatilebc k.mlir -o k.tileirbc", Does: "assemble"},
			{Command: " --mlir-to-cudatilebc --bytecode-version=13.1 k.tileirbc -o old.tileirbc", Does: "write another version"},
			{Command: " --stat k.tileirbc", Does: "sum up a file"},
		}, Groups: []cli.Group{{Title: "Actions", Flags: []string{"list-versions"}}}}
	for i := range actions {
		t.Groups[0].Flags = append(t.Groups[0].Flags, actions[i].flag)
	}
	return t
}

func writeHelp(w io.Writer, format *wire.Format) { newConfig(format).tool().WriteHelp(w) }
