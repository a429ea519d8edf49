// Command newpass makes the files of a new pass: the package with a pattern that works, its suite, and the line that
// links it.
//
//	go run ./internal/tooling/newpass --level=tileas --room=memory tileas-my-pass
//	go run ./internal/tooling/newpass --level=nvvm --plugin my-pass
//
// Nothing is overwritten. What the pass does, it drops additions of zero, is to be replaced; the rest is what every
// pass has.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"
)

func main() {
	if err := run(os.Args[1:], "."); err != nil {
		fmt.Fprintf(os.Stderr, "newpass: error: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string, root string) error {
	fs := pflag.NewFlagSet("newpass", pflag.ContinueOnError)
	s := spec{}
	fs.StringVar(&s.level, "level", "tileas", "the level that the pass works on: "+levelNames())
	fs.StringVar(&s.room, "room", "", "the folder of the level's passes that gets the pass, by subject: "+roomNames())
	fs.BoolVar(&s.plugin, "plugin", false, "make a plugin, below passes/plugins")
	if err := fs.Parse(args); errors.Is(err, pflag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return fmt.Errorf("expected the name of the pass, as in tileas-my-pass")
	}
	s.name = fs.Arg(0)
	files, err := s.files(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(root, name)) })
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(root, f.path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.text, 0o666); err != nil {
			return err
		}
		fmt.Println(f.path)
	}
	fmt.Printf("next: go run ./cmd/tile-opt --help-pass=%s; go test ./tests/suite ./tests/passes -run 'TestPassSuites/%s|TestSuite/passes/%s'; go generate ./internal/tooling/reference\n", s.name, s.name, s.name)
	return nil
}

// exists reports whether reading a file fails for another reason than that there is none.
func exists(err error) bool { return !errors.Is(err, fs.ErrNotExist) }
