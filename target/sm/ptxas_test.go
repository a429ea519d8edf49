package sm

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
)

// lastKnown is the newest PTX ISA version of the assembler that judges the table.
var lastKnown = V(9, 5)

// snippet is one line of testdata/features.txt, or made by another test, which numbers its own.
type snippet struct {
	feature   Feature
	text      string
	directive bool // of the entry, not an instruction
}

func snippets(t *testing.T) []snippet {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "features.txt"))
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]Feature)
	for _, f := range Features() {
		byName[f.String()] = f
	}
	var list []snippet
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " | ")
		f, known := byName[name]
		if !ok || !known {
			t.Fatalf("line %q is no snippet of a feature in the table", line)
		}
		delete(byName, name)
		list = append(list, snippet{f, text, strings.HasPrefix(name, "directive.")})
	}
	for name := range byName {
		t.Errorf("feature %s has no snippet, so nothing judges its row", name)
	}
	return list
}

const declarations = ".reg .pred p,q; .reg .b16 h<8>; .reg .b32 r<128>; .reg .b64 d<32>; .reg .f32 f<128>; .reg .f64 g<16>; "

// firstEntryLine is the line of the first entry in the module that write makes; entries take one line each.
const firstEntryLine = 4

func write(target string, version Version, list []snippet) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".version %s\n.target %s\n.address_size 64\n", version, target)
	for i, s := range list {
		if s.directive {
			fmt.Fprintf(&b, ".entry k%d() %s { ret; }\n", i, s.text)
		} else {
			fmt.Fprintf(&b, ".entry k%d() { %s%s }\n", i, declarations, s.text)
		}
	}
	return b.String()
}

var diagnostic = regexp.MustCompile(`line (\d+); (error|fatal)\s*: (.*)`)

// rejected assembles one entry per snippet and returns the message for every feature that the target lacks. It reports
// false when the target itself is not known at this version.
func rejected(t *testing.T, ptxas, target string, version Version, list []snippet) (map[Feature]string, bool) {
	t.Helper()
	out := make(map[Feature]string)
	rest := slices.Clone(list)
	for {
		cmd := exec.Command(ptxas, "-arch", strings.Replace(target, "sm_", "compute_", 1), "-o", os.DevNull, "-")
		cmd.Stdin = strings.NewReader(write(target, version, rest))
		text, err := cmd.CombinedOutput()
		syntax := false // a syntax error ends the run, so later entries are still unjudged
		bad := make(map[int]bool)
		for _, m := range diagnostic.FindAllSubmatch(text, -1) {
			line, err := strconv.Atoi(string(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			if line < firstEntryLine {
				return nil, false
			}
			entry := line - firstEntryLine
			bad[entry] = true
			out[rest[entry].feature] = string(m[3])
			syntax = syntax || string(m[2]) == "fatal"
		}
		if err != nil && len(bad) == 0 {
			t.Fatalf("%s, PTX ISA %s: %v\n%s", target, version, err, text)
		}
		if !syntax {
			return out, true
		}
		kept := rest[:0]
		for i, s := range rest {
			if !bad[i] {
				kept = append(kept, s)
			}
		}
		rest = kept
	}
}

// TestFeaturesAgreeWithPtxas assembles every feature's snippet for every spelling of every architecture, at each
// version where the table says that something changes and at the version just before it.
func TestFeaturesAgreeWithPtxas(t *testing.T) {
	t.Parallel()
	ptxas := judges.Ptxas(t)
	list := snippets(t)
	for i, a := range All() {
		for s := Plain; s < numSuffixes; s++ {
			if a.PTX[s] == 0 || !tier.Try(i+int(s)+2, 3) {
				continue
			}
			target := Target{Arch: a, Suffix: s}
			t.Run(target.String(), func(t *testing.T) {
				t.Parallel()
				for _, version := range boundaries(a, s) {
					target.Version = version
					bad, known := rejected(t, ptxas, target.String(), version, list)
					if want := version >= a.PTX[s]; known != want {
						t.Errorf("PTX ISA %s knows the target: %v, the table says %v", version, known, want)
						continue
					}
					if !known {
						continue
					}
					for _, sn := range list {
						message, isBad := bad[sn.feature]
						if has := target.Has(sn.feature); has == isBad {
							t.Errorf("PTX ISA %s: %s: the table says %v, ptxas says %q", version, sn.feature, has, message)
						}
					}
				}
			})
		}
	}
}

// boundaries returns every version at which the table changes for this spelling, the one before each, and the newest.
func boundaries(a *Arch, s Suffix) []Version {
	versions := []Version{before(a.PTX[s]), a.PTX[s], lastKnown}
	for _, f := range Features() {
		if v, ok := a.Since(f, s); ok && v > a.PTX[s] {
			versions = append(versions, before(v), v)
		}
	}
	slices.Sort(versions)
	return slices.Compact(versions)
}

// before returns the release before v: 7.8 came before 8.0, and 8.8 before 9.0.
func before(v Version) Version {
	switch {
	case v == V(7, 0):
		return V(6, 5)
	case v.Minor() == 0:
		return V(uint8(v.Major()-1), 8)
	}
	return v - 1
}

func TestLimitsAgreeWithPtxas(t *testing.T) {
	t.Parallel()
	ptxas := judges.Ptxas(t)
	for i, a := range All() {
		if !tier.Try(i+1, 3) {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			target := a.Name
			run := func(directives, body string, flags ...string) string {
				t.Helper()
				cmd := exec.Command(ptxas, append(flags, "-arch", target, "-o", os.DevNull, "-")...)
				cmd.Stdin = strings.NewReader(fmt.Sprintf(".version %s\n.target %s\n.address_size 64\n.entry k() %s { %s ret; }\n",
					lastKnown, target, directives, body))
				var text bytes.Buffer
				cmd.Stdout, cmd.Stderr = &text, &text
				_ = cmd.Run() // a rejection is an answer
				return text.String()
			}
			uses := func(bytes int, flags ...string) string {
				return run("", fmt.Sprintf(".shared .align 16 .b8 s[%d]; st.volatile.shared.b32 [s], 0;", bytes), flags...)
			}
			for s := Plain; s < numSuffixes; s++ {
				if a.PTX[s] == 0 {
					continue
				}
				spelling := Target{Arch: a, Suffix: s}
				target = spelling.String()
				limit := spelling.StaticShared()
				if text := uses(limit); text != "" {
					t.Errorf("%s: %d static bytes: %s", target, limit, text)
				}
				if text := uses(limit + 16); !strings.Contains(text, "too much shared data") {
					t.Errorf("%s: %d static bytes are accepted: %q", target, limit+16, text)
				}
			}
			target = a.Name
			const extended = "--enable-extended-smem=true"
			if text := uses(a.Shared.PerCTA, extended); text != "" {
				t.Errorf("%d bytes per CTA: %s", a.Shared.PerCTA, text)
			}
			if text := uses(a.Shared.PerCTA+16, extended); !strings.Contains(text, "too much shared data") {
				t.Errorf("%d bytes per CTA are accepted: %q", a.Shared.PerCTA+16, text)
			}
			const outOfRange = "is out of range"
			for _, probe := range []struct {
				threads, ctas int
				ok            bool
			}{
				{WarpSize, a.CTAs, true},
				{WarpSize, a.CTAs + 1, false},
				{128, a.Warps / 4, true},
				{128, a.Warps/4 + 1, false},
			} {
				text := run(fmt.Sprintf(".reqntid %d .minnctapersm %d", probe.threads, probe.ctas), "")
				if got := !strings.Contains(text, outOfRange); got != probe.ok {
					t.Errorf("%d CTAs of %d threads per SM: accepted %v, want %v (%s)", probe.ctas, probe.threads, got, probe.ok, text)
				}
			}
		})
	}
}
