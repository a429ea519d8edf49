package compiletool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// TestDiagnosticsQuoteTheSource in both forms: the one of compilers, and the one that front ends parse, whose first
// line begins with the severity.
func TestDiagnosticsQuoteTheSource(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "k.py")
	if err := os.WriteFile(file, []byte("x = 1\n  y = f(x)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		persona persona
		want    string
	}{
		{persona{quote: true}, "FILE:2:2: error: bad\n  y = f(x)\n  ^\nFILE:1:0: note: from here\nx = 1\n^\n"},
		{persona{}, "error: bad (at FILE:2:2)\n  y = f(x)\n  ^\nnote: from here (at FILE:1:0)\nx = 1\n^\n"},
	} {
		ctx := tileir.NewContext()
		var sb strings.Builder
		c.persona.handler(ctx, &sb)(ir.Errorf(ctx.FileLoc(file, 2, 2), "bad").Note(ctx.FileLoc(file, 1, 0), "from here"))
		if want := strings.ReplaceAll(c.want, "FILE", file); sb.String() != want {
			t.Errorf("got\n%swant\n%s", sb.String(), want)
		}
	}
}
