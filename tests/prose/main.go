package main

import (
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "prose: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string, w io.Writer) error {
	all, err := files()
	switch {
	case err != nil:
		return err
	case len(args) == 0:
		return table(all, w)
	case slices.Equal(args, []string{"-pending"}):
		return updatePending(all)
	}
	for _, f := range all {
		if !slices.ContainsFunc(args, func(a string) bool { return within(f.path, a) }) {
			continue
		}
		found, err := f.findings(true)
		if err != nil {
			return err
		}
		for _, d := range found {
			fmt.Fprintf(w, "%s:%d: %s\n", f.path, d.line, d.text)
		}
	}
	return nil
}

// within reports whether a file is the one that is named or below it.
func within(file, name string) bool {
	name = strings.TrimPrefix(path.Clean(name), "./")
	return name == "." || file == name || strings.HasPrefix(file, name+"/")
}

// table prints the measures of pages and of Go by folder.
func table(all []file, w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "sentences\tmedian\tp90\tlongest\twide lines\tbanned words\t  page")
	folders := map[string]*goFile{}
	bannedIn := map[string]int{}
	for _, f := range all {
		switch path.Ext(f.path) {
		case ".md":
			p := readPage(f.text)
			lengths := p.lengths()
			banned := len(checkWords(p.paragraphs)) + len(checkWords(p.others))
			fmt.Fprintf(tw, "%d\t%d\t%d\t%d\t%d\t%d\t  %s\n", len(lengths), quantile(lengths, 50), quantile(lengths, 90), quantile(lengths, 100), len(p.wide), banned, f.path)
		case ".go":
			g, err := readGo(f.path, []byte(f.text))
			if err != nil {
				return err
			}
			name := folder(f.path)
			if folders[name] == nil {
				folders[name] = new(goFile)
			}
			folders[name].add(g)
			bannedIn[name] += len(checkWords(slices.Concat(g.messages, g.packageComment, g.comments)))
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	fmt.Fprintln(tw, "lines\tcomments %\tin bodies %\twide comments\tbanned words\t  folder")
	for _, name := range sortedKeys(folders) {
		g := folders[name]
		lines := float64(g.lines)
		fmt.Fprintf(tw, "%d\t%.1f\t%.1f\t%d\t%d\t  %s\n", g.lines, 100*float64(g.outside+g.inside)/lines, 100*float64(g.inside)/lines, len(g.wide), bannedIn[name], name)
	}
	return tw.Flush()
}

// folder returns the folder that the table counts a Go file in: two levels, or one.
func folder(file string) string {
	parts := strings.Split(path.Dir(file), "/")
	return strings.Join(parts[:min(len(parts), 2)], "/")
}

func (g *goFile) add(o *goFile) {
	g.lines += o.lines
	g.inside += o.inside
	g.outside += o.outside
	g.wide = append(g.wide, o.wide...)
}

// lengths returns the words of each sentence, sorted.
func (p *page) lengths() (out []int) {
	for _, par := range p.paragraphs {
		for _, s := range sentences(par.text) {
			out = append(out, countWords(s))
		}
	}
	slices.Sort(out)
	return out
}

func quantile(sorted []int, percent int) int {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)*percent/100]
}

func sortedKeys[V any](m map[string]V) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
