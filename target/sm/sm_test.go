package sm

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestArchTable(t *testing.T) {
	t.Parallel()
	want := []string{"sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_100", "sm_103", "sm_107", "sm_110", "sm_120", "sm_121"}
	if got := Names(); !slices.Equal(got, want) {
		t.Fatalf("names %v, want %v", got, want)
	}
	previous := 0
	for i, a := range All() {
		if a.index != i {
			t.Errorf("%s: index %d in row %d", a, a.index, i)
		}
		if a.Capability() <= previous {
			t.Errorf("%s: row is out of order", a)
		}
		previous = a.Capability()
		if want := "sm_" + strconv.Itoa(a.Capability()); a.Name != want {
			t.Errorf("%s: capability %d.%d belongs to %s", a, a.Major, a.Minor, want)
		}
		if a.PTX[Plain] == 0 {
			t.Errorf("%s: no plain spelling", a)
		}
		for _, s := range []Suffix{Family, Specific} {
			if v := a.PTX[s]; v != 0 && v < a.PTX[Plain] {
				t.Errorf("%s%s: PTX ISA %s is older than the plain spelling's %s", a, s, v, a.PTX[Plain])
			}
		}
		if a.PTX[Family] != 0 && a.PTX[Specific] == 0 {
			t.Errorf("%s: family spelling without a specific one", a)
		}
		if s := a.Shared; s.PerCTA+s.Reserved > s.PerSM || s.Static > s.PerCTA || s.Static <= 0 {
			t.Errorf("%s: shared memory limits contradict each other: %+v", a, s)
		}
		if r := a.Registers; r.PerSM < a.Warps*WarpSize || r.PerThread <= 0 || r.PerSM%r.Unit != 0 {
			t.Errorf("%s: registers contradict the warps: %+v", a, r)
		}
		if a.Threads > a.Warps*WarpSize || a.CTAs > a.Warps {
			t.Errorf("%s: %d threads per CTA and %d CTAs do not fit %d warps", a, a.Threads, a.CTAs, a.Warps)
		}
		if got, want := a.TMEM.Columns > 0, a.Has(Tcgen05Alloc); got != want {
			t.Errorf("%s: has TMEM: %v, has tcgen05: %v", a, got, want)
		}
		if got, want := a.Cluster.Max > 1, a.Has(Clusters); got != want || a.Cluster.Portable > a.Cluster.Max {
			t.Errorf("%s: clusters %+v, has cluster instructions: %v", a, a.Cluster, want)
		}
	}
}

func TestFeatureTable(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, f := range Features() {
		if seen[f.String()] {
			t.Errorf("%s: two rows", f)
		}
		seen[f.String()] = true
		if f.Doc() == "" || strings.HasSuffix(f.Doc(), ".") {
			t.Errorf("%s: documentation %q is not a phrase", f, f.Doc())
		}
		if !slices.ContainsFunc(All(), func(a *Arch) bool { return a.Has(f) }) {
			t.Errorf("%s: no architecture has it", f)
		}
		for _, a := range All() {
			for weak := Plain; weak < Specific; weak++ {
				have, ok := a.Since(f, weak)
				strong, strongOK := a.Since(f, weak+1)
				if !ok || a.PTX[weak+1] == 0 {
					continue
				}
				if !strongOK || strong > max(have, a.PTX[weak+1]) {
					t.Errorf("%s on %s: suffix %q has it and the stronger %q does not", f, a, weak, weak+1)
				}
			}
		}
	}
}

func TestSetsNameArchitectures(t *testing.T) {
	t.Parallel()
	sets := [][]string{all, ada, sinceAda, hopper, sinceHopper, blackwell, tensorMemory, sinceSM103, int8Tensor, family100, family120}
	for _, set := range sets {
		for _, name := range set {
			if _, err := Lookup(name); err != nil {
				t.Error(err)
			}
		}
		if len(set) == 0 {
			t.Error("a set is empty")
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	for _, a := range All() {
		if got, err := Lookup(a.Name); got != a || err != nil {
			t.Errorf("Lookup(%q) = %v, %v", a.Name, got, err)
		}
	}
	for _, name := range []string{"", "sm_75", "sm_90a", "SM_90", "90", "compute_90"} {
		_, err := Lookup(name)
		var unknown *UnknownError
		if !errors.As(err, &unknown) {
			t.Fatalf("Lookup(%q): %v is not an UnknownError", name, err)
		}
		if want := "unknown architecture '" + name + "', expected one of sm_80, sm_86, "; !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Lookup(%q): %q does not start with %q", name, err, want)
		}
		if got, want := unknown.OptionError("--gpu-name"), "for the --gpu-name option: Cannot find option named '"+name+"'!"; got != want {
			t.Errorf("OptionError = %q, want %q", got, want)
		}
	}
}

func TestTarget(t *testing.T) {
	t.Parallel()
	tests := []struct {
		arch     string
		features []Feature
		target   string
		version  Version
	}{
		{"sm_80", nil, "sm_80", V(7, 0)},
		{"sm_80", []Feature{MmaF16, LdEvictL1}, "sm_80", V(7, 4)},
		{"sm_89", []Feature{MmaFP8}, "sm_89", V(8, 4)},
		{"sm_90", []Feature{TMALoad, MbarrierTryWait}, "sm_90", V(8, 0)},
		{"sm_90", []Feature{WgmmaF16}, "sm_90a", V(8, 0)},
		{"sm_90", []Feature{WgmmaF16, TMALoadCTA}, "sm_90a", V(8, 6)},
		{"sm_100", []Feature{F32x2}, "sm_100", V(8, 6)},
		{"sm_100", []Feature{Tcgen05MmaF16}, "sm_100f", V(8, 8)},
		{"sm_100", []Feature{Tcgen05MmaF16, Tcgen05MmaI8}, "sm_100a", V(8, 6)},
		{"sm_100", []Feature{Tcgen05MmaMXF4, Tcgen05MmaI8}, "sm_100a", V(8, 8)},
		{"sm_120", []Feature{MmaMXF4, LdV8}, "sm_120f", V(8, 8)},
		{"sm_121", []Feature{DirectiveLanguage}, "sm_121", V(9, 2)},
	}
	for _, tt := range tests {
		a, err := Lookup(tt.arch)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Target(tt.features...)
		if err != nil {
			t.Errorf("%s %v: %v", tt.arch, tt.features, err)
			continue
		}
		if got.String() != tt.target || got.Version != tt.version {
			t.Errorf("%s %v: target %s, version %s, want %s, %s", tt.arch, tt.features, got, got.Version, tt.target, tt.version)
		}
		for _, f := range tt.features {
			if !got.Has(f) {
				t.Errorf("%s at %s does not have %s, which it was chosen for", got, got.Version, f)
			}
		}
	}
	a, _ := Lookup("sm_103")
	if _, err := a.Target(LdMatrix, Tcgen05MmaI8); err == nil || !strings.Contains(err.Error(), "sm_103 does not support tcgen05.mma.i8 (") {
		t.Errorf("sm_103 has no kind::i8, got error %v", err)
	}
}

func TestTargetHas(t *testing.T) {
	t.Parallel()
	a, _ := Lookup("sm_90")
	tests := []struct {
		target Target
		f      Feature
		want   bool
	}{
		{Target{a, Plain, V(8, 0)}, WgmmaF16, false},
		{Target{a, Specific, V(8, 0)}, WgmmaF16, true},
		{Target{a, Specific, V(8, 0)}, TMALoadCTA, false},
		{Target{a, Specific, V(8, 6)}, TMALoadCTA, true},
		{Target{a, Family, V(9, 5)}, TMALoadCTA, false}, // sm_90f does not exist
	}
	for _, tt := range tests {
		if got := tt.target.Has(tt.f); got != tt.want {
			t.Errorf("%s at %s has %s: %v, want %v", tt.target, tt.target.Version, tt.f, got, tt.want)
		}
	}
}

func TestBest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		arch    string
		version Version
		want    string // empty: an error
		at      Version
	}{
		{"sm_80", 0, "sm_80", V(7, 0)},
		{"sm_90", 0, "sm_90a", V(8, 0)},
		{"sm_90", V(7, 8), "sm_90", V(7, 8)},
		{"sm_100", V(8, 6), "sm_100a", V(8, 6)},
		{"sm_120", V(9, 5), "sm_120a", V(9, 5)},
		{"sm_120", V(8, 6), "", 0},
	}
	for _, tt := range tests {
		a, err := Lookup(tt.arch)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Best(tt.version)
		if tt.want == "" {
			if err == nil {
				t.Errorf("%s at %s: target %s, want an error", tt.arch, tt.version, got)
			}
			continue
		}
		if err != nil || got.String() != tt.want || got.Version != tt.at {
			t.Errorf("%s at %s: %s at %s, %v; want %s at %s", tt.arch, tt.version, got, got.Version, err, tt.want, tt.at)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"7.0", "8.6", "9.5", "12.10"} {
		v, err := ParseVersion(text)
		if err != nil || v.String() != text {
			t.Errorf("ParseVersion(%q) = %s, %v", text, v, err)
		}
	}
	for _, text := range []string{"", "8", "8.", ".6", "8.6.1", "-8.6", "8.300", "a.b"} {
		if v, err := ParseVersion(text); err == nil {
			t.Errorf("ParseVersion(%q) = %s, want an error", text, v)
		}
	}
	if V(8, 10) < V(8, 9) || V(9, 0) < V(8, 9) {
		t.Error("versions do not compare in order")
	}
}

// TestRegistersPerThread has the limits that tileiras 13.5 puts into cubins for the hint occupancy
// (EIATTR_MAXREG_COUNT).
func TestRegistersPerThread(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		arch  string
		warps int
		want  map[int]int // by occupancy
	}{
		{"sm_100", 1, map[int]int{1: 255, 3: 168, 5: 96, 7: 72, 12: 40, 24: 24, 32: 24}},
		{"sm_100", 4, map[int]int{1: 255, 2: 255, 3: 168, 4: 128, 5: 96, 7: 72, 8: 64, 12: 40, 24: 32, 32: 32}},
		{"sm_100", 8, map[int]int{1: 255, 2: 128, 3: 80, 5: 48, 7: 32, 12: 32}},
		{"sm_90", 16, map[int]int{1: 128, 3: 40, 5: 32, 32: 32}},
		{"sm_90", 32, map[int]int{1: 64, 3: 32, 24: 32}},
		{"sm_80", 4, map[int]int{3: 168, 32: 32}},
		{"sm_86", 4, map[int]int{3: 168, 32: 40}},
		{"sm_110", 16, map[int]int{32: 40}},
		{"sm_120", 1, map[int]int{12: 40, 24: 24}},
		{"sm_120", 4, map[int]int{7: 72, 12: 40, 24: 40}},
		{"sm_120", 8, map[int]int{5: 48, 7: 40, 32: 40}},
		{"sm_120", 32, map[int]int{1: 64, 3: 64, 32: 64}},
	} {
		a, err := Lookup(tt.arch)
		if err != nil {
			t.Fatal(err)
		}
		for ctas, want := range tt.want {
			if got := a.RegistersPerThread(tt.warps, ctas); got != want {
				t.Errorf("%s, %d CTAs of %d warps: got %d, want %d", tt.arch, ctas, tt.warps, got, want)
			}
		}
	}
}
