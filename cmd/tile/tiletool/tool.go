// Package tiletool is the tool tile as a library: it calls the command that the first argument names.
package tiletool

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/cmd/tile/check"
	"github.com/tilewright/tilewright/cmd/tile/confirm"
	"github.com/tilewright/tilewright/cmd/tile/debug"
	"github.com/tilewright/tilewright/cmd/tile/doctor"
	"github.com/tilewright/tilewright/cmd/tile/judge"
	"github.com/tilewright/tilewright/cmd/tile/link"
	"github.com/tilewright/tilewright/cmd/tile/times"
	"github.com/tilewright/tilewright/cmd/tile/tune"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

const name = "tile"

// A command is what the tool can do. Run gets the arguments behind the name.
type command struct {
	name, arguments, does string
	run                   func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int
}

var commands = []command{
	{"check", " K.ptx --grid X,Y,Z --arg ...", "prove that the synchronization of PTX is right, or say where it is not", check.Main},
	{"judge", " [flags] CASE...", "say whether kernels are right", judge.Main},
	{"debug", " [flags] [PROG.py|CASE|MODULE]", "debug kernels in the interpreter, for editors", debug.Main},
	{"link", " -o OUT.tileirbc MODULE...", "join modules of kernels into one", link.Main},
	{"confirm", "", "ask a GPU whether the emulator and the model are right", confirm.Main},
	{"time", " [flags] CASE|MODULE|K.ptx", "estimate how long a launch takes on a GPU", times.Main},
	{"tune", " [flags] LIST.json|FOLDER", "choose the fastest configuration of a kernel, without a GPU", tune.Main},
	{"doctor", "", "say what is installed, what will be used, and why", doctor.Main},
}

// Main runs the tool and returns its exit status. args are without the program's name.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// Flags may come before the command, which takes them.
	if at := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") }); at >= 0 {
		for _, c := range commands {
			if c.name == args[at] {
				return c.run(ctx, slices.Concat(args[:at], args[at+1:]), stdin, stdout, stderr)
			}
		}
	}
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(args, stdout, stderr) })
}

// run answers what is asked of the tool itself.
func run(args []string, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		cli.Complain(stderr, name, err)
		return status
	}
	fs := cli.NewFlags(name, nil)
	var about cli.About
	var log string
	cli.DefineLog(fs, &log, "programs answer")
	about.Define(fs)
	t := &cli.Tool{Name: name, Summary: "judge and debug kernels, check the synchronization of PTX, and answer questions about an installation", Flags: fs,
		Examples: []cli.Line{{Command: " check k.ptx --grid=4 --arg=f32[1024]=random"}, {Command: " doctor"}}}
	var names []string
	for _, c := range commands {
		t.Usage = append(t.Usage, cli.Line{Command: " " + c.name + c.arguments, Does: c.does})
		names = append(names, c.name)
	}
	if status, done := t.Begin(args, &about, stdout, fail); done {
		return status
	}
	if fs.NArg() == 0 {
		return fail(cli.Usage, fmt.Errorf("no command; commands: %s; '%s --help' says more", suggest.List(names), name))
	}
	return fail(cli.Usage, fmt.Errorf("unknown command '%s'%s; commands: %s", fs.Arg(0), suggest.DidYouMean(fs.Arg(0), names), suggest.List(names)))
}
