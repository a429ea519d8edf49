package lit

import (
	"errors"
	"fmt"
	"strings"
)

// command is one stage of a pipeline.
type command struct {
	words  []string
	stdin  string // file, or empty
	stdout string // file, or empty
	stderr string // file, or empty
	merged bool   // stderr goes where stdout goes
}

// String prints the command for a message.
func (c command) String() string { return strings.Join(c.words, " ") }

// token is a word or an operator.
type token struct {
	text     string
	operator bool
}

// operators, longest first.
var operators = []string{"2>&1", "2>", "|", ">", "<"}

// parseLine splits a RUN line into the commands of its pipeline.
func parseLine(line string) ([]command, error) {
	tokens, err := lex(line)
	if err != nil {
		return nil, err
	}
	var out []command
	var cur command
	end := func() error {
		if len(cur.words) == 0 {
			return errors.New("a command is missing")
		}
		out = append(out, cur)
		cur = command{}
		return nil
	}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		switch {
		case !t.operator:
			cur.words = append(cur.words, t.text)
		case t.text == "|":
			if err := end(); err != nil {
				return nil, err
			}
		case t.text == "2>&1":
			cur.merged = true
		default:
			if i+1 == len(tokens) || tokens[i+1].operator {
				return nil, fmt.Errorf("'%s' needs a file", t.text)
			}
			i++
			*map[string]*string{">": &cur.stdout, "<": &cur.stdin, "2>": &cur.stderr}[t.text] = tokens[i].text
		}
	}
	if err := end(); err != nil {
		return nil, err
	}
	for i, c := range out {
		switch {
		case c.stdout != "" && i+1 < len(out):
			return nil, fmt.Errorf("'%s' has a pipe and a file for its output", c)
		case c.stdin != "" && i > 0:
			return nil, fmt.Errorf("'%s' has a pipe and a file for its input", c)
		case c.merged && c.stderr != "":
			return nil, fmt.Errorf("'%s' redirects its errors twice", c)
		}
	}
	return out, nil
}

func lex(line string) ([]token, error) {
	var out []token
	var word strings.Builder
	inWord := false
	flush := func() {
		if inWord {
			out = append(out, token{text: word.String()})
			word.Reset()
			inWord = false
		}
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		if op := operatorAt(line[i:], inWord); op != "" {
			flush()
			out = append(out, token{op, true})
			i += len(op) - 1
			continue
		}
		switch c {
		case ' ', '\t':
			flush()
		case '\'', '"':
			end, err := quoted(line, i, &word)
			if err != nil {
				return nil, err
			}
			i, inWord = end, true
		case '\\':
			if i+1 == len(line) {
				return nil, errors.New("nothing follows the backslash")
			}
			i++
			word.WriteByte(line[i])
			inWord = true
		case '$', '`', ';', '&', '(', ')':
			return nil, fmt.Errorf("'%c' is not supported here; quote it if it is part of a word", c)
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	flush()
	return out, nil
}

// operatorAt returns the operator at the start of the text. A digit belongs to an operator only where a word starts.
func operatorAt(text string, inWord bool) string {
	for _, op := range operators {
		if strings.HasPrefix(text, op) && !(inWord && op[0] == '2') {
			return op
		}
	}
	return ""
}

// quoted adds the quoted text that starts at i to the word and returns where it ends.
func quoted(line string, i int, word *strings.Builder) (int, error) {
	quote := line[i]
	for j := i + 1; j < len(line); j++ {
		c := line[j]
		switch {
		case c == quote:
			return j, nil
		case quote == '"' && c == '\\' && j+1 < len(line) && strings.IndexByte("\"\\$`", line[j+1]) >= 0:
			j++
			word.WriteByte(line[j])
		case quote == '"' && (c == '$' || c == '`'):
			return 0, fmt.Errorf("'%c' is not supported in double quotes", c)
		default:
			word.WriteByte(c)
		}
	}
	return 0, fmt.Errorf("no end of the text quoted with %c", quote)
}

// substitute replaces %s and its like in a word: the longest name that stands there and does not end within a word,
// except that digits may follow %t, as in %t2.
func substitute(word string, values map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		if word[i] != '%' {
			b.WriteByte(word[i])
			continue
		}
		rest := word[i+1:]
		if strings.HasPrefix(rest, "%") {
			b.WriteByte('%')
			i++
			continue
		}
		best, found := "", false
		for name := range values {
			tail, ok := strings.CutPrefix(rest, name)
			ends := ok && (tail == "" || !isWord(tail[0]) || name == tempName && '0' <= tail[0] && tail[0] <= '9')
			if ends && len(name) >= len(best) {
				best, found = name, true
			}
		}
		if !found {
			b.WriteByte('%')
			continue
		}
		b.WriteString(values[best])
		i += len(best)
	}
	return b.String()
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}
