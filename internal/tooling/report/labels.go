package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// labelFile is the file that labels are lines of, from line 1 on. No file has such a name, and it needs no escapes in
// PTX.
const labelFile = "tilewright:label"

// labels are the operations of the input, by number.
type labels struct {
	all []Label
	// at are the positions of each label's own location, from the inside out.
	at [][]ir.Frame
}

// put gives every operation of a module the location that is its label.
func put(module ir.Op) *labels {
	l := new(labels)
	ctx := module.Context()
	module.Walk(func(op ir.Op) ir.WalkResult {
		own := op.Loc()
		chain := ir.CallChain(own)
		l.all = append(l.all, Label{Op: op.Name(), Place: place(own)})
		l.at = append(l.at, chain)
		op.SetLoc(ctx.FileLoc(labelFile, uint32(len(l.all)), 1))
		return ir.Advance
	})
	return l
}

// of returns the labels in a location.
func (l *labels) of(loc ir.Location) []int {
	var found []int
	left := maxLocations
	var look func(ir.Location)
	look = func(loc ir.Location) {
		if left--; left < 0 {
			return
		}
		switch at := loc.(type) {
		case *ir.FileLoc:
			if n := int(at.Line) - 1; at.File == labelFile && n >= 0 && n < len(l.all) {
				found = append(found, n)
			}
		case *ir.NameLoc:
			look(at.Child)
		case *ir.CallSiteLoc:
			look(at.Callee)
			look(at.Caller)
		case *ir.FusedLoc:
			for _, child := range at.Locs {
				look(child)
			}
		default:
			if f := ir.FileLocOf(loc); f != nil {
				look(f)
			}
		}
	}
	if loc != nil {
		look(loc)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// maxLocations bounds what is looked at of one location: passes fuse locations, and shared ones may stand for very
// many.
const maxLocations = 256

// place says for people where a location is, through labels.
func (l *labels) place(loc ir.Location) string {
	if of := l.of(loc); len(of) > 0 {
		return l.all[of[0]].Place
	}
	return place(loc)
}

func place(loc ir.Location) string {
	chain := ir.CallChain(loc)
	var sb strings.Builder
	for i, f := range chain {
		if i == maxFrames {
			fmt.Fprintf(&sb, ", and %d more", len(chain)-i)
			break
		}
		if i > 0 {
			sb.WriteString(", called from ")
		}
		fmt.Fprintf(&sb, "%s:%d:%d", f.File, f.Line, f.Column)
	}
	return sb.String()
}

const maxFrames = 8

// mark is what stands between a line of a dump and its labels while it is cut into lines. Printed IR escapes control
// characters.
const mark = "\x01"

// comment prints the labels of an operation after its text.
func (l *labels) comment(p ir.AsmPrinter, op ir.Op) {
	p.Str(mark)
	for i, n := range l.of(op.Loc()) {
		if i > 0 {
			p.Str(",")
		}
		p.Str(strconv.Itoa(n))
	}
}
