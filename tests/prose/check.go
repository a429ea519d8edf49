package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/testing/corpus"
)

// The limits of pages.
const (
	maxWords   = 30  // of a sentence
	maxMean    = 20  // words a sentence of a page
	maxCell    = 25  // words of a table's cell
	maxColumns = 120 // of a line
	fewest     = 3   // sentences that make a mean
)

// A finding is what a rule forbids at a line.
type finding struct {
	line int
	text string
}

// A file is a file of the project and the rules for its kind.
type file struct {
	path string // below the root, with slashes
	text string
}

// files reads the files of the project that have prose.
func files() (out []file, err error) {
	root := corpus.Root()
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch filepath.Ext(name) {
		case ".go":
			if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(rel, "tests/prose/") {
				return nil // tests quote; the table of words is here
			}
		case ".py":
			if !strings.HasPrefix(rel, "python/tilewright/") {
				return nil
			}
		case ".md":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		out = append(out, file{rel, string(text)})
		return err
	})
	return out, err
}

// findings applies the rules of the file's kind, and for Go, on demand, those for comments that are no package comments.
func (f file) findings(comments bool) (out []finding, err error) {
	switch {
	case strings.HasSuffix(f.path, ".go"):
		g, err := readGo(f.path, []byte(f.text))
		if err != nil {
			return nil, err
		}
		out = append(out, checkWords(g.messages)...)
		out = append(out, checkSentences(g.messages)...)
		out = append(out, checkWords(g.packageComment)...)
		if comments {
			out = append(out, checkWords(g.comments)...)
			out = append(out, checkSentences(slices.Concat(g.packageComment, g.comments))...)
			for _, w := range g.wide {
				out = append(out, finding{w.line, fmt.Sprintf("a comment line of more than %d columns", maxColumns)})
			}
		}
	case strings.HasSuffix(f.path, ".py"):
		for i, line := range strings.Split(f.text, "\n") {
			out = append(out, checkWords([]passage{{i + 1, line}})...)
		}
	default:
		p := readPage(f.text)
		out = append(checkWords(p.paragraphs), checkWords(p.others)...)
		out = append(out, checkPaths(f.path, f.text)...)
		out = append(out, p.check()...)
	}
	slices.SortStableFunc(out, func(a, b finding) int { return a.line - b.line })
	return out, nil
}

func checkWords(passages []passage) (out []finding) {
	for _, p := range passages {
		for _, u := range usesOf(p.text) {
			line := p.line + strings.Count(p.text[:u.at], "\n")
			out = append(out, finding{line, fmt.Sprintf("%q: say %s (docs/glossary.md)", u.found, u.say)})
		}
	}
	return out
}

// checkSentences finds sentences that are too long. Text with braces, or with brackets before semicolons, is code.
func checkSentences(passages []passage) (out []finding) {
	for _, p := range passages {
		for _, s := range sentences(p.text) {
			if n := countWords(s); n > maxWords && !strings.Contains(s, "{") && !strings.Contains(s, "];") {
				out = append(out, finding{p.line, fmt.Sprintf("a sentence of %d words, at most %d: %s", n, maxWords, start(s))})
			}
		}
	}
	return out
}

// check applies the limits of sentences, cells and lines.
func (p *page) check() []finding {
	out := checkSentences(p.paragraphs)
	total, count := 0, 0
	for _, n := range p.lengths() {
		total, count = total+n, count+1
	}
	for _, o := range p.others {
		if n := countWords(plain(o.text)); n > maxCell {
			out = append(out, finding{line: o.line, text: fmt.Sprintf("a cell or heading of %d words, at most %d: %s", n, maxCell, start(o.text))})
		}
	}
	if count >= fewest && total > maxMean*count {
		mean := float64(total) / float64(count)
		out = append(out, finding{line: 1, text: fmt.Sprintf("%.1f words a sentence in the mean, at most %d", mean, maxMean)})
	}
	for _, w := range p.wide {
		out = append(out, finding{line: w.line, text: fmt.Sprintf("a line of more than %d columns", maxColumns)})
	}
	return out
}

func start(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}
