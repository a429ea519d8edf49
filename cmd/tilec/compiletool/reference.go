package compiletool

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/suggest"
	"github.com/tilewright/tilewright/target/sm"
)

// A referenceLine is a command line as tileiras reads it, which has the habits of LLVM's tools: long names with one dash or two, values behind "=" or in the next argument, a
// level that is part of the argument (-O3, neither -O 3 nor -O=3), the last of several values counts, and every mistake is told, not only the first. pflag reads command
// lines in another way, so that this is a reader of its own over the same flags.
type referenceLine struct {
	persona *persona
	fs      *pflag.FlagSet
	program string // the path that the tool was called by
	files   []string
	wrong   []string // what is wrong, in lines as that tool writes them
	asked   string   // the name of the option that asks about the tool itself and ends the run where it stands
}

// asking are the options that end a run.
var asking = []string{"help", "help-hidden", "help-list", "help-list-hidden", "version", "list-versions"}

// words are the values of options that take one of several.
var words = map[string][]string{
	"gpu-name": sm.Names(), "sanitize": {"memcheck"}, "host-arch": {"x86_64", "aarch64"}, "host-os": {"linux", "windows"}, "remark-format": remarkFormats,
	"remarks": remarkCategories, "remarks-analysis": remarkCategories, "remarks-failed": remarkCategories, "remarks-missed": remarkCategories, "remarks-passed": remarkCategories,
}

// suggested are the names that tileiras suggests for one that it does not know; of equally near ones the first.
var suggested = []string{"l", "o", "g", "O", "h", "gpu-name", "opt-level", "device-debug", "lineinfo", "output-file", "sanitize", "preview", "host-arch", "host-os", "remarks",
	"remark-format", "remarks-passed", "remarks-missed", "remarks-failed", "remarks-analysis", "remarks-output-file", "list-versions", "apply-controls", "version", "help", "help-list", "arch"}

// read reads arguments. What is wrong with them is in wrong.
func (l *referenceLine) read(args []string) {
	for i := 0; i < len(args) && l.asked == ""; i++ {
		arg := args[i]
		switch {
		case arg == "--":
			l.files = append(l.files, args[i+1:]...)
			i = len(args)
		case len(arg) < 2 || arg[0] != '-':
			l.files = append(l.files, arg)
		default:
			if l.option(arg, args[i+1:]) {
				i++
			}
		}
	}
	if len(l.files) > 1 && l.asked == "" {
		l.complain("Too many positional arguments specified!")
		l.wrong = append(l.wrong, fmt.Sprintf("Can specify at most 1 positional arguments: See: %s --help", l.program))
	}
}

func (l *referenceLine) complain(format string, args ...any) {
	l.wrong = append(l.wrong, l.persona.name+": "+fmt.Sprintf(format, args...))
}

// option reads one option and reports whether it took the next argument as its value.
func (l *referenceLine) option(arg string, rest []string) (took bool) {
	body := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	name, value, given := strings.Cut(body, "=")
	if slices.Contains(asking, name) || name == "h" {
		if given {
			l.complain("for the %s option: does not allow a value! '%s' specified.", dashed(name), value)
			return false
		}
		if l.asked = name; name == "h" {
			l.asked = "help"
		}
		return false
	}
	if strings.HasPrefix(body, "O") && l.fs.Lookup(name) == nil {
		if body == "O" {
			l.complain("for the -O option: requires a value!")
		} else {
			l.set(l.fs.Lookup("opt-level"), body[1:])
		}
		return false
	}
	f := l.lookup(name)
	switch {
	case f != nil && given:
		l.set(f, value)
	case f != nil && f.NoOptDefVal != "":
		l.set(f, "")
	case f != nil && len(rest) > 0:
		l.set(f, rest[0])
		return true
	case f != nil:
		l.complain("for the %s option: requires a value!", dashed(name))
	default:
		l.unknown(arg, body, name)
	}
	return false
}

// lookup finds an option by its name, or by the one letter that stands for it.
func (l *referenceLine) lookup(name string) *pflag.Flag {
	if len(name) == 1 {
		return l.fs.ShorthandLookup(name)
	}
	if name == "" {
		return nil
	}
	return l.fs.Lookup(name)
}

// unknown reads an argument that names no option: letters of several, as in -gO0, or a mistake.
func (l *referenceLine) unknown(arg, body, name string) {
	if f := l.lookup(body[:min(1, len(body))]); f != nil && !strings.HasPrefix(arg, "--") {
		if f.NoOptDefVal != "" && (body[1:] == "" || l.lookup(body[1:2]) != nil) {
			l.set(f, "")
			l.option("-"+body[1:], nil)
			return
		}
	}
	near := nearest(name)
	if f := l.lookup(body[:min(1, len(body))]); f != nil && f.NoOptDefVal == "" {
		near = body[:1]
		l.complain("for the %s option: may not occur within a group!", dashed(near))
	}
	l.complain("Unknown command line argument '%s'.  Try: '%s --help'", arg, l.program)
	if own := suggest.Nearest(name, l.own()); len(own) > 0 && suggest.Distance(name, own[0]) < suggest.Distance(name, near) {
		near = own[0]
	}
	l.complain("Did you mean '%s'?", dashed(near))
}

// own are the names of options that tileiras does not have.
func (l *referenceLine) own() (names []string) {
	l.fs.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !slices.Contains(suggested, f.Name) {
			names = append(names, f.Name)
		}
	})
	return names
}

func nearest(name string) string {
	best := suggested[0]
	for _, s := range suggested {
		if suggest.Distance(name, s) < suggest.Distance(name, best) {
			best = s
		}
	}
	return best
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// set gives an option a value.
func (l *referenceLine) set(f *pflag.Flag, value string) {
	fail := func(format string, args ...any) {
		l.complain("for the %s option: %s", dashed(f.Name), fmt.Sprintf(format, args...))
	}
	switch {
	case words[f.Name] != nil && !slices.Contains(words[f.Name], value):
		fail("Cannot find option named '%s'!", value)
		return
	case f.Name == "preview":
		for feature := range strings.SplitSeq(value, ",") {
			if feature != previewSIMT {
				fail("unknown preview feature '%s'; supported features: %s", feature, previewSIMT)
				return
			}
		}
	case f.Value.Type() == "int":
		n, err := strconv.ParseInt(value, 0, 32)
		if err != nil {
			fail("'%s' value invalid for integer argument!", value)
			return
		}
		value = strconv.FormatInt(n, 10)
	case f.Value.Type() == "bool":
		switch value {
		case "", "1", "true", "TRUE", "True":
			value = "true"
		case "0", "false", "FALSE", "False":
			value = "false"
		default:
			fail("'%s' is invalid value for boolean argument! Try 0 or 1", value)
			return
		}
	case value == "" && f.NoOptDefVal != "":
		value = f.NoOptDefVal
	}
	if err := l.fs.Set(f.Name, value); err != nil {
		fail("%v", err)
	}
}

// writeReferenceHelp writes the options: those of tileiras, and behind them those that are ours alone.
func writeReferenceHelp(w io.Writer, p *persona, hidden bool) {
	c := newConfig(p)
	theirs, ours := pflag.NewFlagSet("", 0), pflag.NewFlagSet("", 0)
	theirs.SortFlags, ours.SortFlags = false, false
	c.flags.VisitAll(func(f *pflag.Flag) {
		switch {
		case slices.Contains(suggested, f.Name) || f.Name == "link-library":
			theirs.AddFlag(f)
		case hidden || !f.Hidden:
			ours.AddFlag(f)
		}
	})
	fmt.Fprintf(w, "OVERVIEW: %s: Tilewright in the place of the Cuda Tile IR optimizing assembler\n\nUSAGE: %s [options] <tile bytecode file>\n\nOPTIONS:\n\n", p.name, p.name)
	fmt.Fprintf(w, "Options of the assembler:\n%s\nOptions of Tilewright alone:\n%s", theirs.FlagUsagesWrapped(helpWidth), ours.FlagUsagesWrapped(helpWidth))
}

const helpWidth = 110
