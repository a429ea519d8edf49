package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
)

// A ReferenceLine is a command line as tileiras and its kin read it, with the habits of LLVM's tools:
//
//   - long names with one dash or two
//   - values after "=" or in the next argument
//   - a level that is part of the argument: -O3, neither -O 3 nor -O=3
//   - the last of several values counts
//   - every mistake is reported, not only the first
//
// pflag reads command lines in another way, so this is a reader of its own over the same flags.
type ReferenceLine struct {
	Name    string // of the tool
	Program string // the path that it was called by
	Flags   *pflag.FlagSet
	Words   map[string][]string // the values of options that take one of several
	// Suggested are the names of the reference's options, which are suggested for one that there is not; of equally
	// near ones the first.
	Suggested []string

	Files []string
	Wrong []string // what is wrong, in lines as that tool writes them
	Asked string   // the name of the option that asks about the tool itself and ends the run where it stands
}

// ReadReference reads an input as those tools do: not standard input, and with their words about what cannot be read.
func ReadReference(path string) ([]byte, error) {
	data, err := readFile(path)
	if err != nil {
		err = fmt.Errorf("unable to read input file '%s': %s", path, Sentence(err))
	}
	return data, err
}

// Sentence spells an error of the operating system as those tools do: with a capital.
func Sentence(err error) string {
	s := fmt.Sprint(err)
	return strings.ToUpper(s[:1]) + s[1:]
}

// PreviewSIMT is the one preview feature that there is. Calls of functions, which it allows, are rejected by the
// lowering by name.
const PreviewSIMT = "simt"

// asking are the options that end a run.
var asking = []string{"help", "help-hidden", "help-list", "help-list-hidden", "version", "list-versions"}

// Read reads arguments. What is wrong with them is in Wrong then.
func (l *ReferenceLine) Read(args []string) {
	for i := 0; i < len(args) && l.Asked == ""; i++ {
		arg := args[i]
		switch {
		case arg == "--":
			l.Files = append(l.Files, args[i+1:]...)
			i = len(args)
		case len(arg) < 2 || arg[0] != '-':
			l.Files = append(l.Files, arg)
		default:
			if l.option(arg, args[i+1:]) {
				i++
			}
		}
	}
	if len(l.Files) > 1 && l.Asked == "" {
		l.complain("Too many positional arguments specified!")
		l.Wrong = append(l.Wrong, fmt.Sprintf("Can specify at most 1 positional arguments: See: %s --help", l.Program))
	}
}

func (l *ReferenceLine) complain(format string, args ...any) {
	l.Wrong = append(l.Wrong, l.Name+": "+fmt.Sprintf(format, args...))
}

// option reads one option and reports whether it took the next argument as its value.
func (l *ReferenceLine) option(arg string, rest []string) (took bool) {
	body := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	name, value, given := strings.Cut(body, "=")
	if (slices.Contains(asking, name) || name == "h") && (name != "list-versions" || slices.Contains(l.Suggested, name)) {
		if given {
			l.complain("for the %s option: does not allow a value! '%s' specified.", dashed(name), value)
			return false
		}
		if l.Asked = name; name == "h" {
			l.Asked = "help"
		}
		return false
	}
	if f := l.Flags.ShorthandLookup("O"); f != nil && strings.HasPrefix(body, "O") && l.Flags.Lookup(name) == nil {
		if body == "O" {
			l.complain("for the -O option: requires a value!")
		} else {
			l.set(f, body[1:])
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
func (l *ReferenceLine) lookup(name string) *pflag.Flag {
	if len(name) == 1 {
		return l.Flags.ShorthandLookup(name)
	}
	if name == "" {
		return nil
	}
	return l.Flags.Lookup(name)
}

// unknown reads an argument that names no option: letters of several, as in -gO0, or a mistake.
func (l *ReferenceLine) unknown(arg, body, name string) {
	if f := l.lookup(body[:min(1, len(body))]); f != nil && !strings.HasPrefix(arg, "--") {
		if f.NoOptDefVal != "" && (body[1:] == "" || l.lookup(body[1:2]) != nil) {
			l.set(f, "")
			l.option("-"+body[1:], nil)
			return
		}
	}
	near := l.nearest(name)
	if f := l.lookup(body[:min(1, len(body))]); f != nil && f.NoOptDefVal == "" {
		near = body[:1]
		l.complain("for the %s option: may not occur within a group!", dashed(near))
	}
	l.complain("Unknown command line argument '%s'.  Try: '%s --help'", arg, l.Program)
	if own := suggest.Nearest(name, l.own()); len(own) > 0 && suggest.Distance(name, own[0]) < suggest.Distance(name, near) {
		near = own[0]
	}
	l.complain("Did you mean '%s'?", dashed(near))
}

// own are the names of options that tileiras does not have.
func (l *ReferenceLine) own() (names []string) {
	l.Flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !slices.Contains(l.Suggested, f.Name) {
			names = append(names, f.Name)
		}
	})
	return names
}

func (l *ReferenceLine) nearest(name string) string {
	best := l.Suggested[0]
	for _, s := range l.Suggested {
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
func (l *ReferenceLine) set(f *pflag.Flag, value string) {
	fail := func(format string, args ...any) {
		l.complain("for the %s option: %s", dashed(f.Name), fmt.Sprintf(format, args...))
	}
	switch {
	case l.Words[f.Name] != nil && !slices.Contains(l.Words[f.Name], value):
		fail("Cannot find option named '%s'!", value)
		return
	case f.Name == "preview":
		for feature := range strings.SplitSeq(value, ",") {
			if feature != PreviewSIMT {
				fail("unknown preview feature '%s'; supported features: %s", feature, PreviewSIMT)
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
	if err := l.Flags.Set(f.Name, value); err != nil {
		fail("%v", err)
	}
}
