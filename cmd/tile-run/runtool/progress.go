package runtool

import (
	"io"
	"math"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// patience is how long a launch may take before a bar tells how far it is.
const patience = time.Second

// progress returns what shows on a terminal how many CTAs of a launch have ended; nil where w is none.
func progress(w io.Writer, name string) func(done, total uint64) {
	if !styleFor(w).terminal {
		return nil
	}
	start := time.Now()
	var mu sync.Mutex
	var bar *progressbar.ProgressBar
	var shown uint64
	return func(done, total uint64) {
		if time.Since(start) < patience {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if bar == nil {
			bar = progressbar.NewOptions64(int64(min(total, math.MaxInt64)), progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(name),
				progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
		}
		if done <= shown {
			return // reports may come out of order
		}
		shown = done
		if err := bar.Set64(int64(min(done, math.MaxInt64))); err != nil {
			return // a bar that cannot be drawn must not stop the launch
		}
	}
}
