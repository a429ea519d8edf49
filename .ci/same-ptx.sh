#!/usr/bin/env bash
# Says which PTX a change alters: compiles every module under the given folders for every target, with tilec as it was
# at COMMIT and as it is here, and compares the files byte by byte.
#
#	.ci/same-ptx.sh COMMIT FOLDER...
#
# Prints a line for each file that differs or that only one of the two writes, then a count. Exit status 1 where PTX
# differs or is missing after the change.
set -euo pipefail
if (($# < 2)); then
	sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
	exit 2
fi
commit=$1
shift
folders=()
for f in "$@"; do folders+=("$(realpath "$f")"); done
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dir=$(mktemp -d)
trap 'git worktree remove --force "$dir/tree" 2>/dev/null || true; rm -rf "$dir"' EXIT
git worktree add --quiet --detach "$dir/tree" "$commit"
(cd "$dir/tree" && go build -o "$dir/before.tilec" ./cmd/tilec)
go build -o "$dir/after.tilec" ./cmd/tilec
targets=$("$dir/after.tilec" --help | grep -o 'sm_[0-9]\+' | sort -uV | paste -sd,)

# Modules get names that tell them apart, because output files lie in one folder. One text is compiled once.
mkdir "$dir/in" "$dir/before" "$dir/after"
find "${folders[@]}" -name '*.tileirbc' -print0 | sort -z | xargs -0 sha256sum | awk '!seen[$1]++ { print $2 }' |
	while read -r file; do ln -s "$file" "$dir/in/$(basename "$(dirname "$file")")-$(basename "$file")"; done
for side in before after; do
	# A module that does not compile leaves no file, which the comparison reports.
	"$dir/$side.tilec" --output-dir="$dir/$side" --gpu-name="$targets" -j "$(nproc)" "$dir"/in/*.tileirbc 2>/dev/null || true
done

same=0 differs=0 lost=0 gained=0 neither=0
for module in "$dir"/in/*.tileirbc; do
	for t in ${targets//,/ }; do
		name=$(basename "$module" .tileirbc).$t.ptx
		if [[ -f $dir/before/$name && -f $dir/after/$name ]]; then
			if cmp -s "$dir/before/$name" "$dir/after/$name"; then ((++same)); else ((++differs)); echo "differs: $name"; fi
		elif [[ -f $dir/before/$name ]]; then
			((++lost)) && echo "only before: $name"
		elif [[ -f $dir/after/$name ]]; then
			((++gained)) && echo "only after: $name"
		else
			((++neither)) # a module that names another GPU, or that the language refuses
		fi
	done
done
echo "$same same, $differs differ, $lost only before, $gained only after, $neither by neither"
((differs == 0 && lost == 0))
