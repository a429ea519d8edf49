package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
)

// A Tool is what a tool says of itself: for --help, --man and --completion, which are all made from its flags.
type Tool struct {
	Name, Summary string
	Usage         []Line
	Groups        []Group // what is in none comes after them
	Examples      []Line
	Flags         *pflag.FlagSet
}

// A Line is a command line, without the tool's name when it begins with a space, and what it does.
type Line struct{ Command, Does string }

// A Group is flags that belong together.
type Group struct {
	Title string
	Flags []string
}

// helpGroup are the flags of About, which come last.
const helpGroup = "Help"

// An About is the flags by which a tool is asked about itself.
type About struct {
	version, man bool
	completion   string
}

// shells are those that completions are made for.
var shells = []string{"bash", "zsh", "fish"}

// Define adds the flags. The tool has its own --version if there is one already.
func (a *About) Define(fs *pflag.FlagSet) {
	if fs.Lookup("version") == nil {
		fs.BoolVar(&a.version, "version", false, "print the version, and exit")
	}
	fs.StringVar(&a.completion, "completion", "", "print a script that completes the flags in this shell: `"+strings.Join(shells, "|")+"`")
	fs.BoolVar(&a.man, "man", false, "print a page for man, and exit")
}

// Asked reports whether one of the flags is given, so that nothing else counts.
func (a *About) Asked() bool { return a.version || a.man || a.completion != "" }

// Answer answers the flag that is given.
func (a *About) Answer(w io.Writer, t *Tool) error {
	switch {
	case a.version:
		return WriteVersion(w, t.Name)
	case a.man:
		return t.writeMan(w)
	}
	if !slices.Contains(shells, a.completion) {
		return fmt.Errorf("--completion must be one of %s, but got '%s'%s", strings.Join(shells, ", "), a.completion, suggest.DidYouMean(a.completion, shells))
	}
	return t.writeCompletion(w, a.completion)
}

// Begin parses the arguments of a tool and answers what is asked of the tool itself, such as --help. about is nil where
// that is all. If done, nothing is left to do, and status is the exit status; fail says what is wrong and returns it.
func (t *Tool) Begin(args []string, about *About, stdout io.Writer, fail func(status int, err error) int) (status int, done bool) {
	switch err := Parse(t.Flags, args); {
	case errors.Is(err, ErrHelp):
		t.WriteHelp(stdout)
		return OK, true
	case err != nil:
		return fail(Usage, err), true
	case about == nil || !about.Asked():
		return OK, false
	}
	if err := about.Answer(stdout, t); err != nil {
		return fail(StatusOf(err, Usage), err), true
	}
	return OK, true
}

// grouped returns the visible flags by group.
func (t *Tool) grouped() (titles []string, sets []*pflag.FlagSet) {
	add := func(title string) *pflag.FlagSet {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		titles, sets = append(titles, title), append(sets, set)
		return set
	}
	taken := map[string]bool{"version": true, "completion": true, "man": true}
	for _, g := range t.Groups {
		set := add(g.Title)
		for _, name := range g.Flags {
			if f := t.Flags.Lookup(name); f != nil && !taken[name] {
				set.AddFlag(f)
				taken[name] = true
			}
		}
	}
	others, help := add("Other"), add(helpGroup)
	t.Flags.VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden:
		case f.Name == "version", f.Name == "completion", f.Name == "man":
			help.AddFlag(f)
		case !taken[f.Name]:
			others.AddFlag(f)
		}
	})
	return titles, sets
}

// helpWidth is where lines of help are wrapped.
const helpWidth = 110

// WriteHelp writes what --help prints.
func (t *Tool) WriteHelp(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n\n", t.Name, t.Summary)
	writeLines(w, "Usage", t.Name, t.Usage)
	writeLines(w, "Examples", t.Name, t.Examples)
	titles, sets := t.grouped()
	for i, set := range sets {
		if set.HasFlags() {
			fmt.Fprintf(w, "%s:\n%s\n", titles[i], set.FlagUsagesWrapped(helpWidth))
		}
	}
}

func writeLines(w io.Writer, title, name string, lines []Line) {
	if len(lines) == 0 {
		return
	}
	width := 0
	for _, l := range lines {
		width = max(width, len(name)+len(l.Command))
	}
	fmt.Fprintf(w, "%s:\n", title)
	for _, l := range lines {
		fmt.Fprintf(w, "  %s\n", strings.TrimRight(fmt.Sprintf("%-*s  %s", width, name+l.Command, l.Does), " "))
	}
	fmt.Fprintln(w)
}

// roff quotes text for man.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return strings.ReplaceAll(text, "\n.", "\n\\&.")
}

// writeMan writes a page of section 1.
func (t *Tool) writeMan(w io.Writer) error {
	var sb strings.Builder
	fmt.Fprintf(&sb, ".TH %s 1 \"\" Tilewright\n.SH NAME\n%s \\- %s\n", strings.ToUpper(t.Name), roff(t.Name), roff(t.Summary))
	sb.WriteString(".SH SYNOPSIS\n")
	for _, l := range t.Usage {
		fmt.Fprintf(&sb, ".TP\n.B %s\n%s\n", roff(t.Name+l.Command), roff(l.Does))
	}
	titles, sets := t.grouped()
	for i, set := range sets {
		if !set.HasFlags() {
			continue
		}
		fmt.Fprintf(&sb, ".SH %s\n", strings.ToUpper(titles[i]))
		set.VisitAll(func(f *pflag.Flag) {
			value, usage := pflag.UnquoteUsage(f)
			head := "--" + f.Name
			if f.Shorthand != "" {
				head = "-" + f.Shorthand + ", " + head
			}
			if value != "" {
				head += " " + value
			}
			fmt.Fprintf(&sb, ".TP\n.B %s\n%s\n", roff(head), roff(usage))
		})
	}
	sb.WriteString(".SH EXAMPLES\n")
	for _, l := range t.Examples {
		fmt.Fprintf(&sb, ".TP\n.B %s\n%s\n", roff(t.Name+l.Command), roff(l.Does))
	}
	_, err := io.WriteString(w, sb.String())
	return err
}

// choices are the values of a flag whose usage names them, as in `text|dot`.
func choices(f *pflag.Flag) []string {
	value, _ := pflag.UnquoteUsage(f)
	if !strings.Contains(value, "|") || strings.ContainsAny(value, " ,[") {
		return nil
	}
	return strings.Split(value, "|")
}

// writeCompletion writes a script for a shell: flags, values of flags that take one of a few, and files.
func (t *Tool) writeCompletion(w io.Writer, shell string) error {
	var sb strings.Builder
	var flags []*pflag.Flag
	t.Flags.VisitAll(func(f *pflag.Flag) { flags = append(flags, f) })
	switch shell {
	case "fish":
		for _, f := range flags {
			fmt.Fprintf(&sb, "complete -c %s -l %s", t.Name, f.Name)
			if f.Shorthand != "" {
				fmt.Fprintf(&sb, " -s %s", f.Shorthand)
			}
			if c := choices(f); c != nil {
				fmt.Fprintf(&sb, " -x -a '%s'", strings.Join(c, " "))
			} else if f.NoOptDefVal == "" {
				sb.WriteString(" -r")
			}
			_, usage := pflag.UnquoteUsage(f)
			fmt.Fprintf(&sb, " -d '%s'\n", strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(usage))
		}
	default:
		function := "_" + strings.ReplaceAll(t.Name, "-", "_")
		if shell == "zsh" {
			sb.WriteString("autoload -U +X bashcompinit && bashcompinit\n")
		}
		fmt.Fprintf(&sb, "%s() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n  case $prev in\n", function)
		var names []string
		for _, f := range flags {
			names = append(names, "--"+f.Name)
			if c := choices(f); c != nil {
				fmt.Fprintf(&sb, "  --%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", f.Name, strings.Join(c, " "))
			}
		}
		fmt.Fprintf(&sb, "  esac\n  case $cur in\n  -*) COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n  *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n  esac\n}\ncomplete -o filenames -F %s %s\n",
			strings.Join(names, " "), function, t.Name)
	}
	_, err := io.WriteString(w, sb.String())
	return err
}
