package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
)

// TestOpNames rejects passes that compare names of operations. A pass compares rows (op.Is, tile.Is) or asks for a
// capability: a name that is renamed or misspelt in a string compiles, and is never equal.
func TestOpNames(t *testing.T) {
	t.Parallel()
	root := filepath.Join(corpus.Root(), "passes")
	files := 0
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		files++
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return err
		}
		for _, at := range comparedNames(parsed) {
			t.Errorf("%s compares the name of an operation: compare its row, or ask for a capability", set.Position(at))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Fatalf("found only %d files, so the walk is broken", files)
	}
}

// comparedNames returns where a file compares the name of an operation's row (Def().Name, Def().FullName()), or
// compares a call of Name() with the full name of an operation.
func comparedNames(file *ast.File) (at []token.Pos) {
	check := func(x, y ast.Expr) {
		if ofRow(x) || ofRow(y) || namesOp(x) && calls(y, "Name") || namesOp(y) && calls(x, "Name") {
			at = append(at, x.Pos())
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				check(n.X, n.Y)
			}
		case *ast.SwitchStmt:
			if n.Tag == nil {
				break
			}
			for _, c := range n.Body.List {
				for _, y := range c.(*ast.CaseClause).List {
					check(n.Tag, y)
				}
			}
		}
		return true
	})
	return at
}

// ofRow reports whether an expression is x.Def().Name or x.Def().FullName().
func ofRow(x ast.Expr) bool {
	if call, ok := x.(*ast.CallExpr); ok {
		x = call.Fun
	}
	sel, ok := x.(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "Name" || sel.Sel.Name == "FullName") && calls(sel.X, "Def")
}

// calls reports whether an expression is x.name().
func calls(x ast.Expr, name string) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == name
}

// namesOp reports whether an expression is a string such as "nv_tileas.dot".
func namesOp(x ast.Expr) bool {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return false
	}
	for _, dialect := range []string{"cuda_tile.", "nv_tileaa.", "nv_tileas.", "nvvm.", "arith.", "scf.", "cf.", "builtin."} {
		if strings.HasPrefix(lit.Value, `"`+dialect) {
			return true
		}
	}
	return false
}

func TestComparedNames(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]int{
		`op.Def().Name == other.Name`:                  1,
		`op.Name() != "nv_tileas.dot"`:                 1,
		`op.Def().FullName() == "arith.addi"`:          1,
		`op.Is(tileas.Dot) && field.Name() == "shape"`: 0,
		`op.Name() == "x"`:                             0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\nvar _ = "+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(comparedNames(file)); got != want {
			t.Errorf("%s: %d comparisons found, want %d", src, got, want)
		}
	}
}
