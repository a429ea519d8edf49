package report

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/tilewright/tilewright/pipeline/compile"
)

// hostile is a string that ends elements, runs, looks like a template and an entity, turns the direction of text
// round and rings a bell.
const hostile = "</script></template></style><script>window.boom=1</script><img src=x onerror=window.boom=2>\"'`${window.boom=3}&lt;\u202eevil\u2066\u200f\u2028\x00\x07\x1b[31m\x7f\xff-->]]>{{.}}"

// fill puts a string into every field that takes one, and makes every list and pointer hold something.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), text)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	}
}

// hostilePage has the string in every field.
func hostilePage(t *testing.T) (*Page, string) {
	t.Helper()
	page := new(Page)
	fill(reflect.ValueOf(page).Elem(), hostile)
	for _, kind := range []string{kindSource, kindIR, kindPTX, kindSASS} { // documents that the columns know, beside the one that they do not
		d := &Document{Kind: kind, Level: kind, Title: hostile, Function: hostile, Lines: []int{0}, Labels: [][]int{{0}}}
		page.Docs = append(page.Docs, d)
	}
	page.Docs = append(page.Docs, &Document{Kind: kindIR, Level: "cuda_tile", Title: hostile, Lines: []int{0, 0}, Labels: [][]int{{0}, nil}})
	page.Pictures = append(page.Pictures,
		&Picture{Kind: "memory", Title: hostile, Memory: &Memory{Bytes: 128, Limit: 128, Steps: 1, Boxes: []Box{{Title: hostile, Bytes: 128, Slots: 2}}}},
		&Picture{Kind: "layouts", Title: hostile, Layouts: []*Layout{{Title: hostile, Text: hostile, Shape: []int{2}, Axes: map[string][]uint64{"lane": {1}}}}, Transfers: []*Transfer{{Op: hostile, What: hostile, How: hostile, Ways: 2}}})
	clean(page)
	var buf bytes.Buffer
	if err := page.Write(&buf); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "hostile.html")
	if err := os.WriteFile(file, buf.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return page, file
}

func TestHostileStrings(t *testing.T) {
	t.Parallel()
	page, file := hostilePage(t)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if n := strings.Count(text, "<script"); n != 1 {
		t.Errorf("%d scripts in the file, want 1", n)
	}
	if n := strings.Count(text, "</script"); n != 1 {
		t.Errorf("the file ends %d scripts, want 1", n)
	}
	if strings.Contains(text, "<img") || strings.ContainsFunc(text, hidden) {
		t.Error("the file has an element or a hidden character of a string")
	}
	_, packed, _ := strings.Cut(text, `<template id="data">`)
	packed, _, _ = strings.Cut(packed, "</template>")
	raw, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(flate.NewReader(bytes.NewReader(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var back Page
	if err := json.Unmarshal(all, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&back, page) {
		t.Error("the data in the file is not that of the page")
	}
	strs := 0
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if strs++; strings.ContainsFunc(v.String(), func(r rune) bool { return r == unicode.ReplacementChar || hidden(r) }) {
				t.Errorf("%q is not clean", v.String())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				look(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				look(v.Index(i))
			}
		case reflect.Pointer:
			look(v.Elem())
		}
	}
	look(reflect.ValueOf(back))
	if strs < 40 {
		t.Errorf("only %d strings were looked at", strs)
	}
}

// TestHostileKernel compiles a kernel whose names and places are hostile.
func TestHostileKernel(t *testing.T) {
	t.Parallel()
	quoted := `</script><script>boom()</script>\E2\80\AE\07`
	text := strings.ReplaceAll(strings.ReplaceAll(kernelText, `"k.py"`, `"`+quoted+`.py"`), "@scale", `@"`+quoted+`"`)
	in := Kernel("</title><script>.mlir", []byte(text), compile.Options{GPU: "sm_90", OptLevel: 3})
	in.Title = in.Name
	page, err := Make(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	if page.Error == "" || len(page.Docs) < 10 { // PTX has no such names
		t.Errorf("error '%s', %d documents", page.Error, len(page.Docs))
	}
	var buf bytes.Buffer
	if err := page.Write(&buf); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(buf.Bytes(), []byte("<script")); n != 1 {
		t.Errorf("%d scripts in the file, want 1", n)
	}
}
