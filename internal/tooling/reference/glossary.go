package reference

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// A term is a name that rows use, with what the comment at its declaration says.
type term struct{ name, text string }

// words are the terms of the index page.
type words struct {
	traits []term // by bit
	caps   []term // by name
}

// capabilityFiles are where capabilities are declared.
var capabilityFiles = []string{"ir/*.go", "ir/*/*.go", "dialects/*/*.go", "passes/*.go", "target/*/*.go"}

// glossary reads the declarations of traits and capabilities.
func glossary(root string) (*words, error) {
	w := new(words)
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "ir", "def.go"), nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	w.traits = traitTerms(file)
	if len(w.traits) == 0 || w.traits[0].name != "Terminator" {
		return nil, fmt.Errorf("the traits are not declared in ir/def.go any more")
	}
	for _, pattern := range capabilityFiles {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			w.caps = append(w.caps, capTerms(parsed)...)
		}
	}
	slices.SortFunc(w.caps, func(a, b term) int { return strings.Compare(a.name, b.name) })
	return w, nil
}

// traitTerms returns the constants of type Traits, which number bits.
func traitTerms(file *ast.File) (out []term) {
	for _, decl := range file.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		if first, ok := g.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); !ok || first.Name != "Traits" {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			out = append(out, term{v.Names[0].Name, strings.TrimSpace(v.Comment.Text())})
		}
	}
	return out
}

// capTerms returns the variables that are made by NewCap.
func capTerms(file *ast.File) (out []term) {
	for _, decl := range file.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			if len(v.Values) != 1 {
				continue
			}
			name, ok := newCap(v.Values[0])
			if !ok {
				continue
			}
			text := v.Doc.Text()
			if text == "" {
				text = g.Doc.Text()
			}
			text = strings.TrimPrefix(strings.Join(strings.Fields(text), " "), v.Names[0].Name+" ")
			text = strings.TrimPrefix(text, "is the capability of ")
			out = append(out, term{name, text})
		}
	}
	return out
}

// newCap returns the name in a call NewCap[I]("name").
func newCap(e ast.Expr) (name string, ok bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", false
	}
	index, ok := call.Fun.(*ast.IndexExpr)
	if !ok {
		return "", false
	}
	fun := index.X
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		fun = sel.Sel
	}
	if id, ok := fun.(*ast.Ident); !ok || id.Name != "NewCap" {
		return "", false
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return "", false
	}
	name, err := strconv.Unquote(lit.Value)
	return name, err == nil
}

// traitsOf returns the names of the traits of a row.
func (w *words) traitsOf(def *ir.OpDef) (names []string, err error) {
	for bit := 0; def.Traits>>bit != 0; bit++ {
		if def.Traits>>bit&1 == 0 {
			continue
		}
		if bit >= len(w.traits) {
			return nil, fmt.Errorf("%s: trait number %d has no name", def.FullName(), bit)
		}
		names = append(names, w.traits[bit].name)
	}
	return names, nil
}
