package serve

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A frame is a message: a JSON object, and bytes that would not go well into JSON.
type frame struct {
	header  []byte
	payload []byte
}

// The head of a frame: magic, length of the header, length of the payload; little-endian.
const (
	magic    = 0x31535754 // "TWS1"
	headSize = 16

	maxHeader  = 16 << 20
	maxPayload = 16 << 30
	small      = 1 << 14 // a payload up to this is written together with its header
	chunk      = 1 << 20 // a payload takes memory in pieces of at least this, as it arrives
)

// ErrProtocol is wrapped by what is wrong with frames themselves, after which nothing can be read.
var ErrProtocol = errors.New("protocol error")

// readFrame reads a frame. Its error is io.EOF if there is none. Before it takes memory for the payload it asks room,
// unless that is nil, whose error is its own.
func readFrame(r io.Reader, room func(payload uint64) error) (frame, error) {
	var head [headSize]byte
	if n, err := io.ReadFull(r, head[:]); err != nil {
		if n == 0 && err == io.EOF {
			return frame{}, io.EOF
		}
		return frame{}, fmt.Errorf("%w: the head of a frame has %d bytes, but %d came", ErrProtocol, headSize, n)
	}
	if m := binary.LittleEndian.Uint32(head[:]); m != magic {
		return frame{}, fmt.Errorf("%w: a frame begins with %#08x, expected %#08x (\"TWS1\")", ErrProtocol, m, uint32(magic))
	}
	header, payload := uint64(binary.LittleEndian.Uint32(head[4:])), binary.LittleEndian.Uint64(head[8:])
	if header > maxHeader {
		return frame{}, fmt.Errorf("%w: a header has %d bytes, at most %d are accepted", ErrProtocol, header, maxHeader)
	}
	if payload > maxPayload {
		return frame{}, fmt.Errorf("%w: a payload has %d bytes, at most %d are accepted", ErrProtocol, payload, uint64(maxPayload))
	}
	var f frame
	var err error
	if f.header, err = readBytes(r, header); err != nil {
		return f, fmt.Errorf("%w: header: %w", ErrProtocol, err)
	}
	if room != nil {
		if err := room(payload); err != nil {
			return f, err
		}
	}
	if f.payload, err = readBytes(r, payload); err != nil {
		return f, fmt.Errorf("%w: payload: %w", ErrProtocol, err)
	}
	return f, nil
}

// readBytes reads n bytes, of which a sender may have announced more than it has.
func readBytes(r io.Reader, n uint64) ([]byte, error) {
	if n <= chunk {
		out := make([]byte, n)
		got, err := io.ReadFull(r, out)
		if err != nil {
			return nil, fmt.Errorf("%d bytes were announced, %d came", n, got)
		}
		return out, nil
	}
	var out bytes.Buffer
	got, err := io.Copy(&out, io.LimitReader(r, int64(n)))
	if err != nil || uint64(got) != n {
		return nil, fmt.Errorf("%d bytes were announced, %d came", n, got)
	}
	return out.Bytes(), nil
}

// writeFrame writes a frame at once, so that frames of several goroutines under one lock do not mix.
func writeFrame(w io.Writer, header []byte, payload ...[]byte) error {
	var n uint64
	for _, p := range payload {
		n += uint64(len(p))
	}
	head := make([]byte, headSize, headSize+len(header))
	binary.LittleEndian.PutUint32(head, magic)
	binary.LittleEndian.PutUint32(head[4:], uint32(len(header)))
	binary.LittleEndian.PutUint64(head[8:], n)
	head = append(head, header...)
	if n <= small {
		for _, p := range payload {
			head = append(head, p...)
		}
		payload = nil
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, p := range payload {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}
