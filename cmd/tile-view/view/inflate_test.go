package view

import (
	"compress/flate"
	"encoding/base64"
	"io"
	"strings"
)

// inflate reads the data of a page.
func inflate(data string) (string, error) {
	text, err := io.ReadAll(flate.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))))
	return string(text), err
}
