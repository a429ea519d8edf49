package cache

import (
	"errors"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/lazy"
	"google.golang.org/protobuf/encoding/protowire"
)

// An action is the message ActionResult of the remote execution API, which servers check
// (build.bazel.remote.execution.v2): files, standard output, in which the key stands, and standard error.
type action struct {
	key   string
	said  []byte
	files []file
}

// A file is a file that an action made.
type file struct {
	name, hash string
	size       int64
}

// maxAction bounds an action, and maxFiles its files.
const (
	maxAction = 1 << 20
	maxFiles  = 64
)

// The numbers of the fields.
const (
	resultFiles, resultStdout, resultStderr = 2, 5, 7
	filePath, fileDigest                    = 1, 2
	digestHash, digestSize                  = 1, 2
)

// encode writes the files in the order of their names, so that equal actions are equal bytes.
func (a *action) encode() (out []byte) {
	slices.SortFunc(a.files, func(x, y file) int { return strings.Compare(x.name, y.name) })
	bytesField := func(out []byte, n protowire.Number, value []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(out, n, protowire.BytesType), value)
	}
	for _, f := range a.files {
		digest := bytesField(nil, digestHash, []byte(f.hash))
		digest = protowire.AppendVarint(protowire.AppendTag(digest, digestSize, protowire.VarintType), uint64(f.size))
		out = bytesField(out, resultFiles, bytesField(bytesField(nil, filePath, []byte(f.name)), fileDigest, digest))
	}
	out = bytesField(out, resultStdout, []byte(a.key))
	return bytesField(out, resultStderr, a.said)
}

var (
	errAction = errors.New("no action")
	hashText  = lazy.Regexp(`^[0-9a-f]{64}$`)
)

func decodeAction(data []byte) (*action, error) {
	a := new(action)
	err := fields(data, func(n protowire.Number, value []byte, _ uint64) error {
		switch n {
		case resultStdout:
			a.key = string(value)
		case resultStderr:
			a.said = value
		case resultFiles:
			f, err := decodeFile(value)
			if err != nil || len(a.files) == maxFiles {
				return errAction
			}
			a.files = append(a.files, f)
		}
		return nil
	})
	return a, err
}

func decodeFile(data []byte) (f file, err error) {
	err = fields(data, func(n protowire.Number, value []byte, _ uint64) error {
		switch n {
		case filePath:
			f.name = string(value)
		case fileDigest:
			return fields(value, func(n protowire.Number, value []byte, number uint64) error {
				switch n {
				case digestHash:
					f.hash = string(value)
				case digestSize:
					f.size = int64(number)
				}
				return nil
			})
		}
		return nil
	})
	if err == nil && (f.name == "" || !hashText().MatchString(f.hash) || f.size < 0 || f.size > maxContent) {
		err = errAction
	}
	return f, err
}

// fields hands on the fields of a message that are bytes or numbers; others are skipped.
func fields(data []byte, each func(n protowire.Number, value []byte, number uint64) error) error {
	for len(data) > 0 {
		n, kind, size := protowire.ConsumeTag(data)
		if size < 0 {
			return errAction
		}
		data = data[size:]
		var value []byte
		var number uint64
		switch kind {
		case protowire.BytesType:
			value, size = protowire.ConsumeBytes(data)
		case protowire.VarintType:
			number, size = protowire.ConsumeVarint(data)
		default:
			if size = protowire.ConsumeFieldValue(n, kind, data); size >= 0 {
				data = data[size:]
				continue
			}
		}
		if size < 0 {
			return errAction
		}
		data = data[size:]
		if err := each(n, value, number); err != nil {
			return err
		}
	}
	return nil
}
