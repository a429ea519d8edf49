package main

import (
	"bytes"
	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"strings"
	"testing"
)

const kernel = `entry @k(%p: tile<ptr<f32>>) {
  %c = constant <f32: 1.0> : tile<f32>
  %d = constant <f32: 1.0> : tile<f32>
  %s = addf %c, %d : tile<f32>
  %t = make_token : token
  %u = store_ptr_tko weak %p, %s token = %t : tile<ptr<f32>>, tile<f32> -> token
  return
}
`

func TestHints(t *testing.T) {
	t.Parallel()
	const hinted = "entry @k() optimization_hints=<sm_80 = {frobnicate = 3}> {\n  return\n}\n"
	for args, want := range map[string]struct {
		status int
		err    string
	}{
		"":                                {0, ""},
		"-Werr-hints":                     {0, ""},
		"-Wunsupported-hints":             {0, "warning: 'cuda_tile.entry' op frobnicate is not known hint"},
		"-Wunsupported-hints -Werr-hints": {1, "error: 'cuda_tile.entry' op Optimization hints verification failed"},
	} {
		var out, errs bytes.Buffer
		status := opttool.TileOpt().Main(strings.Fields(args), strings.NewReader(hinted), &out, &errs)
		if status != want.status || !strings.Contains(errs.String(), want.err) || want.err == "" && errs.Len() > 0 {
			t.Errorf("%s: status %d, want %d; error output\n%s", args, status, want.status, errs.String())
		}
	}
}

func TestTileOpt(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args   []string
		status int
		out    []string
		err    string
	}{
		{nil, 0, []string{"module {\n  cuda_tile.module @kernels {\n    entry @k("}, ""},
		{[]string{"--pass-pipeline=builtin.module(cuda_tile.module(cuda_tile.entry(cse)))"}, 0, []string{"addf %c, %c "}, ""},
		{[]string{"-lower-to=tileaa", "-gpu-name=sm_80", "--dump-pass-pipeline"}, 0, []string{"nv_tileaa.func"}, "convert-cuda-tile-to-tileaa"},
		{[]string{"-lower-to=ptx", "-gpu-name=sm_80", "-O3"}, 0, []string{".version", ".target sm_80", ".entry k("}, ""},
		{[]string{"--tileas-allocate-shared"}, 1, []string{""}, "requires level 'tileas', but the IR is at level 'cuda_tile' here; 'convert-tileaa-to-tileas' would establish it"},
		{[]string{"--show-pass-graph", "--lower-to=ptx", "--gpu-name=sm_80"}, 0, []string{"pass graph from cuda_tile to ptx for sm_80 at -O3", "emit-ptx"}, ""},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		status := opttool.TileOpt().Main(tt.args, strings.NewReader(kernel), &out, &errs)
		if status != tt.status || !strings.Contains(errs.String(), tt.err) {
			t.Errorf("%q: status %d, want %d; error output\n%s", tt.args, status, tt.status, errs.String())
		}
		for _, want := range tt.out {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q: no %q in\n%s", tt.args, want, out.String())
			}
		}
	}
}
