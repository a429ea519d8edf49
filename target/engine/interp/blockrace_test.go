package interp

import (
	"context"
	"testing"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// Accesses of different tile blocks. The second tile block does what is under %second, the first what is under %first.
func TestBlockRaces(t *testing.T) {
	t.Parallel()
	const (
		weakStore = "%s = store_ptr_tko weak %p, %c1 : tile<ptr<i32>>, tile<i32> -> token\n"
		weakLoad  = "%v, %s = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\n"
		wait      = "loop {\n%f, %w = load_ptr_tko acquire device %q : tile<ptr<i32>> -> tile<i32>, token\n%up = cmpi equal %f, %c1, signed : tile<i32> -> tile<i1>\nif %up {\nbreak\n}\ncontinue\n}\n"
		relaxed   = "loop {\n%f, %w = load_ptr_tko relaxed device %q : tile<ptr<i32>> -> tile<i32>, token\n%up = cmpi equal %f, %c1, signed : tile<i32> -> tile<i1>\nif %up {\nbreak\n}\ncontinue\n}\n"
		raise     = "%r = store_ptr_tko release device %q, %c1 token = %s : tile<ptr<i32>>, tile<i32> -> token\n"
		mumble    = "%r = store_ptr_tko relaxed device %q, %c1 token = %s : tile<ptr<i32>>, tile<i32> -> token\n"
		swap      = "%o, %r = atomic_rmw_tko acq_rel device %q, xchg, %c1 token = %s : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n"
		add       = "%o, %r = atomic_rmw_tko relaxed device %p, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n"
	)
	for _, tt := range []struct{ name, first, second, want string }{
		{"writes", weakStore, weakStore, "races with 'cuda_tile.store_ptr_tko' at k.mlir:"},
		{"reads", weakLoad, weakLoad, ""},
		{"read and write", weakLoad, weakStore, "of tile block ("},
		{"released and acquired", weakStore + raise, wait + weakLoad, ""},
		{"by an atomic", weakStore + swap, wait + weakLoad, ""},
		{"a read that ends before the write", weakLoad + raise, wait + weakStore, ""},
		{"not released", weakStore + mumble, wait + weakLoad, "nothing that one released and the other acquired orders them"},
		{"not acquired", weakStore + raise, relaxed + weakLoad, "nothing that one released and the other acquired orders them"},
		{"atomics", add, add, ""},
		{"an atomic and a weak read", add, weakLoad, "races with"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := parse(t, "entry @k(%p: tile<ptr<i32>>) {\n%c0 = constant <i32: 0> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"+
				"%q = offset %p, %c1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n%x, %y, %z = get_tile_block_id : tile<i32>\n"+
				"%one = cmpi equal %x, %c0, signed : tile<i32> -> tile<i1>\nif %one {\n"+tt.first+"} else {\n"+tt.second+"}\nreturn\n}")
			e.Races = true
			err := e.Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{2, 1, 1}, Args: []launch.Arg{bufferOf(launch.I32, 0, 0)}})
			switch {
			case tt.want != "":
				expectError(t, err, tt.want)
			case err != nil:
				t.Error(err)
			}
		})
	}
}
