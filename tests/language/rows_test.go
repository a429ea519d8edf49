package language

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

var (
	opName    = regexp.MustCompile(`^[a-z][a-z0-9]*([_.][a-z0-9]+)*$`)
	fieldName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*(\.[a-z0-9_]+)*$`)
)

// exempt are rows that differ from the others on purpose: an old name that is only read, and an operation whose form
// is not published.
var exempt = map[string]bool{"cuda_tile.pow": true, "cuda_tile.preview$call": true}

// TestRows lints the rows of every dialect.
func TestRows(t *testing.T) {
	t.Parallel()
	for _, d := range tileir.Dialects() {
		if d.Doc == "" {
			t.Errorf("dialect '%s' has no documentation", d.Name)
		}
		for _, def := range d.Ops() {
			complain := func(format string, args ...any) { t.Errorf(def.FullName()+": "+format, args...) }
			if err := asm.CheckSyntax(def); err != nil {
				complain("%v", err)
			}
			if s := def.Summary; s == "" || !strings.HasSuffix(s, ".") {
				complain("summary must be a sentence, but is %q", s)
			}
			lintFields(def, complain)
			if exempt[def.FullName()] {
				continue
			}
			if !opName.MatchString(def.Name) {
				complain("name must be words in lower case")
			}
			if (def.Parse == nil) != (def.Print == nil) || def.Parse != nil && def.Syntax != "" {
				complain("must have a format, or both hooks")
			}
			if def.Parse == nil && def.Syntax == "" {
				complain("has only the generic form")
			}
		}
	}
}

func lintFields(def *ir.OpDef, complain func(string, ...any)) {
	seen := make(map[string]bool)
	for _, list := range [][]ir.Field{def.Operands, def.Attrs, def.Results, def.Regions} {
		for _, f := range list {
			if !fieldName.MatchString(f.Name) {
				complain("field name %q", f.Name)
			}
			if seen[f.Name] {
				complain("several fields are named '%s'", f.Name)
			}
			seen[f.Name] = true
		}
	}
	for _, list := range [][]ir.Field{def.Operands, def.Results} {
		variable := 0
		for _, f := range list {
			if f.Type.Check == nil || f.Type.Desc == "" {
				complain("'%s' has no constraint", f.Name)
			}
			if f.Arity != ir.One {
				variable++
			}
		}
		if sized := ir.AttrSizedOperandSegments | ir.AttrSizedResultSegments; variable > 1 && def.Traits&sized == 0 {
			complain("the fields of variable length cannot be told apart")
		}
	}
	for _, f := range def.Attrs {
		if f.Kind == nil || f.Kind.Check == nil || f.Kind.Desc == "" {
			complain("'%s' has no kind", f.Name)
		}
	}
}

// roundTripped are the dialects whose round trips with every optional clause are in suite/dialects; cuda_tile has one
// in its own package.
var roundTripped = []string{"arith", "scf", "cf", "nv_tileaa", "nv_tileas", "nvvm"}

// TestRowsOccur names the rows, and the optional operands and attributes of rows, that no round trip in
// suite/dialects shows.
func TestRowsOccur(t *testing.T) {
	t.Parallel()
	present, absent := make(map[string]bool), make(map[string]bool)
	for _, file := range dialectFiles(t) {
		parseFile(t, file).Walk(func(op ir.Op) ir.WalkResult {
			note(op, present, absent)
			return ir.Advance
		})
	}
	for _, d := range tileir.Dialects() {
		if !slices.Contains(roundTripped, d.Name) {
			continue
		}
		for _, def := range d.Ops() {
			if name := def.FullName(); !present[name] {
				t.Errorf("no file in suite/dialects has '%s'", name)
				continue
			}
			for _, f := range optional(def) {
				if name := def.FullName() + " " + f; !present[name] || !absent[name] {
					t.Errorf("no file in suite/dialects has '%s' with '%s' (%v) and without (%v)", def.FullName(), f, present[name], absent[name])
				}
			}
		}
	}
}

// optional returns the names of the operands and attributes of a row that it can do without.
func optional(def *ir.OpDef) (names []string) {
	for _, list := range [][]ir.Field{def.Operands, def.Attrs} {
		for _, f := range list {
			if f.Arity == ir.Optional {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// note notes what an operation has and what not.
func note(op ir.Op, present, absent map[string]bool) {
	def := op.Def()
	name := def.FullName()
	present[name] = true
	for _, f := range optional(def) {
		has := false
		if i := def.OperandField(f); i >= 0 {
			lo, hi := op.OperandRange(i)
			has = lo < hi
		} else {
			has = op.AttrAt(def.AttrSlot(f)) != nil
		}
		if has {
			present[name+" "+f] = true
		} else {
			absent[name+" "+f] = true
		}
	}
}

// TestRowsRejected names the rows of which no file in suite/invalid has a form that is rejected. That the messages
// are those in the files is checked with the suite.
func TestRowsRejected(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../suite/invalid/*/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in suite/invalid: %v", err)
	}
	rejected := make(map[string]bool)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range rejectedIn(string(text)) {
			rejected[name] = true
		}
	}
	for _, d := range tileir.Dialects() {
		for _, def := range d.Ops() {
			if name := def.FullName(); !rejected[name] {
				t.Errorf("no form of '%s' is rejected in suite/invalid/%s", name, d.Name)
			}
		}
	}
}

var (
	expectedError = regexp.MustCompile(`// expected-error(?:@(below|[+-][0-9]+))? \{\{(.*)\}\}`)
	ofOperation   = regexp.MustCompile(`^(?:custom op )?'([a-z0-9_.$]+)'`)
	statement     = regexp.MustCompile(`^\s*(?:%[^=]*= )?"?([a-z][a-z0-9_.$]*)`)
)

// rejectedIn returns the operations that expected errors are about: that which the message names, or which stands in
// the line.
func rejectedIn(text string) (names []string) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		m := expectedError.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if op := ofOperation.FindStringSubmatch(m[2]); op != nil {
			names = append(names, op[1])
			continue
		}
		offset, err := strconv.Atoi(m[1])
		for err != nil && i+offset < len(lines) && (offset == 0 || expectedError.MatchString(lines[i+offset])) {
			offset++
		}
		if i+offset >= len(lines) {
			continue
		}
		if op := statement.FindStringSubmatch(lines[i+offset]); op != nil {
			name := op[1]
			if !strings.Contains(name, ".") {
				name = "cuda_tile." + name // its custom syntax leaves the prefix out
			}
			names = append(names, name)
		}
	}
	return names
}

func dialectFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../suite/dialects/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in suite/dialects: %v", err)
	}
	return files
}

func parseFile(t testing.TB, file string) ir.Op {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	op, err := tileir.Read(tileir.NewContext(), file, text)
	if err != nil {
		t.Fatal(err)
	}
	return op
}
