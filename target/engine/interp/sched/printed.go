package sched

import (
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/tilewright/tilewright/ir"
)

// Printed writes the output of tile blocks in the order of their numbers. It holds output back until all earlier tile
// blocks have ended.
type Printed struct {
	To io.Writer // nil: nowhere

	mu    sync.Mutex
	first uint64 // the first tile block that has not ended
	ended map[uint64]bool
	held  map[uint64][]Print
	Bytes int // held
}

// A Print is what an operation prints.
type Print struct {
	Op   ir.Op
	Text string
}

// MaxHeld bounds the bytes that are held back. Beyond it, output appears out of order.
const MaxHeld = 1 << 26

// Print writes the output of a tile block, or holds it back until its predecessors have ended.
func (p *Printed) Print(block uint64, x Print) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if block == p.first || p.Bytes+len(x.Text) > MaxHeld {
		return p.write(x)
	}
	if p.held == nil {
		p.held = make(map[uint64][]Print)
	}
	p.held[block] = append(p.held[block], x)
	p.Bytes += len(x.Text)
	return nil
}

func (p *Printed) write(x Print) error {
	if _, err := io.WriteString(p.To, x.Text); err != nil {
		return x.Op.Errorf("cannot print: %v", err)
	}
	return nil
}

// End notes that a tile block has ended, and writes the held output of its successors.
func (p *Printed) End(block uint64) error {
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

func (p *Printed) release(block uint64) error {
	list := p.held[block]
	delete(p.held, block)
	for _, x := range list {
		p.Bytes -= len(x.Text)
		if err := p.write(x); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes the held output of tile blocks up to the last one, after a failure.
func (p *Printed) Flush(last uint64) error {
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
