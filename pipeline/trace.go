package pipeline

import (
	"bufio"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// A Trace collects when passes run and which rewrites they make, for Chrome's trace viewer and Perfetto. It is an
// Instrument, and Rewrite is for RewriteWatch.Made.
//
// The form is the JSON array format of the Trace Event Format. Passes are complete events ("X"), and rewrites are
// complete events inside them. A rewrite begins when the pass, or the driver of patterns, looks for it, and ends when
// it is made. Passes that are watched so run one at a time, so that all events are of one thread.
type Trace struct {
	mu     sync.Mutex
	start  time.Time
	began  map[*Event]time.Time
	events []traceEvent
	// Lost counts the rewrites that were not kept, of a module that makes more of them than any viewer shows.
	Lost int
}

// maxTraceEvents bounds the memory of a trace to some hundred megabytes.
const maxTraceEvents = 1 << 20

type traceEvent struct {
	Name  string    `json:"name"`
	Cat   string    `json:"cat"`
	Phase string    `json:"ph"`
	At    float64   `json:"ts"` // in microseconds, as all of the format
	For   float64   `json:"dur"`
	PID   int       `json:"pid"`
	TID   int       `json:"tid"`
	Args  traceArgs `json:"args"`
}

type traceArgs struct {
	Op     string `json:"op"`
	Number int    `json:"number,omitempty"`
	Place  string `json:"location,omitempty"`
	Pass   string `json:"pass,omitempty"`
	Failed bool   `json:"failed,omitempty"`
}

// NewTrace returns a trace that starts now.
func NewTrace() *Trace { return &Trace{start: time.Now(), began: make(map[*Event]time.Time)} }

// Serial implements Serial.
func (t *Trace) Serial() bool { return true }

// BeforePass implements Instrument.
func (t *Trace) BeforePass(ev *Event) { t.began[ev] = time.Now() }

// AfterPass implements Instrument.
func (t *Trace) AfterPass(ev *Event) {
	began := t.began[ev]
	delete(t.began, ev)
	t.add("pass", ev.Item.Pass.Name, began, ev.Elapsed, traceArgs{Op: ev.Describe(), Number: ev.Number, Failed: ev.Err != nil})
}

// Rewrite notes a rewrite.
func (t *Trace) Rewrite(ev *Event, rw Rewrite) {
	if len(t.events) >= maxTraceEvents {
		t.Lost++
		return
	}
	t.add("rewrite", rw.What, rw.Start, time.Since(rw.Start), traceArgs{Op: rw.Op, Number: rw.Number, Place: rw.Place(), Pass: ev.Item.Pass.Name})
}

func (t *Trace) add(cat, name string, at time.Time, d time.Duration, args traceArgs) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events = append(t.events, traceEvent{Name: name, Cat: cat, Phase: "X", At: micro(at.Sub(t.start)), For: micro(d), PID: 1, TID: 1, Args: args})
}

func micro(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// Write writes the trace.
func (t *Trace) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	sep := "[\n"
	for i := range t.events {
		data, err := json.Marshal(&t.events[i])
		if err != nil {
			return err
		}
		_, _ = out.WriteString(sep) // the writer keeps the error
		_, _ = out.Write(data)
		sep = ",\n"
	}
	if len(t.events) == 0 {
		_, _ = out.WriteString("[")
	}
	_, _ = out.WriteString("\n]\n")
	return out.Flush()
}
