package confirm

import (
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/target/engine/cuda"
)

// StandIn is a driver whose device is the emulator, as an architecture of the table.
func StandIn(arch string) *cuda.StandIn {
	n, _ := strconv.Atoi(strings.TrimPrefix(arch, "sm_")) // names of the table are such
	return &cuda.StandIn{Device: cuda.Device{Name: "PTX emulator", Major: n / 10, Minor: n % 10, SMs: 1, Driver: versions[0].cuda}, MaxSteps: steps}
}
