package ir

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Panics carries a panic from a goroutine to the one that waits for it, where the guard of the run (the pass manager)
// can recover it. Without that a bug in one hook would end the process.
type Panics struct {
	mu    sync.Mutex
	first string
}

// Keep is to be deferred on the goroutine; it recovers a panic and keeps the first one.
func (p *Panics) Keep() {
	if v := recover(); v != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.first == "" {
			p.first = fmt.Sprintf("%v\n\non another goroutine:\n%s", v, debug.Stack())
		}
	}
}

// Again panics with what was kept, if anything was. The goroutines have ended.
func (p *Panics) Again() {
	if p.first != "" {
		panic(p.first)
	}
}
