package launch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// fieldError is about one place of a JSON document, such as args[3].value.
type fieldError struct {
	field string
	err   error
}

func (e *fieldError) Error() string {
	if e.field == "" {
		return e.err.Error()
	}
	return e.field + ": " + e.err.Error()
}

func (e *fieldError) Unwrap() error { return e.err }

func failf(field, format string, args ...any) error {
	return &fieldError{field, fmt.Errorf(format, args...)}
}

// object is a decoded JSON object whose keys are consumed one by one, so that the rest can be rejected.
type object struct {
	field string
	rest  map[string]json.RawMessage
}

// newObject is stricter than Unmarshal: keys are case-sensitive and occur once, and nothing follows the object.
func newObject(field string, raw []byte) (*object, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	tok, err := dec.Token()
	if err != nil {
		return nil, jsonError(field, raw, err)
	}
	if tok != json.Delim('{') {
		return nil, failf(field, "got %s, expected an object", kind(raw))
	}
	o := &object{field, map[string]json.RawMessage{}}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, jsonError(field, raw, err)
		}
		key := tok.(string) // the decoder accepts nothing else here
		if _, twice := o.rest[key]; twice {
			return nil, failf(o.path(key), "key occurs twice")
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, jsonError(o.path(key), raw, err)
		}
		o.rest[key] = value
	}
	if _, err := dec.Token(); err != nil {
		return nil, jsonError(field, raw, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, failf(field, "something follows the object")
	}
	return o, nil
}

// jsonError replaces the bare end-of-file errors of the decoder and gives syntax errors their position.
func jsonError(field string, raw []byte, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return failf(field, "JSON ends early, after %d bytes", len(raw))
	}
	if syntax, ok := err.(*json.SyntaxError); ok {
		return failf(field, "byte %d: %w", syntax.Offset, err)
	}
	return failf(field, "%w", err)
}

// kind names what a JSON value is.
func kind(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

func (o *object) path(key string) string {
	if o.field == "" {
		return key
	}
	return o.field + "." + key
}

func (o *object) has(key string) bool {
	_, ok := o.rest[key]
	return ok
}

func (o *object) take(key string) (json.RawMessage, error) {
	raw, ok := o.rest[key]
	if !ok {
		return nil, failf(o.path(key), "missing")
	}
	delete(o.rest, key)
	return raw, nil
}

// done rejects the keys that nobody took.
func (o *object) done() error {
	for key := range o.rest {
		return failf(o.path(key), "unknown key")
	}
	return nil
}

func (o *object) str(key string) (string, error) {
	raw, err := o.take(key)
	if err != nil {
		return "", err
	}
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil || s == nil {
		return "", failf(o.path(key), "got %s, expected a string", kind(raw))
	}
	return *s, nil
}

// optional is a string that may be missing or null.
func (o *object) optional(key string) (string, error) {
	if raw, ok := o.rest[key]; !ok || kind(raw) == "null" {
		delete(o.rest, key)
		return "", nil
	}
	return o.str(key)
}

// literal returns the text of a number, a boolean or a string, for ParseValue.
func (o *object) literal(key string) (string, error) {
	raw, err := o.take(key)
	if err != nil {
		return "", err
	}
	switch kind(raw) {
	case "a number", "a boolean":
		return string(raw), nil
	case "a string": // JSON has no other way to say inf or nan
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return "", failf(o.path(key), "%w", err)
		}
		if looksNumeric(s) && !strings.ContainsAny(s, "nNxX") { // infinities, NaNs and hexadecimals are no numbers of JSON
			return "", failf(o.path(key), "got the string %.40q, expected the number without quotes", s)
		}
		return s, nil
	}
	return "", failf(o.path(key), "got %s, expected a number", kind(raw))
}

func (o *object) list(key string) ([]json.RawMessage, error) {
	raw, err := o.take(key)
	if err != nil {
		return nil, err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || list == nil {
		return nil, failf(o.path(key), "got %s, expected a list", kind(raw))
	}
	return list, nil
}

// count reads a non-negative integer.
func count(field string, raw []byte, limit uint64) (uint64, error) {
	n, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil || n > limit {
		return 0, failf(field, "got %.40s, expected an integer from 0 to %d", raw, limit)
	}
	return n, nil
}

// notNegative reads a finite number that is not negative.
func (o *object) notNegative(key string) (float64, error) {
	raw, err := o.take(key)
	if err != nil {
		return 0, err
	}
	x, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 0) {
		return 0, failf(o.path(key), "got %.40s, expected a finite number that is not negative", raw)
	}
	return x, nil
}
