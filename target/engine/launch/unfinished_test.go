package launch

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestExplain shows lines of sources where there are any, whatever characters are in them and in their names.
func TestExplain(t *testing.T) {
	t.Parallel()
	sources := func(file string) []byte {
		if file == "k.py" {
			return []byte("a = 1\n\tb = load(\x1b[2J\u202e)\n")
		}
		return nil
	}
	fault := &Fault{Where: []Place{{File: "k.py", Line: 2, Column: 5}, {File: "gone.py", Line: 3, Column: 1}, {File: "k.py", Line: 9, Column: -4}}, Err: errors.New("bad")}
	stood := &Unfinished{Err: errors.New("late"), Blocks: 9, Ended: 2, Begun: 3, More: true,
		At: []Standing{{Who: "one", What: "at 'x'", Where: []Place{{File: "k.py", Line: 1, Column: 0}, {File: "\x1b]0;k.py", Line: -1}}}, {Who: "two", What: "waiting"}}}
	const line2 = "\tb = load(\\x1b[2J\\u202e)"
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("plain"), "plain"},
		{fault, "bad\n    compiled from k.py:2:5\n      " + line2 + "\n      \t    ^\n    called from gone.py:3:1\n    called from k.py:9:-4"},
		{fmt.Errorf("case 7: %w", fault), "case 7: bad\n    compiled from k.py:2:5\n      " + line2 + "\n      \t    ^\n    called from gone.py:3:1\n    called from k.py:9:-4"},
		{stood, "late\n    of 9 tile blocks 2 had ended and 3 had begun\n    one: at 'x'\n      of k.py:1:0\n        a = 1\n        ^\n      called from \\x1b]0;k.py:-1:0\n    two: waiting\n    and others"},
	} {
		if got := Explain(c.err, sources); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
		if got := Explain(c.err, nil); strings.Contains(got, "load(") {
			t.Errorf("no sources, but\n%s", got)
		}
	}
}
