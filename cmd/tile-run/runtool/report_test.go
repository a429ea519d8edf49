package runtool_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/tooling/report"
)

// pageOf unpacks what a page shows.
func pageOf(t *testing.T, file string) *report.Page {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, packed, _ := strings.Cut(string(text), `<template id="data">`)
	packed, _, _ = strings.Cut(packed, "</template>")
	raw, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(raw)))
	if err != nil {
		t.Fatal(err)
	}
	page := new(report.Page)
	if err := json.Unmarshal(data, page); err != nil {
		t.Fatal(err)
	}
	return page
}

// TestReportOfLaunch: the page of a run has the profile and the values of a CTA, the one that is chosen if one is,
// whatever engine ran it.
func TestReportOfLaunch(t *testing.T) {
	t.Parallel()
	for block, flags := range map[string][]string{"3,0,0": nil, "1,0,0": {"--profile-block=1"}} {
		file := filepath.Join(t.TempDir(), "k.html")
		args := append([]string{"--gpu-name=sm_80", "--report=" + file, filepath.Join(corpus.Dir(t), "cases", "matmul_bf16")}, flags...)
		if status, _, errs := run(args...); status != 0 {
			t.Fatalf("status %d: %s", status, errs)
		}
		page := pageOf(t, file)
		if len(page.Profiles) != 1 || page.Values == nil {
			t.Fatalf("profile %v, values %v, missing %q", page.Profiles, page.Values, page.Missing)
		}
		if !strings.Contains(page.Values.Title, "tile block "+block) || len(page.Values.Lines) < 50 || !strings.Contains(strings.Join(page.Values.Lines, "\n"), " = [") {
			t.Errorf("%v: values %q, %d of them", flags, page.Values.Title, len(page.Values.Lines))
		}
		if p := page.Profiles[0]; p.Cycles == 0 || len(p.Lines) < 50 || len(p.Units) < 5 || len(p.Lanes) < 4 || !strings.Contains(p.Title, "estimate") || !strings.HasPrefix(p.Facts[2].Text, block) {
			t.Errorf("%v: profile %q of %d cycles, %d lines, %d units, %d lanes: %v", flags, p.Title, p.Cycles, len(p.Lines), len(p.Units), len(p.Lanes), p.Facts)
		}
	}
}
