package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A goFile is the prose of a Go file.
type goFile struct {
	messages       []passage // literals of three words or more, and help in tags of structures
	packageComment []passage
	comments       []passage // all other comments
	wide           []passage // comment lines over the limit of columns
	lines          int
	outside        int // lines of comments outside bodies of functions
	inside         int // and inside
}

// readGo parses a Go file. Code in comments (indented lines) is no prose.
func readGo(name string, source []byte) (*goFile, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	f := &goFile{lines: strings.Count(string(source), "\n")}
	var bodies []*ast.BlockStmt
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			if n.Body != nil {
				bodies = append(bodies, n.Body)
			}
		case *ast.Field:
			if n.Tag != nil {
				tag, _ := strconv.Unquote(n.Tag.Value)
				f.messages = append(f.messages, passage{set.Position(n.Tag.Pos()).Line, reflect.StructTag(tag).Get("help")})
				n.Tag = nil
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && strings.Count(text, " ") >= 2 {
				f.messages = append(f.messages, passage{set.Position(n.Pos()).Line, readable(text)})
			}
		}
		return true
	})
	for _, group := range parsed.Comments {
		within := false
		for _, b := range bodies {
			within = within || b.Pos() <= group.Pos() && group.End() <= b.End()
		}
		for _, c := range group.List {
			line := set.Position(c.Pos()).Line
			for i, text := range strings.Split(c.Text, "\n") {
				if within {
					f.inside++
				} else {
					f.outside++
				}
				if utf8.RuneCountInString(text) > maxColumns && !strings.Contains(text, "://") && !strings.HasPrefix(text, "//go:") {
					f.wide = append(f.wide, passage{line + i, text})
				}
			}
		}
		p := passage{set.Position(group.Pos()).Line, prose(group)}
		if group == parsed.Doc {
			f.packageComment = append(f.packageComment, p)
		} else {
			f.comments = append(f.comments, p)
		}
	}
	return f, nil
}

// prose returns the text of comments, line by line, without blocks of code.
func prose(group *ast.CommentGroup) string {
	var lines []string
	for _, c := range group.List {
		for _, line := range strings.Split(c.Text, "\n") {
			line = strings.TrimPrefix(strings.TrimPrefix(line, "//"), "/*")
			if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ") {
				line = ""
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// readable drops marks that IR in a text has and prose has not, so that a pattern does not match names in IR.
func readable(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if strings.ContainsAny(line, "%@!#") && strings.ContainsAny(line, "={") {
			line = ""
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
