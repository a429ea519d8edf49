module github.com/tilewright/tilewright

go 1.26.0

require (
	github.com/dominikbraun/graph v0.23.0
	github.com/ebitengine/purego v0.11.3
	github.com/google/go-cmp v0.7.0
	github.com/rs/zerolog v1.35.1
	github.com/spf13/pflag v1.0.10
	golang.org/x/sync v0.24.0
)

require (
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	golang.org/x/sys v0.29.0 // indirect
)
