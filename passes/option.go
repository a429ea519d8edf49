package passes

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// An Option describes one field of a pass's options. The types are bool, int, int64, uint64, float64, string, slices
// of these, and types that implement encoding.TextMarshaler and encoding.TextUnmarshaler (for enumerations).
type Option struct {
	Name  string
	Help  string
	Type  string
	Value string // as text; of a slice the elements separated by commas
	// Try are values worth a trial where a kernel is planned, from the tag `try:"a,b"`.
	Try []string
}

// NewOptions returns the pass's options with their defaults, or nil.
func (p *Pass) NewOptions() any {
	if p.Options == nil {
		return nil
	}
	return p.Options()
}

// DescribeOptions lists the fields of an options struct (a pointer to one, or nil) with their current values.
func DescribeOptions(opts any) []Option {
	var out []Option
	eachOption(opts, func(f reflect.StructField, v reflect.Value) bool {
		o := Option{Name: f.Tag.Get("opt"), Help: f.Tag.Get("help"), Type: typeName(v.Type()), Value: formatValue(v)}
		if try := f.Tag.Get("try"); try != "" {
			o.Try = strings.Split(try, ",")
		}
		out = append(out, o)
		return true
	})
	return out
}

// SetOption sets an option by its name, or a former name, from text. The error says what is wrong without naming
// the pass.
func SetOption(opts any, name, value string) error {
	found := false
	var err error
	eachOption(opts, func(f reflect.StructField, v reflect.Value) bool {
		if !slices.Contains(optionNames(f), name) {
			return true
		}
		found = true
		if e := parseValue(v, value); e != nil {
			err = fmt.Errorf("option '%s' must be %s, but got '%s': %w", name, article(typeName(v.Type())), value, e)
		}
		return false
	})
	if !found {
		return &UnknownOptionError{Name: name, Known: DescribeOptions(opts)}
	}
	return err
}

// optionNames returns the name of an option, and those that it had before.
func optionNames(f reflect.StructField) []string {
	names := []string{f.Tag.Get("opt")}
	if former := f.Tag.Get("formerly"); former != "" {
		names = append(names, strings.Split(former, ",")...)
	}
	return names
}

// An UnknownOptionError says that a pass has no such option.
type UnknownOptionError struct {
	Name  string
	Known []Option
}

func (e *UnknownOptionError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("no option '%s': it takes no options", e.Name)
	}
	names := make([]string, len(e.Known))
	for i, o := range e.Known {
		names[i] = "'" + o.Name + "'"
	}
	return fmt.Sprintf("no option '%s'; it has %s", e.Name, strings.Join(names, ", "))
}

func eachOption(opts any, f func(reflect.StructField, reflect.Value) bool) {
	if opts == nil {
		return
	}
	v := reflect.ValueOf(opts).Elem()
	for i := range v.NumField() {
		if field := v.Type().Field(i); field.Tag.Get("opt") != "" {
			if !f(field, v.Field(i)) {
				return
			}
		}
	}
}

func parseValue(v reflect.Value, s string) error {
	// Enumerations come first: their underlying kind would parse as a number.
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(s))
	}
	switch v.Kind() {
	case reflect.Bool:
		b, err := parseBool(s)
		v.SetBool(b)
		return err
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(s, 0, v.Type().Bits())
		v.SetInt(n)
		return numError(err)
	case reflect.Uint64:
		n, err := strconv.ParseUint(s, 0, 64)
		v.SetUint(n)
		return numError(err)
	case reflect.Float64:
		x, err := strconv.ParseFloat(s, 64)
		v.SetFloat(x)
		return numError(err)
	case reflect.String:
		v.SetString(s)
		return nil
	case reflect.Slice:
		return parseSlice(v, s)
	}
	return fmt.Errorf("unsupported type %s", v.Type())
}

func parseSlice(v reflect.Value, s string) error {
	out := reflect.MakeSlice(v.Type(), 0, 0)
	if s != "" {
		for _, part := range strings.Split(s, ",") {
			elem := reflect.New(v.Type().Elem()).Elem()
			if err := parseValue(elem, strings.TrimSpace(part)); err != nil {
				return err
			}
			out = reflect.Append(out, elem)
		}
	}
	v.Set(out)
	return nil
}

func parseBool(s string) (bool, error) {
	switch s {
	case "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, fmt.Errorf("expected true or false")
}

func numError(err error) error {
	if e, ok := err.(*strconv.NumError); ok {
		return e.Err
	}
	return err
}

func formatValue(v reflect.Value) string {
	if v.Kind() == reflect.Slice {
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = formatValue(v.Index(i))
		}
		return strings.Join(parts, ",")
	}
	if m, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		if err != nil {
			return ""
		}
		return string(text)
	}
	if v.Kind() == reflect.Float64 {
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
	return fmt.Sprint(v.Interface())
}

var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

func typeName(t reflect.Type) string {
	if reflect.PointerTo(t).Implements(textUnmarshaler) {
		return strings.ToLower(t.Name())
	}
	switch t.Kind() {
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Uint64:
		return "unsigned integer"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "string"
	case reflect.Slice:
		return "list of " + typeName(t.Elem())
	}
	return ""
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}
