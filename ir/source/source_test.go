package source

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReader(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var r Reader
	for name, want := range map[string]string{
		write("good.py", []byte("x = 3\n")):                     "",
		write("secret.txt", []byte("password\n")):               "its name is not that of a source",
		write("binary.py", []byte("\x00\x01")):                  "it is no text",
		write("latin.py", []byte("\xe9")):                       "it is no text",
		write("huge.py", bytes.Repeat([]byte("#\n"), maxBytes)): "it is too large",
		filepath.Join(dir, "absent.py"):                         "it cannot be read here",
		filepath.Join(dir, "a\x00b.py"):                         "it cannot be read here",
		dir + "/..":                                             "its name is not that of a source",
		"/dev/zero":                                             "its name is not that of a source",
	} {
		text, why := r.Read(name)
		if why != want || (why == "") != (text != nil) {
			t.Errorf("%s: %q, want %q", name, why, want)
		}
	}
	// What was read once is not read again, and a module cannot have any number of files opened.
	if err := os.Remove(filepath.Join(dir, "good.py")); err != nil {
		t.Fatal(err)
	}
	if got := r.Text(filepath.Join(dir, "good.py")); string(got) != "x = 3\n" {
		t.Errorf("again: %q", got)
	}
	for i := range 2 * maxFiles {
		r.Text(fmt.Sprintf("%s/%d.py", dir, i))
	}
	if _, why := r.Read(write("late.py", []byte("x"))); why != "too many others were read" || len(r.known) != maxFiles {
		t.Errorf("the last: %q, %d known", why, len(r.known))
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	text := []byte("first\n\tsecond %x\r\nπ = 3\nwipe \x1b[2J \u202e\n" + strings.Repeat("long", 100))
	for _, c := range []struct {
		line, column uint32
		want         string
	}{
		{1, 1, "first\n^\n"}, {2, 9, "\tsecond %x\n\t       ^\n"}, {1, 0, "first\n"}, {1, 6, "first\n     ^\n"}, {1, 7, "first\n"}, {1, 1 << 31, "first\n"},
		{3, 4, "π = 3\n  ^\n"}, {4, 11, "wipe \\x1b[2J \\u202e\n             ^\n"}, {5, 1, ""}, {6, 1, ""}, {0, 1, ""}, {1 << 31, 1, ""},
	} {
		if got := Line("k.mlir", text, c.line, c.column); got != c.want {
			t.Errorf("%d:%d: %q, want %q", c.line, c.column, got, c.want)
		}
	}
	if got := Line("k.mlir", nil, 1, 1); got != "" {
		t.Errorf("no text: %q", got)
	}
	// Columns of Python count from 0.
	for column, want := range map[uint32]string{0: "first\n^\n", 4: "first\n    ^\n", 6: "first\n"} {
		if got := Line("k.py", text, 1, column); got != want {
			t.Errorf("k.py:1:%d: %q, want %q", column, got, want)
		}
	}
}
