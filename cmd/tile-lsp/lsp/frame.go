package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	maxMessage = 32 << 20  // bytes
	maxSkipped = 256 << 20 // of a message that is passed over
	maxHeaders = 16
	maxHeader  = 1 << 10 // bytes of a line
)

// A codec frames messages as the protocol does, with bounds, which that of the library lacks.
type codec struct {
	// complain is called when a message was passed over.
	complain func(error)
	// ended is called when input has no next message, but goes on.
	ended func(error)
}

// errFrame is wrapped by what is wrong with the frame of a message, after which no other message can be found.
var errFrame = errors.New("expected a message of the language server protocol")

// WriteObject implements jsonrpc2.ObjectCodec.
func (codec) WriteObject(w io.Writer, obj any) error {
	data, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "Content-Length: %d\r\n\r\n", len(data)); err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// ReadObject implements jsonrpc2.ObjectCodec. It returns an error only when it is not known where the next message
// begins.
func (c codec) ReadObject(r *bufio.Reader, v any) error {
	for {
		n, err := readHeader(r)
		if err != nil {
			if errors.Is(err, errFrame) {
				c.ended(err)
			}
			return err
		}
		if n > maxMessage {
			if _, err := io.CopyN(io.Discard, r, n); err != nil {
				return err
			}
			c.complain(fmt.Errorf("a message of %d bytes was passed over; at most %d are read", n, maxMessage))
			continue
		}
		data := make([]byte, n)
		if _, err := io.ReadFull(r, data); err != nil {
			return err
		}
		if err := json.Unmarshal(data, v); err != nil {
			c.complain(fmt.Errorf("a message was passed over: %w", err))
			continue
		}
		return nil
	}
}

// readHeader returns the length of the message that follows.
func readHeader(r *bufio.Reader) (length int64, err error) {
	length = -1
	for range maxHeaders {
		line, err := readLine(r)
		if err != nil {
			return 0, err
		}
		if line == "" {
			if length < 0 {
				return 0, fmt.Errorf("%w, but got a header without Content-Length", errFrame)
			}
			return length, nil
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return 0, fmt.Errorf("%w, but got a header without a colon", errFrame)
		}
		if !strings.EqualFold(name, "Content-Length") {
			continue
		}
		length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if err != nil || length < 0 || length > maxSkipped {
			return 0, fmt.Errorf("%w, of at most %d bytes, but got the length %q", errFrame, maxSkipped, strings.TrimSpace(value))
		}
	}
	return 0, fmt.Errorf("%w, but got more than %d headers", errFrame, maxHeaders)
}

func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for len(line) <= maxHeader {
		b, err := r.ReadByte()
		if err != nil {
			return "", err
		}
		if b == '\n' {
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		line = append(line, b)
	}
	return "", fmt.Errorf("%w, but got a header of more than %d bytes", errFrame, maxHeader)
}
