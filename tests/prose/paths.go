package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tilewright/tilewright/internal/testing/corpus"
)

var (
	target = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)
	// named is a path below a folder of the project, in inline code or in a command.
	named = regexp.MustCompile("(?:^|[`\\s(=])(?:\\./)?((?:bytecode|cmd|dialects|docs|editors|internal|ir|passes|pipeline|python|target|tests)/[a-z0-9_./-]+)")
)

// checkPaths finds links and paths of a page that lead to no file. Names in capitals, and those that begin
// with my, are the reader's.
func checkPaths(page, text string) (out []finding) {
	root := corpus.Root()
	for i, line := range strings.Split(text, "\n") {
		for _, m := range target.FindAllStringSubmatch(line, -1) {
			to := path.Join(path.Dir(page), m[1])
			if !strings.Contains(m[1], "://") && !exists(root, to) {
				out = append(out, finding{line: i + 1, text: fmt.Sprintf("a link to %s, which is not there", m[1])})
			}
		}
		for _, m := range named.FindAllStringSubmatchIndex(line, -1) {
			name, next := line[m[2]:m[3]], line[m[3]:]
			placeholder := next != "" && (strings.ContainsAny(next[:1], "*{<_$") || next[0] >= 'A' && next[0] <= 'Z') || strings.Contains(name, "/my")
			name = strings.TrimRight(strings.TrimSuffix(name, "/..."), "./")
			if !placeholder && !exists(root, name) && !exists(root, path.Join(path.Dir(page), name)) {
				out = append(out, finding{line: i + 1, text: fmt.Sprintf("the path %s, which is not there", name)})
			}
		}
	}
	return out
}

func exists(root, name string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil
}
