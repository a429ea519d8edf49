package syncreport

import (
	"net/url"
	"path/filepath"
	"strings"
)

// The part of SARIF 2.1.0 that a report needs (OASIS, "Static Analysis Results Interchange Format"). Each type cites its
// section.
type (
	// sarifLog is §3.13.
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	// sarifRun is §3.14.
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		Properties  map[string]any    `json:"properties,omitempty"`
	}
	// sarifTool is §3.18, its driver §3.19.
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	// sarifRule is §3.49.
	sarifRule struct {
		ID               string       `json:"id"`
		ShortDescription sarifMessage `json:"shortDescription"`
	}
	// sarifInvocation is §3.20.
	sarifInvocation struct {
		ExecutionSuccessful bool `json:"executionSuccessful"`
	}
	// sarifMessage is §3.11.
	sarifMessage struct {
		Text string `json:"text"`
	}
	// sarifResult is §3.27.
	sarifResult struct {
		RuleID           string          `json:"ruleId"`
		RuleIndex        int             `json:"ruleIndex"`
		Level            string          `json:"level"`
		Message          sarifMessage    `json:"message"`
		Locations        []sarifLocation `json:"locations"`
		RelatedLocations []sarifLocation `json:"relatedLocations,omitempty"`
		OccurrenceCount  int             `json:"occurrenceCount,omitempty"`
	}
	// sarifLocation is §3.28.
	sarifLocation struct {
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
		Message          *sarifMessage `json:"message,omitempty"`
	}
	// sarifPhysical is §3.29.
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	// sarifArtifact is §3.4.
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	// sarifRegion is §3.30.
	sarifRegion struct {
		StartLine   int           `json:"startLine"`
		StartColumn int           `json:"startColumn,omitempty"`
		Snippet     *sarifMessage `json:"snippet,omitempty"`
	}
)

// rules are the kinds of findings (package hb of the emulator), and what stopped a launch.
var rules = []sarifRule{
	{"race", sarifMessage{"two accesses that nothing orders"}},
	{"unawaited", sarifMessage{"data of an asynchronous operation is used before a wait for it"}},
	{"reuse", sarifMessage{"memory is written before its readers are done"}},
	{"proxy", sarifMessage{"a proxy fence is missing between ordered accesses"}},
	{"scope", sarifMessage{"the order has too narrow a scope, or relaxed semantics"}},
	{"tensor-fence", sarifMessage{"a tcgen05.fence is missing around the synchronization of threads"}},
	{"parity", sarifMessage{"a wait for an mbarrier can pass on, or miss, another phase"}},
	{"arrival", sarifMessage{"an arrival can count in another phase"}},
	{"bytes", sarifMessage{"transaction counts do not add up"}},
	{"participants", sarifMessage{"a barrier can be completed by other threads than those of its phase"}},
	{"pending", sarifMessage{"an operation is pending when its threads have exited"}},
	{"register", sarifMessage{"a register of an asynchronous operation is used without its fence or wait"}},
	{"stuck", sarifMessage{"a wait never ends"}},
	{Stopped, sarifMessage{"the launch did not end as it should"}},
}

// ruleOf is the place of a kind among the rules; -1, for none, is what SARIF says by default.
func ruleOf(kind string) int {
	for i := range rules {
		if rules[i].ID == kind {
			return i
		}
	}
	return -1
}

func (r *Report) sarif() *sarifLog {
	run := sarifRun{Tool: sarifTool{sarifDriver{"tile check", rules}}, Invocations: []sarifInvocation{{r.Stopped == nil}}, Results: []sarifResult{},
		Properties: map[string]any{"entry": r.Entry, "schedules": r.Schedules, "because": r.Because, "unchecked": r.Unchecked, "more": r.More}}
	for i := range r.Findings {
		f := &r.Findings[i]
		out := sarifResult{RuleID: f.Kind, RuleIndex: ruleOf(f.Kind), Level: "error", Message: sarifMessage{f.Message}, Locations: []sarifLocation{r.at(f.Second.Line, f.Second.Instruction, "")}, OccurrenceCount: f.Count}
		if f.First != nil {
			out.RelatedLocations = append(out.RelatedLocations, r.at(f.First.Line, f.First.Instruction, "the first access"))
		}
		for _, p := range f.Second.Source {
			region := &sarifRegion{StartLine: max(1, p.Line), StartColumn: p.Column}
			out.RelatedLocations = append(out.RelatedLocations, sarifLocation{sarifPhysical{sarifArtifact{uri(p.File)}, region}, &sarifMessage{"compiled from"}})
		}
		run.Results = append(run.Results, out)
	}
	if s := r.Stopped; s != nil {
		out := sarifResult{RuleID: Stopped, RuleIndex: ruleOf(Stopped), Level: "error", Message: sarifMessage{s.Reason + ": " + s.Message}, Locations: []sarifLocation{r.at(s.Line, "", "")}}
		for _, at := range s.Standing {
			out.RelatedLocations = append(out.RelatedLocations, r.at(at.Line, "", at.Who+" "+at.What))
		}
		run.Results = append(run.Results, out)
	}
	return &sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}

// at is a line of the PTX; the entire file where there is none.
func (r *Report) at(line int, text, message string) sarifLocation {
	l := sarifLocation{PhysicalLocation: sarifPhysical{Artifact: sarifArtifact{uri(r.File)}}}
	if line > 0 {
		l.PhysicalLocation.Region = &sarifRegion{StartLine: line}
		if text != "" {
			l.PhysicalLocation.Region.Snippet = &sarifMessage{text}
		}
	}
	if message != "" {
		l.Message = &sarifMessage{message}
	}
	return l
}

// uri writes a path as a relative reference, or as a file URI where it is absolute (RFC 3986).
func uri(path string) string {
	u := (&url.URL{Path: filepath.ToSlash(path)}).String()
	if strings.HasPrefix(u, "/") {
		return "file://" + u
	}
	return u
}
