package damage

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/bytecode/inspect"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/ir"
)

var (
	mutantCount = flag.Int("mutants", 310, "how many damaged bytecode files the disassemblers are compared on")
	mutantSeed  = flag.Uint64("mutants-seed", 1, "what the damage depends on")
	mutantKeep  = flag.String("mutants-keep", "", "a folder for the files on which the disassemblers differ")
)

const hang = 2 * time.Second

// A verdict is what a disassembler makes of a file.
type verdict struct {
	accepted bool
	text     string // the listing, or why the file is refused
	broken   string // how the program died or hung, if it did
}

// A mutantClass is a difference between the disassemblers; docs/conformance.md gives the reasons.
type mutantClass struct {
	name         string
	ours, theirs string // patterns of what they say
}

// TestMutants reads damaged files, with and without debug information, with our reader, verifier and printer, and
// with the reference disassembler. The verdicts must be the same but for the classes above, and for less than one in
// 200 in all; so must the listings of what both accept.
func TestMutants(t *testing.T) {
	peer := judges.Tool(t, "tileirdisasm")
	all := sources(t)
	s := newMutantStudy()
	file := filepath.Join(t.TempDir(), "mutant.tileirbc")
	for i := range *mutantCount {
		m := Make(all, *mutantSeed, uint64(i))
		if err := os.WriteFile(file, m.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		debug := i/len(Kinds())%2 == 1
		theirs := make(chan verdict, 1)
		go func() { theirs <- disassembleByPeer(peer, file, debug) }()
		ours := disassemble(m.Data, debug)
		if s.add(m, ours, <-theirs) && *mutantKeep != "" {
			name := fmt.Sprintf("%s/%d-%d.tileirbc", *mutantKeep, *mutantSeed, i)
			if err := os.WriteFile(name, m.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.report(t)
}

// disassemble is what tile-translate --disassemble does.
func disassemble(data []byte, debug bool) (v verdict) {
	start := time.Now()
	defer func() {
		if r := recover(); r != nil {
			v.broken = fmt.Sprintf("panic: %v", r)
		} else if d := time.Since(start); d > hang {
			v.broken = fmt.Sprintf("took %v", d)
		}
	}()
	op, err := bytecode.Read(ir.NewContext(ops.Dialect), data)
	if err != nil {
		return verdict{text: err.Error()}
	}
	if err := ir.Verify(op); err != nil {
		return verdict{text: "verifier: " + err.Error()}
	}
	var out bytes.Buffer
	if err := inspect.Listing(&out, op, debug); err != nil {
		return verdict{text: "printer: " + err.Error()}
	}
	return verdict{accepted: true, text: out.String()}
}

func disassembleByPeer(peer, file string, debug bool) verdict {
	ctx, cancel := context.WithTimeout(context.Background(), 5*hang)
	defer cancel()
	cmd := exec.CommandContext(ctx, peer, file)
	if debug {
		cmd.Args = append(cmd.Args, "-g")
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return verdict{accepted: true, text: stdout.String()}
	case ctx.Err() != nil:
		return verdict{broken: "does not end"}
	case errors.As(err, &exit) && !exit.Exited():
		return verdict{broken: exit.String()}
	}
	return verdict{text: strings.TrimSpace(stderr.String())}
}

// bare returns the text without the spaces in front of lines, which in the peer's listing are off where a name has a
// line break.
func bare(text string) string { return layout.ReplaceAllString(text, "") }

var layout = regexp.MustCompile(`(?m)^ +`)

// firstDifference returns the first lines that differ.
func firstDifference(ours, theirs string) string {
	a, b := strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: we %q\nthey %q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("we have %d lines, they %d", len(a), len(b))
}

// A mutantStudy counts.
type mutantStudy struct {
	byKind                             map[string]*kindCount
	total, accepted, rejected, listing int
	layout                             int // listings that differ in indentation
	peerBroken, explained              map[string]int
	unexplained                        map[string][]string // what differs, and where
	ourBroken, otherText               []string
}

type kindCount struct{ mutants, accepted, rejected, differ, broken int }

func newMutantStudy() *mutantStudy {
	return &mutantStudy{byKind: make(map[string]*kindCount), peerBroken: make(map[string]int), explained: make(map[string]int),
		unexplained: make(map[string][]string)}
}

// add reports whether the two differ.
func (s *mutantStudy) add(m Mutant, ours, theirs verdict) bool {
	k := s.byKind[m.Kind]
	if k == nil {
		k = &kindCount{}
		s.byKind[m.Kind] = k
	}
	s.total++
	k.mutants++
	about := fmt.Sprintf("%d, %s of %s", s.total-1, m.Kind, filepath.Base(m.Source))
	switch {
	case ours.broken != "":
		s.ourBroken = append(s.ourBroken, about+": "+ours.broken)
	case theirs.broken != "":
		k.broken++
		s.peerBroken[theirs.broken+"; we: "+general(ours)]++
	case ours.accepted != theirs.accepted:
		k.differ++
		what := "we: " + general(ours) + "\n\tthey: " + general(theirs)
		if c := classOf(ours, theirs); c != "" {
			s.explained[c]++
		} else {
			s.unexplained[what] = append(s.unexplained[what], about)
		}
	case !ours.accepted:
		s.rejected++
		k.rejected++
		return false
	default:
		s.accepted++
		k.accepted++
		switch {
		case ours.text == theirs.text:
			s.listing++
			return false
		case bare(ours.text) == bare(theirs.text):
			s.layout++
			return true
		}
		s.otherText = append(s.otherText, about+":\n"+firstDifference(ours.text, theirs.text))
	}
	return true
}

// mutantClasses are the differences that are meant to be.
var mutantClasses = []mutantClass{
	{"flags of a record that the version does not know: the peer ignores them", `unknown flags 0x\w+ of 'cuda_tile\.`, "accepted"},
	{"a line, column, kind or tag of more bits than it can have: the peer drops the others", `does not fit (32|64) bits|unknown (debug attribute|attribute|type) tag \d{3,}`, "accepted"},
	{"parameter attributes of another kind: the peer takes them for a list, whatever they are", `instead of parameter attributes`, "accepted"},
	{"two sections of a kind: the peer takes the last", `second \w+ section, which differs`, "accepted"},
	{"a rounding mode where ftof is exact: the peer takes any", `'cuda_tile\.ftof' op invalid rounding mode specified\. Only 'nearest_even' is`, "accepted"},
}

func classOf(ours, theirs verdict) string {
	for _, c := range mutantClasses {
		if matches(c.ours, ours) && matches(c.theirs, theirs) {
			return c.name
		}
	}
	return ""
}

func matches(pattern string, v verdict) bool {
	if pattern == "accepted" || v.accepted {
		return v.accepted && pattern == "accepted"
	}
	return regexp.MustCompile(pattern).MatchString(v.text)
}

var numbers = regexp.MustCompile(`\d+|'[^']*'|".*"|@\w+`)

// general is a verdict without what is particular to a file.
func general(v verdict) string {
	if v.accepted {
		return "accepted"
	}
	return numbers.ReplaceAllString(v.text, "N")
}

func (s *mutantStudy) report(t *testing.T) {
	t.Logf("%d mutants: both accept %d (%d equal listings, %d but for layout), both refuse %d, the peer breaks on %d, verdicts differ on %d",
		s.total, s.accepted, s.listing, s.layout, s.rejected, sum(s.peerBroken), s.differ())
	for _, name := range Kinds() {
		if k := s.byKind[name]; k != nil {
			t.Logf("%-30s %5d: accepted %5d, refused %5d, differ %3d, peer breaks %3d", name, k.mutants, k.accepted, k.rejected, k.differ, k.broken)
		}
	}
	for _, list := range []map[string]int{s.peerBroken, s.explained} {
		for _, k := range sortedKeys(list) {
			t.Logf("%d times: %s", list[k], k)
		}
	}
	for what, where := range s.unexplained {
		t.Errorf("%d times, %s\n\t%s", len(where), what, strings.Join(where[:min(3, len(where))], "; "))
	}
	for _, what := range slices.Concat(s.ourBroken, s.otherText) {
		t.Error(what)
	}
	if n := s.differ(); 200*n >= s.total {
		t.Errorf("the verdicts differ on %d of %d, which is 1 in 200 or more", n, s.total)
	}
	if s.accepted == 0 || s.rejected == 0 {
		t.Errorf("%d are accepted, %d refused: the test is not sharp", s.accepted, s.rejected)
	}
}

// differ returns how many verdicts differ.
func (s *mutantStudy) differ() int {
	n := sum(s.explained)
	for _, where := range s.unexplained {
		n += len(where)
	}
	return n
}

func sum(m map[string]int) (n int) {
	for _, k := range m {
		n += k
	}
	return n
}

func sortedKeys(m map[string]int) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	sort.Slice(out, func(i, j int) bool { return m[out[i]] > m[out[j]] || m[out[i]] == m[out[j]] && out[i] < out[j] })
	return out
}
