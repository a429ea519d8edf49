package remarks

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Remark is a document of a file of remarks.
type Remark struct {
	Kind, Class, Name, Function string
	File                        string
	Line, Column                int
	Fields                      []Field
}

// A Field is one of its arguments.
type Field struct{ Key, Value string }

// Field returns the values of a key, in their order.
func (r Remark) Field(key string) (out []string) {
	for _, f := range r.Fields {
		if f.Key == key {
			out = append(out, f.Value)
		}
	}
	return out
}

// At is the place.
func (r Remark) At() string { return fmt.Sprintf("%s:%d:%d", r.File, r.Line, r.Column) }

var debugLoc = regexp.MustCompile(`^\{ File: (.*), Line: (\d+), Column: (\d+) \}$`)

// Parse reads a file of remarks, of tileiras or ours: the part of YAML that they are written in.
func Parse(text []byte) (out []Remark, err error) {
	for i, line := range strings.Split(string(text), "\n") {
		if kind, ok := strings.CutPrefix(line, "--- !"); ok {
			out = append(out, Remark{Kind: kind})
			continue
		}
		if line == "" || line == "..." || line == "Args:" {
			continue
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "  - "), ":")
		if !ok || len(out) == 0 {
			return nil, fmt.Errorf("line %d is not of a remark: %q", i+1, line)
		}
		r, value := &out[len(out)-1], strings.TrimSpace(value)
		switch {
		case strings.HasPrefix(line, "  - "):
			r.Fields = append(r.Fields, Field{key, unquote(value)})
		case key == "Pass":
			r.Class = value
		case key == "Name":
			r.Name = value
		case key == "Function":
			r.Function = unquote(value)
		case key == "DebugLoc":
			m := debugLoc.FindStringSubmatch(value)
			if m == nil {
				return nil, fmt.Errorf("line %d is no place: %q", i+1, line)
			}
			r.File = unquote(m[1])
			r.Line, _ = strconv.Atoi(m[2])
			r.Column, _ = strconv.Atoi(m[3])
		default:
			return nil, fmt.Errorf("line %d has an unknown key: %q", i+1, line)
		}
	}
	return out, nil
}

// unquote takes the quotes of YAML off a text.
func unquote(s string) string {
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	}
	if t, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		return t
	}
	return s
}
