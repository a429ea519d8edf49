package filecheck

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// Main is the command FileCheck: FileCheck CHECKFILE [options], with the input on stdin or named by --input-file. It
// returns 0 when every directive holds, 1 when one does not, and 2 when the command line or the check file is wrong.
// The other prefixes are those of other runs over the same check file.
func Main(args []string, stdin io.Reader, stderr io.Writer, otherPrefixes ...string) int {
	name, inputName, opts, err := parseArgs(args)
	if err != nil {
		fmt.Fprintf(stderr, "FileCheck: error: %v\n", err)
		return 2
	}
	opts.OtherPrefixes = otherPrefixes
	text, err := os.ReadFile(name)
	if err != nil {
		fmt.Fprintf(stderr, "FileCheck: error: could not open check file: %v\n", err)
		return 2
	}
	checks, err := Parse(name, text, opts)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	var input []byte
	if inputName == "-" {
		inputName = "<stdin>"
		input, err = io.ReadAll(stdin)
	} else {
		input, err = os.ReadFile(inputName)
	}
	if err != nil {
		fmt.Fprintf(stderr, "FileCheck: error: could not read the input: %v\n", err)
		return 2
	}
	if err := checks.Run(inputName, input); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// PrefixesOf returns the directive prefixes that a command line of FileCheck names.
func PrefixesOf(args []string) ([]string, error) {
	_, _, opts, err := parseArgs(args)
	if err != nil {
		return nil, err
	}
	return opts.prefixes(), nil
}

// FileOf returns the check file that a command line of FileCheck names.
func FileOf(args []string) (string, error) {
	name, _, _, err := parseArgs(args)
	return name, err
}

// parseArgs reads the command line: the check file, the input file and the options.
func parseArgs(args []string) (checkFile, inputFile string, opts Options, err error) {
	flags := pflag.NewFlagSet("FileCheck", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var prefix, prefixes, comments, defines []string
	flags.StringArrayVar(&prefix, "check-prefix", nil, "prefix of the directives")
	flags.StringSliceVar(&prefixes, "check-prefixes", nil, "prefixes of the directives")
	flags.StringSliceVar(&comments, "comment-prefixes", nil, "prefixes that hide directives")
	flags.StringArrayVarP(&defines, "define", "D", nil, "variable with a value")
	flags.StringVar(&inputFile, "input-file", "-", "file to verify")
	flags.StringArrayVar(&opts.ImplicitNot, "implicit-check-not", nil, "pattern that must not match anywhere")
	flags.BoolVar(&opts.StrictWhitespace, "strict-whitespace", false, "blanks count as they are")
	flags.BoolVar(&opts.MatchFullLines, "match-full-lines", false, "patterns match entire lines")
	flags.BoolVar(&opts.IgnoreCase, "ignore-case", false, "letters match in both cases")
	flags.BoolVar(&opts.AllowEmpty, "allow-empty", false, "the input may be empty")
	flags.BoolVar(&opts.AllowUnusedPrefixes, "allow-unused-prefixes", false, "a prefix may have no directive")
	flags.BoolVar(&opts.VarScope, "enable-var-scope", false, "variables end at labels")
	if err := flags.Parse(twoDashes(args)); err != nil {
		return "", "", Options{}, err
	}
	if flags.NArg() != 1 {
		return "", "", Options{}, fmt.Errorf("expected one check file, got %d", flags.NArg())
	}
	opts.Prefixes = append(prefix, prefixes...)
	opts.CommentPrefixes = comments
	for _, d := range defines {
		name, value, ok := strings.Cut(d, "=")
		if !ok || !validVariable(name) {
			return "", "", Options{}, errors.New("invalid definition '" + d + "', expected NAME=VALUE")
		}
		if opts.Defines == nil {
			opts.Defines = make(map[string]string)
		}
		opts.Defines[name] = value
	}
	return flags.Arg(0), inputFile, opts, nil
}

// twoDashes rewrites long options with one dash, which LLVM's tools take as well.
func twoDashes(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if len(a) > 2 && a[0] == '-' && a[1] != '-' && a[1] != 'D' {
			a = "-" + a
		}
		out[i] = a
	}
	return out
}
