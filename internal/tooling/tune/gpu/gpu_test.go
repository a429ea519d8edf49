package gpu

import (
	"context"
	"testing"

	"github.com/tilewright/tilewright/target/engine/cuda"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// TestOf: a GPU says what it is and times launches. Here the emulator stands for it.
func TestOf(t *testing.T) {
	t.Parallel()
	e, err := emulate.New("k.ptx", []byte(".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	e.Block = [3]uint32{32, 1, 1}
	on, err := Of((&cuda.StandIn{Device: cuda.Device{Name: "H100", Major: 9, SMs: 132, Driver: 13000}}).Library())(e)
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close()
	if name, arch, driver, err := on.Device(); name != "H100 (sm_90)" || arch != "sm_90" || driver != 13000 || err != nil {
		t.Errorf("it says that it is %s, %s, %d (%v)", name, arch, driver, err)
	}
	if median, err := on.Time(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}}, 3); median <= 0 || err != nil {
		t.Errorf("it takes %v (%v)", median, err)
	}
}
