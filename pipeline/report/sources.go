package report

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Locations are part of the input, which may name any file of the machine that makes the report; the report may go to others. So only what looks like a source and is a plain file of moderate size is shown.
const (
	maxSource  = 2 << 20
	maxSources = 16
)

var sourceSuffixes = []string{".py", ".rs", ".jl", ".cu", ".cuh", ".cpp", ".cc", ".h", ".hpp", ".mlir", ".tileir"}

// sources adds the files that locations name, where they can be read: those with most operations first.
func (m *making) sources() {
	type file struct {
		name  string
		lines map[uint32][]int
		ops   int
	}
	var files []*file
	at := make(map[string]*file)
	for n, chain := range m.labels.at {
		for _, f := range chain[:min(len(chain), maxFrames)] {
			s := at[f.File]
			if s == nil {
				s = &file{name: f.File, lines: make(map[uint32][]int)}
				at[f.File] = s
				files = append(files, s)
			}
			if of := s.lines[f.Line]; len(of) == 0 || of[len(of)-1] != n {
				s.lines[f.Line] = append(of, n)
				s.ops++
			}
		}
	}
	slices.SortStableFunc(files, func(a, b *file) int { return b.ops - a.ops })
	shown := 0
	for _, s := range files {
		if shown == maxSources {
			m.missing("sources after the first %d", shown)
			break
		}
		text, why := m.source(s.name)
		if why != "" {
			m.missing("source '%s': %s", s.name, why)
			continue
		}
		shown++
		d := &Document{Kind: kindSource, Title: s.name, Level: kindSource, Pass: -1}
		number := uint32(0)
		for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			number++
			d.Lines = append(d.Lines, m.book.line(strings.TrimSuffix(line, "\r")))
			d.Labels = append(d.Labels, s.lines[number])
		}
		m.page.Docs = append(m.page.Docs, d)
	}
}

// source reads a file, or says why it is not shown.
func (m *making) source(name string) (text, why string) {
	if name == m.in.Name && utf8.Valid(m.in.Data) && !bytes.ContainsRune(m.in.Data, 0) {
		return string(m.in.Data), ""
	}
	if !slices.Contains(sourceSuffixes, filepath.Ext(name)) {
		return "", "its name is not that of a source"
	}
	f, err := os.Open(name)
	if err != nil {
		return "", "it cannot be read here"
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", "it is no plain file"
	}
	data, err := io.ReadAll(io.LimitReader(f, maxSource+1))
	switch {
	case err != nil:
		return "", "it cannot be read here"
	case len(data) > maxSource:
		return "", "it is too large"
	case !utf8.Valid(data) || bytes.ContainsRune(data, 0):
		return "", "it is no text"
	}
	return string(data), ""
}
