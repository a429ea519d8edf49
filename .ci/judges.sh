#!/usr/bin/env bash
# Makes the judges' virtual environment if it is not there yet, and prints its path as the only line on stdout.
#
# It lives outside the checkout, so that a fresh clone finds it again: at $TILEWRIGHT_JUDGES when that is set, else in
# the user's cache under the hash of judges.txt. internal/testing/judges looks in the same places.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
judges=$here/judges.txt
triton=$here/judges-triton.txt # added to the environment that judges.txt names,
python=$here/judges-python.txt # and these too
tilecpp=$here/judges-tilecpp.txt

hash_of() { sha256sum "$1" | cut -c1-16; }

cache=${XDG_CACHE_HOME:-$HOME/.cache}
dir=${TILEWRIGHT_JUDGES:-$cache/tilewright/judges-$(hash_of "$judges")}

# A mark holds the hash of the requirements that were installed; it is written last.
installed() { [[ -f $dir/$2 && $(<"$dir/$2") == "$(hash_of "$1")" ]]; }
install() {
	"$dir/bin/python" -m pip install --quiet --disable-pip-version-check --no-input -r "$1" >&2
	printf '%s' "$(hash_of "$1")" >"$dir/$2"
}

if ! installed "$judges" .tilewright-judges || ! installed "$triton" .tilewright-judges-triton || ! installed "$python" .tilewright-judges-python ||
	! installed "$tilecpp" .tilewright-judges-tilecpp; then
	mkdir -p "$(dirname "$dir")"
	# One builder at a time: a second caller waits and then finds the finished environment.
	exec 9>"$dir.lock"
	flock 9
	if ! installed "$judges" .tilewright-judges; then
		if [[ -n $(ls -A "$dir" 2>/dev/null || true) && ! -f $dir/pyvenv.cfg ]]; then
			echo "judges.sh: $dir is neither empty nor a virtual environment; it is left alone" >&2
			exit 1
		fi
		python3 -m venv --clear "$dir" >&2
		install "$judges" .tilewright-judges
	fi
	installed "$triton" .tilewright-judges-triton || install "$triton" .tilewright-judges-triton
	installed "$python" .tilewright-judges-python || install "$python" .tilewright-judges-python
	installed "$tilecpp" .tilewright-judges-tilecpp || install "$tilecpp" .tilewright-judges-tilecpp
fi
printf '%s\n' "$dir"
