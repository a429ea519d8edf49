package damage

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode/inspect"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
)

// TestInspect dumps and sums up damaged files: every byte must be shown once, in order, whatever the tables say.
func TestInspect(t *testing.T) {
	t.Parallel()
	all := sources(t)
	for i := range uint64(40 * len(kinds)) {
		m := Make(all, 5, i)
		var dump, sum bytes.Buffer
		err := inspect.Hexdump(ir.NewContext(ops.Dialect), &dump, m.Data)
		if got := undump(t, dump.String()); !bytes.Equal(got, m.Data) {
			t.Errorf("mutant %d, %s of %s: the dump does not show the bytes of the file", i, m.Kind, m.Source)
		}
		if e := inspect.Stat(ir.NewContext(ops.Dialect), &sum, m.Data); (e == nil) != (err == nil) {
			t.Errorf("mutant %d, %s of %s: Stat says %v, Hexdump %v", i, m.Kind, m.Source, e, err)
		}
	}
}

// undump returns the bytes that a dump shows.
func undump(t *testing.T, dump string) (data []byte) {
	t.Helper()
	const first, last = len("00000000  "), len("00000000  ") + len("00 ")*16
	for line := range strings.Lines(dump) {
		line = strings.TrimSuffix(line, "\n")
		b, err := hex.DecodeString(strings.ReplaceAll(line[first:min(last, len(line))], " ", ""))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		data = append(data, b...)
	}
	return data
}
