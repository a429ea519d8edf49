module github.com/tilewright/tilewright

go 1.26.0

require (
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/crillab/gophersat v1.4.0
	github.com/dominikbraun/graph v0.23.0
	github.com/ebitengine/purego v0.11.3
	github.com/google/go-cmp v0.7.0
	github.com/google/go-dap v0.12.0
	github.com/google/pprof v0.0.0-20261016150608-1facf8f91b50
	github.com/mattn/go-isatty v0.0.22
	github.com/mmcloughlin/avo v0.6.0
	github.com/rs/zerolog v1.35.1
	github.com/schollz/progressbar/v3 v3.19.1
	github.com/sourcegraph/jsonrpc2 v0.2.3
	github.com/spf13/pflag v1.0.10
	golang.org/x/sync v0.24.0
	golang.org/x/sys v0.46.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/mod v0.31.0 // indirect
	golang.org/x/term v0.44.0 // indirect
	golang.org/x/tools v0.40.0 // indirect
)
