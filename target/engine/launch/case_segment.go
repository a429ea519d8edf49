package launch

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// decodeSegments reads the list of segments, which a case may lack.
func (c *Case) decodeSegments(o *object, open openFunc) error {
	if !o.has("segments") {
		return nil
	}
	list, err := o.list("segments")
	if err != nil {
		return err
	}
	if len(list) > maxArgs {
		return failf("segments", "got %d segments, at most %d are accepted", len(list), maxArgs)
	}
	for i, raw := range list {
		s, err := newObject(fmt.Sprintf("segments[%d]", i), raw)
		if err != nil {
			return err
		}
		if err := c.decodeSegment(s, open); err != nil {
			return err
		}
		if err := s.done(); err != nil {
			return err
		}
	}
	if _, err := (&Request{Segments: c.Segments}).SortedSegments(); err != nil {
		return failf("segments", "%w", err)
	}
	return nil
}

func (c *Case) decodeSegment(o *object, open openFunc) error {
	addr, err := o.hex("address")
	if err != nil {
		return err
	}
	b, file, err := o.buffer("file", open)
	if err != nil {
		return err
	}
	s := &Segment{Addr: addr, Data: alignedTo(addr, b.Data), DType: b.DType, Shape: b.Shape}
	if s.Name, err = o.optional("name"); err != nil {
		return err
	}
	if o.has("readonly") {
		if s.ReadOnly, err = o.truth("readonly"); err != nil {
			return err
		}
	}
	if s.Uninitialized, err = o.uninitialized(); err != nil {
		return err
	}
	c.Segments, c.SegmentFiles = append(c.Segments, s), append(c.SegmentFiles, file)
	return nil
}

// decodeArg reads one argument: a buffer, an earlier argument's buffer, an address, or a scalar.
func (c *Case) decodeArg(i int, a *object, open openFunc) (err error) {
	arg := &c.Args[i]
	switch {
	case a.has("buffer"):
		arg.Buffer, c.Files[i], err = a.buffer("buffer", open)
		if err == nil && a.has("replicas") {
			arg.Buffer.Replicas, err = a.replicas(arg.Buffer)
		}
		if err == nil {
			arg.Buffer.Uninitialized, err = a.uninitialized()
		}
	case a.has("same"):
		var raw json.RawMessage
		if raw, err = a.take("same"); err != nil {
			return err
		}
		n, err := count(a.path("same"), raw, maxArgs)
		if err != nil {
			return err
		}
		if n >= uint64(i) || c.Args[n].Buffer == nil {
			return failf(a.path("same"), "argument %d is no buffer before this one", n)
		}
		arg.Buffer = c.Args[n].Buffer
	case a.has("pointer"):
		arg.Scalar.DType = Ptr
		arg.Scalar.Bits, err = a.hex("pointer")
		return err
	default:
		arg.Scalar, err = a.scalar()
		return err
	}
	if err != nil || !a.has("offset") {
		return err
	}
	raw, err := a.take("offset")
	if err != nil {
		return err
	}
	arg.Offset, err = count(a.path("offset"), raw, uint64(len(arg.Buffer.Data)))
	return err
}

// hex reads an address or a pattern of bits: a string with a number as C writes it, or a number, which JSON's readers
// hold exactly up to 2^53 only.
func (o *object) hex(key string) (uint64, error) {
	raw, err := o.take(key)
	if err != nil {
		return 0, err
	}
	text := string(raw)
	if kind(raw) == "a string" {
		if err := json.Unmarshal(raw, &text); err != nil {
			return 0, failf(o.path(key), "%w", err)
		}
	}
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return 0, failf(o.path(key), "got %.40q, expected a number such as \"0x7f0000000000\"", text)
	}
	return n, nil
}

// uninitialized reads whether memory holds nothing before the launch.
func (o *object) uninitialized() (bool, error) {
	if !o.has("uninitialized") {
		return false, nil
	}
	return o.truth("uninitialized")
}

func (o *object) truth(key string) (bool, error) {
	raw, err := o.take(key)
	if err != nil {
		return false, err
	}
	var b *bool
	if err := json.Unmarshal(raw, &b); err != nil || b == nil {
		return false, failf(o.path(key), "got %s, expected true or false", kind(raw))
	}
	return *b, nil
}
