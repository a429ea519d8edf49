package timing

import (
	"encoding/json"
	"io"
)

// A chromeEvent is one of the Trace Event Format, which chrome://tracing and Perfetto read. Times are microseconds
// there and cycles here.
type chromeEvent struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"`
	Pid   int            `json:"pid"`
	Tid   int            `json:"tid"`
	Start int64          `json:"ts"`
	Dur   int64          `json:"dur,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// WriteChrome writes the timelines of estimates, each as a process, as a Chrome trace. A microsecond stands for a
// cycle.
func WriteChrome(w io.Writer, list []Named) error {
	events := []chromeEvent{}
	for pid, e := range list {
		text := make(map[int]string)
		for i := range e.Lines {
			text[e.Lines[i].Line] = e.Lines[i].Text
		}
		meta := func(kind string, tid int, name string) {
			events = append(events, chromeEvent{Name: kind, Phase: "M", Pid: pid, Tid: tid, Args: map[string]any{"name": name}})
		}
		meta("process_name", 0, e.Name+" on "+e.Arch+", estimate: 1 us is 1 cycle")
		lanes := make(map[string]int)
		for _, s := range e.Timeline {
			tid, ok := lanes[s.Lane]
			if !ok {
				tid = len(lanes) + 1
				lanes[s.Lane] = tid
				meta("thread_name", tid, s.Lane)
			}
			events = append(events, chromeEvent{s.Name, "X", pid, tid, s.Start, s.Cycles, map[string]any{"line": s.Line, "instruction": text[s.Line]}})
		}
	}
	return json.NewEncoder(w).Encode(map[string]any{"traceEvents": events, "displayTimeUnit": "ns"})
}
