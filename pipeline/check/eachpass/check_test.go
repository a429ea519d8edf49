package eachpass

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A case that the input does not satisfy says nothing about passes.
func TestInputMustSatisfyTheCase(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(c *launch.Case)
		want   string // "": the case is accepted
	}{
		"right":    {func(*launch.Case) {}, ""},
		"value":    {func(c *launch.Case) { c.Expect[0].Want.Data[6] ^= 0x40 }, "before any pass, case 'vadd_f32' does not hold: argument "},
		"argument": {func(c *launch.Case) { c.Args = c.Args[1:] }, "before any pass, case 'vadd_f32' cannot be executed: "},
		"entry":    {func(c *launch.Case) { c.Entry = "none" }, "module has no entry 'none'"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := launch.LoadCase(filepath.Join(corpus.Dir(t), "cases", "vadd_f32"))
			if err != nil {
				t.Fatal(err)
			}
			data, err := c.ReadModule()
			if err != nil {
				t.Fatal(err)
			}
			module, err := tileir.Read(tileir.NewContext(), "k", data)
			if err != nil {
				t.Fatal(err)
			}
			tt.change(c)
			_, err = Start(t.Context(), c, module, &passes.Target{}, false, func() {})
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
