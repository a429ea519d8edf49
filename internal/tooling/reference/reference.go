package reference

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// Folder is where the pages stand, below the root of the repository.
const Folder = "docs/reference"

// Command is what brings the pages up to date.
const Command = "go generate ./internal/tooling/reference"

// banner tells those who open a page in an editor.
const banner = "<!-- Made by '" + Command + "': do not edit. -->\n\n"

// Pages are texts by the name of their file.
type Pages map[string]string

// Root returns the root of the repository that the working directory is in.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("the working directory is in no Go module")
		}
		dir = up
	}
}

// Generate makes all pages from the rows, the registered passes, the tools and the emulator. It reads examples and
// the comments of declarations below root.
func Generate(root string) (Pages, error) {
	w, err := glossary(root)
	if err != nil {
		return nil, err
	}
	pages := make(Pages)
	for _, d := range tileir.Dialects() {
		page, err := dialectPage(root, d, w)
		if err != nil {
			return nil, err
		}
		pages[d.Name+".md"] = page
	}
	if pages["passes.md"], err = passesPage(passes.Default); err != nil {
		return nil, err
	}
	pages["remarks.md"] = remarksPage()
	if pages["tools.md"], err = toolsPage(); err != nil {
		return nil, err
	}
	pages["ptx-emulator.md"] = emulatorPage()
	pages["README.md"] = indexPage(w)
	for name, page := range pages {
		pages[name] = wrap(page)
	}
	return pages, nil
}

// Names returns the names of the pages, sorted.
func (p Pages) Names() []string { return slices.Sorted(maps.Keys(p)) }

// Write writes the pages below root and removes pages that there are no more.
func (p Pages) Write(root string) error {
	dir := filepath.Join(root, Folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if _, ok := p[filepath.Base(file)]; !ok {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	for _, name := range p.Names() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(p[name]), 0o644); err != nil {
			return fmt.Errorf("cannot write a page: %w", err)
		}
	}
	return nil
}
