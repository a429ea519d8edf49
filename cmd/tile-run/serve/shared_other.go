//go:build !linux

package serve

import (
	"errors"
	"os"
)

// seal: other systems cannot keep a file from shrinking.
func seal(*os.File) bool { return false }

func mapShared(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }
