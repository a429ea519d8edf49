package dapserver

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	maxMessage = 4 << 20 // bytes
	maxHeaders = 4
	maxHeader  = 256 // bytes of a line
)

// errFrame is wrapped by what is wrong with the frame of a message, after which no other message can be found.
var errFrame = errors.New("expected a message of the debug adapter protocol")

// readMessage reads the content of a message. The library's reader takes a header of any length, and the one header
// only in one spelling.
func readMessage(r *bufio.Reader) ([]byte, error) {
	length := int64(-1)
	for range maxHeaders {
		line, err := readLine(r)
		if err != nil {
			return nil, err
		}
		if line == "" {
			if length < 0 {
				return nil, fmt.Errorf("%w, but got a header without Content-Length", errFrame)
			}
			data := make([]byte, length)
			if _, err := io.ReadFull(r, data); err != nil {
				return nil, err
			}
			return data, nil
		}
		name, value, _ := strings.Cut(line, ":")
		switch {
		case strings.EqualFold(name, "Content-Type"):
		case !strings.EqualFold(name, "Content-Length"):
			return nil, fmt.Errorf("%w, but got the header %.40q", errFrame, line)
		default:
			length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			if err != nil || length < 0 || length > maxMessage {
				return nil, fmt.Errorf("%w, of at most %d bytes, but got the length %.40q", errFrame, maxMessage, strings.TrimSpace(value))
			}
		}
	}
	return nil, fmt.Errorf("%w, but got more than %d headers", errFrame, maxHeaders)
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
