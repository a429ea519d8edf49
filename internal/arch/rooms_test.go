package arch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
)

// A passRoom is a part of the passes and what it may reach, directly and through what it imports.
//
// A package of the room may reach the dialects in knows, and no other level's. That holds a library of level 2 out of
// level 1: passes/tileaa/a -> passes/machine/b -> dialects/tileas is rejected, though a imports no dialect itself.
type passRoom struct {
	pattern string
	knows   []string // patterns of levels
	why     string
}

// Levels, in the order in which a kernel passes through them.
const (
	levelCudaTile = "dialects/cudatile/..."
	levelTileAA   = "dialects/tileaa/..."
	levelTileAS   = "dialects/tileas/..."
	levelNVVM     = "dialects/nvvm/..."
)

// passRooms are the rooms from the highest to the lowest: a room imports rooms below it only. Where several patterns
// cover a package, the longest is its room. So where a library stands says which levels it knows.
var passRooms = []passRoom{
	{"passes/all/...", levels, "the default pipeline has passes of all levels"},
	{"passes/plugins/...", []string{levelTileAS}, "users add passes of any dialect, and schedulers of level 2"},
	{"passes/convert/cudatiletotileaa/...", []string{levelCudaTile, levelTileAA}, "a conversion knows its two levels"},
	{"passes/convert/tileaatotileas/...", []string{levelTileAA, levelTileAS}, "a conversion knows its two levels"},
	{"passes/convert/tileastonvvm/...", []string{levelTileAS, levelNVVM}, "a conversion knows its two levels"},
	{"passes/convert/nvvmtoptx/...", []string{levelNVVM}, "PTX is no dialect"},
	{"passes/cudatile/...", []string{levelCudaTile}, "passes of level 0 know cuda_tile alone"},
	{"passes/tileaa/...", []string{levelTileAA}, "passes of level 1 know nv_tileaa alone"},
	{"passes/tileas/...", []string{levelTileAS}, "passes of level 2 know nv_tileas alone"},
	{"passes/nvvm/...", []string{levelNVVM}, "passes of level 3 know nvvm alone"},
	{"passes/property/tileaaprop", []string{levelTileAA}, "properties of a level know that level alone"},
	{"passes/property/tileasprop", []string{levelTileAS}, "properties of a level know that level alone"},
	{"passes/property/nvvmprop", []string{levelNVVM}, "properties of a level know that level alone"},
	{"passes/schedule/...", []string{levelTileAS}, "loops are scheduled at level 2"},
	{"passes/tileas/analysis/...", []string{levelTileAS}, "analyses of level 2 know nv_tileas alone"},
	{"passes/tileas/machine/...", []string{levelTileAS}, "level 2 names matrix instructions and has prices"},
	{"passes/schedule/modulo/...", nil, "schedulers know graphs and no operation"},
	{"passes/any/...", nil, "passes for all dialects ask for capabilities"},
	{"passes/analysis/...", nil, "analyses for all levels ask for capabilities"},
	{"passes/machine/...", nil, "the machine is the same for all levels"},
	{"passes/remark", nil, "remarks are words"},
	{"passes/property", nil, "names of properties are known to all"},
	{"passes", nil, "what a pass is depends on no pass"},
}

// roomOf returns the number of a package's room, or -1.
func roomOf(pkg string) int {
	best := -1
	for i, r := range passRooms {
		if covers([]string{r.pattern}, pkg) && (best < 0 || len(r.pattern) > len(passRooms[best].pattern)) {
			best = i
		}
	}
	return best
}

// checkRooms returns a sentence for every package of the passes that reaches a level which its room does not know, with
// the imports that lead there, and for every import of a higher room.
func checkRooms(imports map[string][]string) (out []string) {
	for pkg, list := range imports {
		if !covers([]string{allPasses}, pkg) {
			continue
		}
		at := roomOf(pkg)
		if at < 0 {
			out = append(out, fmt.Sprintf("package %s belongs to no room of the passes: give it a row in passRooms", pkg))
			continue
		}
		for _, to := range list {
			if above := roomOf(to); above >= 0 && above < at {
				out = append(out, fmt.Sprintf("%s must not import %s: %s is a room above", pkg, to, passRooms[above].pattern))
			}
		}
		for _, level := range levels {
			if slices.Contains(passRooms[at].knows, level) {
				continue
			}
			path := pathTo(imports, pkg, level)
			// A room on the way that must not know the level either is to blame, and has a sentence of its own.
			if path == nil || slices.ContainsFunc(path[1:], func(p string) bool { return isBlamed(p, level) }) {
				continue
			}
			out = append(out, fmt.Sprintf("%s must not reach %s: %s\n\t%s",
				pkg, path[len(path)-1], passRooms[at].why, strings.Join(path, "\n\t  imports ")))
		}
	}
	slices.Sort(out)
	return out
}

func isBlamed(pkg, level string) bool {
	at := roomOf(pkg)
	return at >= 0 && !slices.Contains(passRooms[at].knows, level)
}

// pathTo returns a shortest chain of imports from a package to one that a pattern covers, or nil.
func pathTo(imports map[string][]string, pkg, pattern string) []string {
	from := map[string]string{pkg: ""}
	for queue := []string{pkg}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if covers([]string{pattern}, at) {
			var path []string
			for ; at != ""; at = from[at] {
				path = append(path, at)
			}
			slices.Reverse(path)
			return path
		}
		for _, to := range slices.Sorted(slices.Values(imports[at])) {
			if _, seen := from[to]; !seen {
				from[to] = at
				queue = append(queue, to)
			}
		}
	}
	return nil
}

// TestRooms holds the passes to the rooms.
func TestRooms(t *testing.T) {
	t.Parallel()
	imports, err := readImports(corpus.Root())
	if err != nil {
		t.Fatal(err)
	}
	for _, violation := range checkRooms(imports) {
		t.Error(violation)
	}
	for i, r := range passRooms {
		used := false
		for pkg := range imports {
			used = used || roomOf(pkg) == i
		}
		if !used {
			t.Errorf("no package is in the room %s", r.pattern)
		}
	}
}

// TestCheckRooms plants imports that the passes must not have.
func TestCheckRooms(t *testing.T) {
	t.Parallel()
	imports := map[string][]string{
		"passes/tileaa/cut":                {"passes/analysis/pressure", "dialects/tileaa"},
		"passes/analysis/pressure":         {"passes/machine/mma"},
		"passes/machine/mma":               {"dialects/tile", "ir/linear"},
		"passes/tileas/machine/instr":      {"passes/machine/mma", "dialects/tileas"},
		"passes/schedule/ddg":              {"passes/tileas/machine/instr"},
		"passes/tileas/async/plan":         {"passes/schedule/ddg"},
		"passes/convert/tileaatotileas":    {"dialects/tileaa", "passes/tileas/machine/instr"},
		"dialects/tileas":                  {"dialects/tileas/transfer"},
		"target/sm":                        nil,
		"passes/property/tileasprop":       {"passes/schedule/ddg"},
		"passes/convert/tileastonvvm/core": {"dialects/nvvm", "passes/property/tileasprop"},
	}
	tests := []struct {
		name, pkg, imports string
		want               string // empty: allowed
	}{
		{"nothing", "passes/tileaa/cut", "target/sm", ""},
		{"own level", "passes/tileaa/cut", "dialects/tileaa/strip", ""},
		{"direct", "passes/tileaa/cut", "dialects/tileas", "passes/tileaa/cut must not reach dialects/tileas: passes of level 1 know nv_tileaa alone\n" +
			"\tpasses/tileaa/cut\n\t  imports dialects/tileas"},
		{"through a library of level 2", "passes/tileaa/cut", "passes/schedule/ddg", "passes/tileaa/cut must not reach dialects/tileas: passes of level 1 know nv_tileaa alone\n" +
			"\tpasses/tileaa/cut\n\t  imports passes/schedule/ddg\n\t  imports passes/tileas/machine/instr\n\t  imports dialects/tileas"},
		{"by a neutral library", "passes/machine/mma", "dialects/tileas/transfer", "passes/machine/mma must not reach dialects/tileas/transfer: the machine is the same for all levels\n" +
			"\tpasses/machine/mma\n\t  imports dialects/tileas/transfer"},
		{"third level of a conversion", "passes/convert/tileaatotileas", "dialects/nvvm", "passes/convert/tileaatotileas must not reach dialects/nvvm: a conversion knows its two levels\n" +
			"\tpasses/convert/tileaatotileas\n\t  imports dialects/nvvm"},
		{"upwards", "passes/tileas/machine/instr", "passes/tileas/async/plan", "passes/tileas/machine/instr must not import passes/tileas/async/plan: passes/tileas/... is a room above"},
		{"no room", "passes/new", "ir", "package passes/new belongs to no room of the passes: give it a row in passRooms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			with := make(map[string][]string)
			for pkg, list := range imports {
				with[pkg] = list
			}
			with[tt.pkg] = append(slices.Clone(with[tt.pkg]), tt.imports)
			if got := strings.Join(checkRooms(with), "\n"); got != tt.want {
				t.Errorf("%s imports %s:\n%s\nwant\n%s", tt.pkg, tt.imports, got, tt.want)
			}
		})
	}
}

// The picture of the rooms in docs/architecture.md.
const (
	pictureFile  = "docs/architecture.md"
	pictureBegin = "<!-- rooms of the passes: written by TILEWRIGHT_UPDATE=1 go test ./internal/arch -run TestRoomsPicture -->\n```\n"
	pictureEnd   = "```\n<!-- end of rooms of the passes -->\n"
)

// picture draws the rooms from the highest to the lowest, with the levels that each knows and the rooms below that it
// imports. An import that follows from others is left out.
func picture(imports map[string][]string) string {
	below := make([]map[int]bool, len(passRooms))
	for i := range below {
		below[i] = make(map[int]bool)
	}
	for pkg, list := range imports {
		from := roomOf(pkg)
		for _, to := range list {
			if r := roomOf(to); from >= 0 && r > from {
				below[from][r] = true
			}
		}
	}
	reaches := make([]map[int]bool, len(passRooms)) // transitively, from the lowest room on
	for i := len(passRooms) - 1; i >= 0; i-- {
		reaches[i] = make(map[int]bool)
		for r := range below[i] {
			reaches[i][r] = true
			for further := range reaches[r] {
				reaches[i][further] = true
			}
		}
	}
	name := func(i int) string {
		return strings.TrimPrefix(strings.TrimSuffix(passRooms[i].pattern, "/..."), "passes/")
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%-25s %-15s %s\n", "room in passes/", "knows", "imports, besides what those import")
	for i, r := range passRooms {
		var knows, direct []string
		for _, level := range r.knows {
			knows = append(knows, strings.TrimSuffix(strings.TrimPrefix(level, "dialects/"), "/..."))
		}
		for to := range passRooms {
			implied := false
			for other := range below[i] {
				implied = implied || reaches[other][to]
			}
			if below[i][to] && !implied {
				direct = append(direct, name(to))
			}
		}
		known := strings.Join(knows, " ")
		switch len(knows) {
		case 0:
			known = "-"
		case len(levels):
			known = "all levels"
		}
		fmt.Fprintln(&out, strings.TrimRight(fmt.Sprintf("%-25s %-15s %s", name(i), known, strings.Join(direct, ", ")), " "))
	}
	return out.String()
}

// TestRoomsPicture keeps the picture in the page true.
func TestRoomsPicture(t *testing.T) {
	t.Parallel()
	imports, err := readImports(corpus.Root())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(corpus.Root(), filepath.FromSlash(pictureFile))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), pictureBegin)
	got, after, ok2 := strings.Cut(rest, pictureEnd)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for the picture between %q and %q", pictureFile, pictureBegin, pictureEnd)
	}
	want := picture(imports)
	switch {
	case got == want:
	case os.Getenv("TILEWRIGHT_UPDATE") == "1":
		if err := os.WriteFile(file, []byte(before+pictureBegin+want+pictureEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the rooms in %s are not those of the tree (TILEWRIGHT_UPDATE=1 rewrites them), which are\n%s", pictureFile, want)
	}
}
