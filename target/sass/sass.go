package sass

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/lazy"
)

// An Instruction is one of the machine code.
type Instruction struct {
	Address uint64
	// Line is that of the PTX, from 1; 0: not said.
	Line int
	// Op is its name with modifiers, such as IMAD.MOV.U32.
	Op string
	// Stall is how many cycles the warp waits before its next instruction; 0: not said.
	Stall int
	// Apart says that it is in a function that the assembler brought along, such as the rare path of a division.
	Apart bool
}

// Name is the name of the instruction without modifiers.
func (in *Instruction) Name() string {
	name, _, _ := strings.Cut(in.Op, ".")
	return name
}

// A Code is what an assembler made of an entry.
type Code struct {
	Registers    int           // of a thread; 0: not known
	Spills       int           // bytes of registers that do not fit, stored and loaded
	Instructions []Instruction // none: not known
}

// maxInstructions bounds what is read.
const maxInstructions = 1 << 20

var (
	lineText  = lazy.Regexp(`^\s*//## File ".*", line (\d{1,9})\b`)
	codeText  = lazy.Regexp(`^\s*/\*([0-9a-f]{4,16})\*/\s+(?:\{\s*)?(?:@!?U?P[0-9T]+\s+)?([A-Z][A-Za-z0-9_.]*)[^/]*;`)
	upperText = lazy.Regexp(`^\s*/\* 0x([0-9a-f]{16}) \*/\s*$`)
	labelText = lazy.Regexp(`^(\$?[A-Za-z_.$][\w.$]*):\s*$`)
)

// trim cuts off what fills the section: a branch to itself, and NOPs.
func trim(list []Instruction) []Instruction {
	n := len(list)
	for n > 0 && list[n-1].Op == "NOP" {
		n--
	}
	if n > 0 && list[n-1].Op == "BRA" && n < len(list) {
		return list[:n-1]
	}
	return list
}

// Read returns the instructions of an entry, in the order of addresses, of what `nvdisasm -c -gp -hex` wrote.
func Read(text, entry string) ([]Instruction, error) {
	var list []Instruction
	inside, apart, line := false, false, 0
	for n := 1; text != ""; n++ {
		var row string
		row, text, _ = strings.Cut(text, "\n")
		if label := labelText().FindStringSubmatch(row); label != nil {
			switch name := label[1]; {
			case strings.HasPrefix(name, ".text."):
				inside = name == ".text."+entry
				apart, line = false, 0
			case strings.HasPrefix(name, "$"):
				apart = true
			}
			continue
		}
		if !inside {
			continue
		}
		if m := lineText().FindStringSubmatch(row); m != nil {
			line, _ = strconv.Atoi(m[1]) // nine digits at most
		} else if m := codeText().FindStringSubmatch(row); m != nil {
			address, err := strconv.ParseUint(m[1], 16, 64)
			if err != nil {
				return nil, fmt.Errorf("line %d of the machine code: %w", n, err)
			}
			if len(list) == maxInstructions {
				return nil, fmt.Errorf("line %d of the machine code: more than %d instructions", n, maxInstructions)
			}
			list = append(list, Instruction{Address: address, Line: line, Op: m[2], Apart: apart})
		} else if m := upperText().FindStringSubmatch(row); m != nil && len(list) > 0 {
			const stallBit = 105 - 64
			word, err := strconv.ParseUint(m[1], 16, 64)
			if err != nil {
				return nil, fmt.Errorf("line %d of the machine code: %w", n, err)
			}
			list[len(list)-1].Stall = int(word >> stallBit & 0xf)
		}
	}
	list = trim(list)
	if len(list) == 0 {
		return nil, fmt.Errorf("no machine code of entry %s", entry)
	}
	return list, nil
}
