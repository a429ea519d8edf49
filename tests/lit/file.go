package lit

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/tests/filecheck"
)

// testFile is what a test file asks for.
type testFile struct {
	runs     []runLine
	requires []string
	skipped  string   // why the test is not to run here; "": it is
	fails    bool     // XFAIL: the test is expected to fail
	prefixes []string // of the directives of all its FileCheck commands
}

// runLine is a pipeline and where it stands.
type runLine struct {
	line     int // from 1
	text     string
	long     bool   // only the long tier runs it
	judge    string // that it needs; "": none
	commands []command
}

// parseFile reads the RUN and REQUIRES lines.
func parseFile(text string) (*testFile, error) {
	f := &testFile{}
	pending := runLine{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if rest, ok := keyword(line, "REQUIRES"); ok {
			names, err := requirements(rest)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", number, err)
			}
			f.requires = append(f.requires, names...)
		}
		if rest, ok := keyword(line, "UNSUPPORTED"); ok && holds(rest) {
			f.skipped = "UNSUPPORTED: " + rest
		}
		if rest, ok := keyword(line, "XFAIL"); ok {
			f.fails = f.fails || holds(rest)
		}
		rest, condition, ok := runKeyword(line)
		if !ok {
			continue
		}
		if pending.text == "" {
			pending.line = number
			if err := pending.require(condition); err != nil {
				return nil, fmt.Errorf("line %d: RUN(%s): %w", number, condition, err)
			}
		}
		rest, continued := strings.CutSuffix(rest, "\\")
		pending.text = strings.TrimSpace(pending.text + " " + strings.TrimSpace(rest))
		if continued {
			continue
		}
		commands, err := parseLine(pending.text)
		if err != nil {
			return nil, fmt.Errorf("line %d: RUN: %s: %w", pending.line, pending.text, err)
		}
		pending.commands = commands
		f.runs = append(f.runs, pending)
		pending = runLine{}
	}
	if pending.text != "" {
		return nil, fmt.Errorf("line %d: RUN: %s: the line is continued and nothing follows", pending.line, pending.text)
	}
	if len(f.runs) == 0 {
		return nil, fmt.Errorf("no RUN line, so nothing would be tested")
	}
	return f, f.collectPrefixes()
}

// judges returns the judges that RUN lines need, each once.
func (f *testFile) judges() (names []string) {
	for _, r := range f.runs {
		if r.judge != "" && !slices.Contains(names, r.judge) {
			names = append(names, r.judge)
		}
	}
	return names
}

// runsHere reports whether any line runs in this tier.
func (f *testFile) runsHere() bool {
	return slices.ContainsFunc(f.runs, func(r runLine) bool { return !r.long || tier.All() })
}

// keyword returns what follows the keyword and its colon on a line.
func keyword(line, word string) (string, bool) {
	i := strings.Index(line, word+":")
	if i < 0 || i > 0 && (isWord(line[i-1]) || line[i-1] == '-') {
		return "", false
	}
	return strings.TrimSpace(line[i+len(word)+1:]), true
}

var conditional = regexp.MustCompile(`(?:^|[^\w-])RUN\(([^)]*)\):(.*)`)

// runKeyword returns what follows RUN: or RUN(CONDITION): on a line, and the condition.
func runKeyword(line string) (rest, condition string, ok bool) {
	if m := conditional.FindStringSubmatch(line); m != nil {
		return strings.TrimSpace(m[2]), m[1], true
	}
	rest, ok = keyword(line, "RUN")
	return rest, "", ok
}

// require takes over the condition of a RUN line.
func (r *runLine) require(condition string) error {
	if condition == "" {
		return nil
	}
	names, err := requirements(condition)
	if err != nil {
		return err
	}
	for _, name := range names {
		switch {
		case name == "long":
			r.long = true
		case r.judge != "":
			return fmt.Errorf("a line needs one judge at most, not '%s' and '%s'", r.judge, name)
		default:
			r.judge = name
		}
	}
	return nil
}

func requirements(text string) ([]string, error) {
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			return nil, fmt.Errorf("REQUIRES: %s: a name is missing", text)
		}
		names = append(names, name)
	}
	return names, nil
}

// holds reports whether a condition of an UNSUPPORTED or XFAIL line, a list of features, is true here. '*' always is;
// other features are of systems and builds that this runner knows nothing of.
func holds(condition string) bool {
	return slices.ContainsFunc(strings.Split(condition, ","), func(f string) bool {
		f = strings.TrimSpace(f)
		return f == "*" || f == runtime.GOOS || f == "system-"+runtime.GOOS
	})
}

// collectPrefixes gathers the prefixes of all runs, so that a run passes over the directives of another and still
// rejects what belongs to none.
func (f *testFile) collectPrefixes() error {
	for _, r := range f.runs {
		for _, c := range r.commands {
			at := slices.Index(c.words, fileCheck)
			if at != 0 && !(at == 1 && c.words[0] == invert) {
				continue
			}
			list, err := filecheck.PrefixesOf(c.words[at+1:])
			if err != nil {
				return fmt.Errorf("line %d: RUN: %s: %w", r.line, r.text, err)
			}
			f.prefixes = append(f.prefixes, list...)
		}
	}
	return nil
}

// OtherPrefixes returns the prefixes that the RUN lines of the check file name which a command line of FileCheck is
// for; none when it has no such lines, or cannot be read.
func OtherPrefixes(args []string) []string {
	name, err := filecheck.FileOf(args)
	if err != nil {
		return nil // FileCheck says what is wrong
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	f, err := parseFile(string(text))
	if err != nil {
		return nil
	}
	return f.prefixes
}
