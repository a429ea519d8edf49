package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
)

// ErrHelp is returned by Parse when the user asked for help.
var ErrHelp = pflag.ErrHelp

// NewFlags returns an empty set of flags for a tool. aliases maps other spellings of flags to their names.
func NewFlags(tool string, aliases map[string]string) *pflag.FlagSet {
	fs := pflag.NewFlagSet(tool, pflag.ContinueOnError)
	fs.SortFlags = false
	fs.SetOutput(io.Discard) // errors are returned, and printed by the tool
	fs.Usage = func() {}
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if to, ok := aliases[name]; ok {
			name = to
		}
		return pflag.NormalizedName(name)
	})
	return fs
}

// Parse parses arguments that may spell long flags with one dash. The arguments that are no flags are fs.Args
// afterwards. An error is one line for the user.
func Parse(fs *pflag.FlagSet, args []string) error {
	err := fs.Parse(Rewrite(fs, args))
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			name = unknown.GetSpecifiedShortnames()
		}
		return fmt.Errorf("unknown flag '%s'%s", spelt(args, name), suggest.DidYouMean(name, names(fs)))
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return invalidValue(invalid)
	}
	return err
}

// spelt is how the user wrote the name of a flag.
func spelt(args []string, name string) string {
	for _, arg := range args {
		if bare, _, _ := strings.Cut(arg, "="); bare == "--"+name || bare == "-"+name {
			return bare
		}
	}
	return "-" + name
}

// kinds says what flags of the types of pflag take.
var kinds = map[string]string{"bool": "true or false", "int": "an integer", "uint32": "a number from 0 to 4294967295",
	"uint64": "a number that is not negative", "float64": "a number", "duration": "a time, as in 30s"}

// invalidValue words the error about a value that cannot be read. The causes of pflag's own types are those of the
// functions that read them; those of a tool's own flags are for the user.
func invalidValue(e *pflag.InvalidValueError) error {
	kind, ok := kinds[e.GetFlag().Value.Type()]
	if !ok {
		return fmt.Errorf("--%s=%s: %w", e.GetFlag().Name, e.GetValue(), e.Unwrap())
	}
	return fmt.Errorf("--%s takes %s, but got '%s'", e.GetFlag().Name, kind, e.GetValue())
}

// CheckOutput rejects an output that is the input, which would be lost.
func CheckOutput(input, output string) error {
	if input == "-" || output == "-" || output == "" {
		return nil
	}
	in, err := os.Stat(input)
	if err != nil || !in.Mode().IsRegular() {
		return nil // reading it says what is wrong
	}
	if out, err := os.Stat(output); err == nil && os.SameFile(in, out) {
		return fmt.Errorf("the output '%s' is the input, which would be lost", output)
	}
	return nil
}

func names(fs *pflag.FlagSet) []string {
	var out []string
	fs.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			out = append(out, f.Name)
		}
	})
	return out
}

// Rewrite spells long flags with two dashes where the arguments have one, as pflag wants it. An argument that is the
// value of the flag before it is left alone, and so is everything after "--". A flag whose value is optional takes the
// next argument if that is one of its values.
func Rewrite(fs *pflag.FlagSet, args []string) []string {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(out, args[i:]...)
		}
		f, hasValue, long := lookup(fs, arg)
		if long && !strings.HasPrefix(arg, "--") {
			arg = "-" + arg
		}
		out = append(out, arg)
		if f == nil || hasValue || i+1 == len(args) {
			continue
		}
		if f.NoOptDefVal == "" {
			i++
			out = append(out, args[i])
		} else if slices.Contains(choices(f), args[i+1]) {
			i++
			out[len(out)-1] += "=" + args[i]
		}
	}
	return out
}

// lookup finds the flag that an argument names, and reports whether the argument has its value and spells the long
// name.
func lookup(fs *pflag.FlagSet, arg string) (f *pflag.Flag, hasValue, long bool) {
	name := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	if len(name) == len(arg) || name == "" {
		return nil, false, false
	}
	if name, _, hasValue = strings.Cut(name, "="); name == "" {
		return nil, false, false // "-=x" names none; pflag says so
	}
	if f := fs.Lookup(name); f != nil && len(f.Name) > 1 {
		return f, hasValue, true
	}
	if strings.HasPrefix(arg, "--") {
		return nil, false, false
	}
	if f := fs.ShorthandLookup(name[:1]); f != nil {
		return f, len(arg) > 2, false
	}
	// "-foo" that is no flag at all is reported under this name, not as the short flag "f".
	return nil, false, len(name) > 1
}

// A Func is a flag value that is handed on each time that the flag is given.
type Func struct {
	Do       func(value string) error
	TypeName string
}

// String implements pflag.Value.
func (Func) String() string { return "" }

// Set implements pflag.Value.
func (f Func) Set(v string) error { return f.Do(v) }

// Type implements pflag.Value.
func (f Func) Type() string { return f.TypeName }
