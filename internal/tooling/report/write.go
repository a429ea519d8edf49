package report

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
)

// The files that the page is made of. Each script is about one thing; they are read in this order, as one script with
// one scope.
//
//go:embed page
var files embed.FS

var scripts = []string{"dom.js", "data.js", "column.js", "columns.js", "diff.js", "passes.js", "remarks.js", "pictures.js", "memory.js", "layouts.js", "profile.js", "summary.js", "app.js"}

// Write writes the page. The data is base64, which no text in it can leave. The policy admits the one script by its
// hash, the page's style, and pictures that are in the file, and neither a connection nor a form nor a frame.
func (p *Page) Write(w io.Writer) error { return p.write(w, "", nil) }

// WriteServed writes the page for a server, with a script of the server's after the page's own, which may connect
// to where the page is from.
func (p *Page) WriteServed(w io.Writer, script []byte) error {
	return p.write(w, "; connect-src 'self'", script)
}

func (p *Page) write(w io.Writer, may string, script []byte) error {
	data, err := p.data()
	if err != nil {
		return err
	}
	style, err := files.ReadFile("page/style.css")
	if err != nil {
		return err
	}
	code := []byte("'use strict';\n")
	for _, name := range scripts {
		part, err := files.ReadFile("page/" + name)
		if err != nil {
			return err
		}
		code = append(code, part...)
	}
	code = append(code, script...)
	hash := sha256.Sum256(code)
	policy := fmt.Sprintf("default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'%s", base64.StdEncoding.EncodeToString(hash[:]), may)
	var sb strings.Builder
	sb.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	fmt.Fprintf(&sb, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", policy)
	sb.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n")
	fmt.Fprintf(&sb, "<title>%s - Tilewright</title>\n<style>\n%s</style>\n</head>\n<body>\n", html.EscapeString(p.Title), style)
	sb.WriteString("<noscript>This report is drawn by a script that is in the file; the browser runs none.</noscript>\n")
	fmt.Fprintf(&sb, "<template id=\"data\">%s</template>\n<script>%s</script>\n</body>\n</html>\n", data, code)
	_, err = io.WriteString(w, sb.String())
	return err
}

// data returns the page as JSON, deflated, in base64.
func (p *Page) data() (string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	var buf bytes.Buffer
	packer, err := flate.NewWriter(&buf, flate.DefaultCompression)
	if err != nil {
		return "", err
	}
	if _, err := packer.Write(text); err != nil {
		return "", err
	}
	if err := packer.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(buf.Bytes()), nil
}
