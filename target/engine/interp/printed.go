package interp

import (
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/tilewright/tilewright/ir"
)

// printed writes what tile blocks print in the order of their numbers: what one prints before those in front of it have ended is held back.
type printed struct {
	to io.Writer // nil: nowhere

	mu    sync.Mutex
	first uint64 // the first tile block that has not ended
	ended map[uint64]bool
	held  map[uint64][]print
	bytes int // held
}

// A print is what an operation prints.
type print struct {
	op   ir.Op
	text string
}

// maxHeld bounds how many bytes are held back. Beyond, what is printed comes out of order.
const maxHeld = 1 << 26

// print writes what a tile block prints, now or when its turn comes.
func (p *printed) print(block uint64, x print) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if block == p.first || p.bytes+len(x.text) > maxHeld {
		return p.write(x)
	}
	if p.held == nil {
		p.held = make(map[uint64][]print)
	}
	p.held[block] = append(p.held[block], x)
	p.bytes += len(x.text)
	return nil
}

func (p *printed) write(x print) error {
	if _, err := io.WriteString(p.to, x.text); err != nil {
		return x.op.Errorf("cannot print: %v", err)
	}
	return nil
}

// end notes that a tile block has ended, and writes what those behind it have printed so far.
func (p *printed) end(block uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended == nil {
		p.ended = make(map[uint64]bool)
	}
	p.ended[block] = true
	for p.ended[p.first] {
		delete(p.ended, p.first)
		p.first++
		if err := p.release(p.first); err != nil {
			return err
		}
	}
	return nil
}

func (p *printed) release(block uint64) error {
	list := p.held[block]
	delete(p.held, block)
	for _, x := range list {
		p.bytes -= len(x.text)
		if err := p.write(x); err != nil {
			return err
		}
	}
	return nil
}

// flush writes what tile blocks up to the last one have printed and what is held back still, because one failed.
func (p *printed) flush(last uint64) error {
	for _, block := range slices.Sorted(maps.Keys(p.held)) {
		if block > last {
			break
		}
		if err := p.release(block); err != nil {
			return err
		}
	}
	return nil
}
