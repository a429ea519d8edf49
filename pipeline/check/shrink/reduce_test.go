package shrink

import (
	"context"
	"testing"
)

// A change that leaves other operations dead takes away places that are to be tried after it.
func TestPlacesVanish(t *testing.T) {
	t.Parallel()
	module, err := parse([]byte(`cuda_tile.module @m {
  entry @k() {
    %c = constant <i32: 1> : tile<i32>
    return
  }
}
`))
	if err != nil {
		t.Fatal(err)
	}
	r := &reducer{tried: make(map[string]bool), opts: Options{Interesting: func(context.Context, []byte) (bool, error) { return true, nil }}}
	if r.result.Text, err = text(module, true); err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		before, n := string(r.result.Text), c.places(module)
		if err := r.try(t.Context(), c, n+1, n+2); err != nil || string(r.result.Text) != before {
			t.Errorf("%s: %v\n%s", c.name, err, r.result.Text)
		}
	}
}
