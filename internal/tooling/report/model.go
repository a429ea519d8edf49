package report

// A Page is all that a report shows. Its names in JSON are read by the files of the folder page.
type Page struct {
	Title   string `json:"title"`
	Tool    string `json:"tool"`    // name and version
	Command string `json:"command"` // that repeats it
	Target  string `json:"target"`
	// Error is what the compiler said when it did not come to the end.
	Error string `json:"error,omitempty"`
	// Missing says what is not shown, and why.
	Missing []string `json:"missing,omitempty"`

	// Text holds each different line of all documents once, since most passes change few of them.
	Text    []string    `json:"text"`
	Docs    []*Document `json:"docs"`
	Labels  []Label     `json:"labels"`
	Passes  []*Pass     `json:"passes"`
	Remarks []*Remark   `json:"remarks"`
	Graph   *Graph      `json:"graph,omitempty"`
	// Summaries have a kernel each.
	Summaries []*Summary `json:"summaries"`
	Pictures  []*Picture `json:"pictures,omitempty"`
	Profiles  []*Profile `json:"profiles,omitempty"` // of launches, as Values
	Values    *Values    `json:"values,omitempty"`
}

// The kinds of documents.
const (
	kindSource = "source"
	kindIR     = "ir"
	kindPTX    = "ptx"
	kindSASS   = "sass"
)

// A Document is a text with the labels of its lines.
type Document struct {
	Kind  string `json:"kind"`
	Title string `json:"title"`
	Level string `json:"level"` // the column that it belongs to: a level, "source", "ptx" or "sass"
	// Function is the symbol of what was printed; "" for everything.
	Function string `json:"fn,omitempty"`
	// Pass is the place in Passes of the one that left it; -1 for none.
	Pass  int   `json:"pass"`
	Lines []int `json:"lines"` // places in Text
	// Labels are, for each line, places in Page.Labels; nil for none.
	Labels [][]int `json:"labels"`
}

// A Label is an operation of the input.
type Label struct {
	Op    string `json:"op"`
	Place string `json:"place"` // its location, for people
}

// A Pass is one step of the pipeline, over all operations that it ran on.
type Pass struct {
	Name    string  `json:"name"`
	Step    string  `json:"step,omitempty"` // its name in the graph
	Level   string  `json:"level"`          // after it
	Doc     string  `json:"doc"`
	Runs    int     `json:"runs"`
	Changed int     `json:"changed"` // runs that changed the text
	Run     float64 `json:"ms"`
	Verify  float64 `json:"verify"` // milliseconds, as Run
	Ops     int     `json:"ops"`    // operations after it
	Before  int     `json:"before"` // and in front
	Error   string  `json:"error,omitempty"`
	Stats   []Stat  `json:"stats,omitempty"`
}

// A Stat is a counter of a pass.
type Stat struct {
	Name  string `json:"name"`
	Doc   string `json:"doc"`
	Value int64  `json:"value"`
}

// A Remark is a diagnostic.
type Remark struct {
	Severity string   `json:"severity"` // or, of a decision, its kind
	Category string   `json:"category,omitempty"`
	Function string   `json:"fn,omitempty"`
	Message  string   `json:"message"`
	Notes    []string `json:"notes,omitempty"`
	Place    string   `json:"place"`
	Labels   []int    `json:"labels"`
	Pass     int      `json:"pass"` // the one that ran; -1 for none
}

// A Graph is the pass graph.
type Graph struct {
	Title string `json:"title"`
	Lanes []Lane `json:"lanes"`
	Edges []Edge `json:"edges"`
}

// A Lane holds the steps of a level.
type Lane struct {
	Title string `json:"title"`
	Steps []Step `json:"steps"`
}

// A Step is a pass in the graph.
type Step struct {
	ID  string `json:"id"`
	Doc string `json:"doc"`
	Why string `json:"why,omitempty"`
}

// An Edge says which step comes first, and why.
type Edge struct {
	From string `json:"from"`
	To   string `json:"to"`
	Why  string `json:"why"`
}
