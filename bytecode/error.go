package bytecode

import "fmt"

// An Error says what is wrong with a file, and where.
type Error struct {
	Offset  int    // in the file
	Section string // "" for the header and the frame
	Item    string // what in the section, as in "function @f" or "type 5"; may be ""
	Message string
}

// Error returns "offset N, S section, item: message".
func (e *Error) Error() string {
	s := fmt.Sprintf("offset %d", e.Offset)
	if e.Section != "" {
		s += ", " + e.Section + " section"
	}
	if e.Item != "" {
		s += ", " + e.Item
	}
	return s + ": " + e.Message
}

// catch calls f and returns the error that unwound it, if any.
//
// A panic and not an error result: a record is read by dozens of small calls, and each would have to test the
// one before. Only *Error is caught; a bug of ours stays a panic.
func catch(f func()) (err *Error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	f()
	return nil
}

// asError turns a nil *Error into a nil error.
func asError(e *Error) error {
	if e == nil {
		return nil
	}
	return e
}
