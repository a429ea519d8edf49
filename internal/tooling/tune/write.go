package tune

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// WriteJSON writes the result as JSON.
func (r *Result) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

// WriteText writes a table of the first rows; 0: of all. What is named by who made the list is quoted where a terminal
// would obey it.
func (r *Result) WriteText(w io.Writer, top int) error {
	estimated := 0
	for i := range r.Ranked {
		if r.Ranked[i].State == Estimated {
			estimated++
		}
	}
	if _, err := fmt.Fprintf(w, "%s on %s at %.0f MHz, by estimate; %d of %d configurations were estimated\n", plain(r.Ranked[0].Name), r.Device, r.MHz, estimated, len(r.Ranked)); err != nil {
		return err
	}
	if r.MeasuredOn != "" {
		if _, err := fmt.Fprintf(w, "measured on %s\n", plain(r.MeasuredOn)); err != nil {
			return err
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	measured := func(cell string) string { // a column that is there if anything was measured
		if r.MeasuredOn == "" {
			return ""
		}
		return "\t" + cell
	}
	fmt.Fprintf(t, "%s\tus\tat least\tbound\tregisters\tshared\ta SM\tclass\t\n", measured("measured us"))
	for i := range r.Ranked {
		if top > 0 && i == top {
			fmt.Fprintf(t, "%d more\n", len(r.Ranked)-top)
			break
		}
		row := &r.Ranked[i]
		fmt.Fprintf(t, "%s%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", plain(row.Name), measured(number(row.Measured)), number(row.Microseconds), number(row.Least), row.Bound,
			whole(row.Registers), whole(row.Shared), whole(row.Resident), row.Class, plain(first(row.Why)))
	}
	return t.Flush()
}

// plain is text without what a terminal would obey.
func plain(s string) string {
	if q := strconv.Quote(s); len(q) != len(s)+2 {
		return q
	}
	return s
}

func first(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func number(us float64) string {
	if us == 0 {
		return ""
	}
	return strconv.FormatFloat(us, 'f', 2, 64)
}

func whole(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// maxKnown bounds a file of answers.
const maxKnown = 64 << 20

// answersFile is the form of answers between processes: by the key of their question.
type answersFile struct {
	Answers map[string]*Answer `json:"answers"`
}

// WriteAnswers writes answers for another process, which asks the same questions of the same program.
func (o *Oracle) WriteAnswers(w io.Writer, known Answers) error {
	f := answersFile{make(map[string]*Answer)}
	for q, a := range known {
		f.Answers[o.Key(q).String()] = a
	}
	return json.NewEncoder(w).Encode(f)
}

// ReadAnswers reads what WriteAnswers wrote, of any configurations, and returns what is about these.
func (o *Oracle) ReadAnswers(r io.Reader) (Answers, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxKnown+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxKnown {
		return nil, fmt.Errorf("answers take more than %d bytes", maxKnown)
	}
	var f answersFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, jsonError(data, 0, err)
	}
	known := make(Answers)
	for i := range o.Configs {
		for _, kind := range []string{Screen, Estimate, Class} {
			q := Question{kind, i}
			if a := f.Answers[o.Key(q).String()]; a != nil {
				known[q] = a
			}
		}
	}
	return known, nil
}

// ParseQuestions reads questions about so many configurations: "screen:0,estimate:3".
func ParseQuestions(text string, configs int) (list []Question, err error) {
	for part := range strings.SplitSeq(text, ",") {
		kind, number, _ := strings.Cut(part, ":")
		n, bad := strconv.ParseUint(number, 10, 31)
		switch {
		case kind != Screen && kind != Estimate && kind != Class:
			return nil, fmt.Errorf("unknown question '%.40s', expected screen, estimate or class, and a number, as in screen:0", part)
		case bad != nil || n >= uint64(configs):
			return nil, fmt.Errorf("'%.40s' names none of %d configurations", part, configs)
		case len(list) == 3*maxConfigs:
			return nil, errors.New("too many questions")
		}
		list = append(list, Question{kind, int(n)})
	}
	return list, nil
}
