package report

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxSources bounds the sources of a report, which has all their lines.
const maxSources = 16

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
	data, why := m.files.Read(name)
	return string(data), why
}
