package emu

import (
	"github.com/tilewright/tilewright/target/engine/emu/forms"
	"github.com/tilewright/tilewright/target/engine/emu/hb"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/profile"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
	"github.com/tilewright/tilewright/target/engine/emu/tma"
)

// What a caller of the emulator names beside Module and Entry, under the names of the packages that define it. These
// packages are rooms of the emulator; nothing outside of it imports them.
type (
	Launch     = machine.Launch
	Stats      = machine.Stats
	Memory     = machine.Memory
	Fault      = machine.Fault
	Deadlock   = machine.Deadlock
	Unfinished = machine.Unfinished
	Place      = machine.Place
	SyncReport = hb.Report
	Finding    = hb.Finding
	SyncKind   = hb.Kind
	Access     = hb.Access
	Site       = hb.Site
	Standing   = machine.Standing
	Error      = syntax.Error
	Directive  = syntax.Directive
	TensorMap  = tma.TensorMap
	Im2col     = tma.Im2col
	Section    = forms.Section
	Form       = forms.Form
	Profile    = machine.Profile
	Counters   = machine.Counters
	Report     = profile.Report
	Trace      = machine.Trace
	Event      = machine.Event
	Signal     = machine.Signal

	Instruction = profile.Instruction
	SourcePlace = profile.Place
)

// ErrSteps is wrapped by the error of a launch that reached MaxSteps.
var ErrSteps = machine.ErrSteps

// NewMemory returns an empty device memory.
func NewMemory() *Memory { return machine.NewMemory() }

// SectorBytes is the size of a sector of memory.
const SectorBytes = machine.SectorBytes

// NoPhase is what an event of a trace waits for that waits for nothing.
const NoPhase = machine.NoPhase

// Agrees reports whether bytes of the host can be mapped at an address as they are.
func Agrees(addr uint64, data []byte) bool { return machine.Agrees(addr, data) }

// Instructions lists the instructions of the PTX ISA, those that the
// emulator executes and those that it rejects. A test executes the former,
// sees the latter rejected, and shows all of them to the assembler.
func Instructions() []Section { return forms.Instructions() }

// CounterName is the name of a counter of a profile, by its place.
func CounterName(k int) string { return machine.Counter(k).String() }
