package confirm

import (
	"context"
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
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/sm"
)

var assemblerError = regexp.MustCompile(`line (\d+); (error|fatal) *: (.*)`)

// targetOf is the target with the newest PTX that the kit is written in.
func targetOf(a *sm.Arch) Target { return Target{a, max(Newest, a.PTX[sm.Plain])} }

func probesOf(t *testing.T, a *sm.Arch) []*Probe {
	t.Helper()
	list, err := Source{StandIn: true}.Probes(a)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// assemble returns what ptxas says against each of the probes, by ID. All kernels are one module.
func assemble(t *testing.T, ptxas string, target Target, probes []*Probe) map[string]string {
	t.Helper()
	bad := make(map[string]string)
	for {
		var text strings.Builder
		header, err := target.header()
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(header + functions)
		var starts []int
		var list []*Probe
		line := strings.Count(text.String(), "\n") + 1
		for _, p := range probes {
			if bad[p.ID] != "" {
				continue
			}
			l, err := p.Make(context.Background(), target)
			if err != nil {
				t.Fatal(err)
			}
			at := strings.Index(string(l.PTX), ".visible .entry k(")
			body := strings.Replace(string(l.PTX[at:]), ".visible .entry k(", fmt.Sprintf(".visible .entry k%d(", len(starts)), 1)
			starts, list = append(starts, line), append(list, p)
			text.WriteString(body)
			line += strings.Count(body, "\n")
		}
		file := filepath.Join(t.TempDir(), "probes.ptx")
		if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		best, err := target.Arch.Best(target.PTX)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(ptxas, "-O0", "-arch", best.String(), "-o", os.DevNull, file).CombinedOutput()
		if err == nil {
			return bad
		}
		found := false
		for _, m := range assemblerError.FindAllStringSubmatch(string(out), -1) {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			i, exact := slices.BinarySearch(starts, n)
			if !exact {
				i--
			}
			if i >= 0 {
				bad[list[i].ID], found = m[3], true
			}
		}
		if !found {
			t.Fatalf("%s: %v\n%.2000s", target.Arch, err, out)
		}
	}
}

// TestApplies holds applies.txt to ptxas: which architectures have which form. TILEWRIGHT_UPDATE=1 writes it.
func TestApplies(t *testing.T) {
	ptxas := judges.Ptxas(t)
	tier.Long(t)
	probes := formProbes()
	have := make(map[string][]string)
	for _, a := range sm.All() {
		bad := assemble(t, ptxas, targetOf(a), probes)
		for _, p := range probes {
			if bad[p.ID] == "" {
				have[p.ID] = append(have[p.ID], a.Name)
			}
		}
	}
	var b strings.Builder
	b.WriteString("# Forms that not exactly the architectures from their first target on have, by ptxas.\n")
	for _, s := range emu.Instructions() {
		for _, f := range s.Forms {
			id := name(Forms, f.PTX)
			if Skipped(s.Title, f) == "" && !slices.Equal(have[id], from(f.Target)) {
				fmt.Fprintf(&b, "%s | %s\n", strings.Join(have[id], " "), f.PTX)
			}
		}
	}
	if os.Getenv("TILEWRIGHT_UPDATE") != "" {
		if err := os.WriteFile("applies.txt", []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if b.String() != appliesText {
		t.Errorf("applies.txt is not what ptxas says; TILEWRIGHT_UPDATE=1 writes it:\n%s", b.String())
	}
}
