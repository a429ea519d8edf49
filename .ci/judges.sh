#!/usr/bin/env bash
# Makes the judges' virtual environment if it is not there yet, and prints its path as the only line on stdout.
#
# It lives outside the checkout, so that a fresh clone finds it again: at $TILEWRIGHT_JUDGES when that is set, else in
# the user's cache under the hash of judges.txt. internal/judges looks in the same places.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
requirements=$here/judges.txt
hash=$(sha256sum "$requirements" | cut -c1-16)
cache=${XDG_CACHE_HOME:-$HOME/.cache}
dir=${TILEWRIGHT_JUDGES:-$cache/tilewright/judges-$hash}
mark=$dir/.tilewright-judges # holds the hash of the requirements that were installed; written last

installed() { [[ -f $mark && $(<"$mark") == "$hash" ]]; }

if ! installed; then
	mkdir -p "$(dirname "$dir")"
	# One builder at a time: a second caller waits and then finds the finished environment.
	exec 9>"$dir.lock"
	flock 9
	if ! installed; then
		if [[ -n $(ls -A "$dir" 2>/dev/null || true) && ! -f $dir/pyvenv.cfg ]]; then
			echo "judges.sh: $dir is neither empty nor a virtual environment; it is left alone" >&2
			exit 1
		fi
		python3 -m venv --clear "$dir" >&2
		"$dir/bin/python" -m pip install --quiet --disable-pip-version-check --no-input -r "$requirements" >&2
		printf '%s' "$hash" >"$mark"
	fi
fi
printf '%s\n' "$dir"
