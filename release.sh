#!/usr/bin/env bash
# release.sh DIR: builds the programs for Linux, macOS and Windows without cgo (static, but for tile and tile-run on Linux, which load the CUDA driver and so need glibc), each system as an archive with completions and man pages, and a list of hashes. The same sources and the same Go give the same
# programs.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: release.sh DIR [OS/ARCH...]" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
systems=("$@")
[ ${#systems[@]} -gt 0 ] || systems=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64)
cd "$(dirname "${BASH_SOURCE[0]}")"
tools=(tile tile-lsp tile-opt tile-reduce tile-run tile-translate tile-view tilec)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CGO_ENABLED=0

# Completions and man pages are made by the programs of this machine.
go build -trimpath -o "$work/here/" ./cmd/...
mkdir -p "$work/share/man/man1" "$work/share/completions"
for t in "${tools[@]}"; do
	"$work/here/$t" --man >"$work/share/man/man1/$t.1"
	for shell in bash zsh fish; do "$work/here/$t" --completion=$shell >"$work/share/completions/$t.$shell"; done
done
for system in "${systems[@]}"; do
	os=${system%/*} arch=${system#*/}
	name=tilewright-$os-$arch
	suffix=; [ "$os" != windows ] || suffix=.exe
	mkdir -p "$work/$name/bin"
	for t in "${tools[@]}"; do GOOS=$os GOARCH=$arch go build -trimpath -ldflags='-s -w' -o "$work/$name/bin/$t$suffix" "./cmd/$t"; done
	# The names under which clients look for a compiler and a disassembler.
	if [ "$os" = windows ]; then
		cp "$work/$name/bin/tilec.exe" "$work/$name/bin/tileiras.exe"
		cp "$work/$name/bin/tile-translate.exe" "$work/$name/bin/tileirdisasm.exe"
	else
		# no symbolic links: cutile-rs follows them, and the name is lost
		ln "$work/$name/bin/tilec" "$work/$name/bin/tileiras"
		ln "$work/$name/bin/tile-translate" "$work/$name/bin/tileirdisasm"
	fi
	cp -r "$work/share" LICENSE "$work/$name/"
	tar -C "$work" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -n >"$out/$name.tar.gz"
	echo "$out/$name.tar.gz"
done
(cd "$out" && sha256sum tilewright-*.tar.gz >SHA256SUMS)
