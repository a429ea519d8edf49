#!/usr/bin/env bash
# Checks the subjects of a change's commits: `area: imperative`, at most 72 characters, without a full stop.
#
# The change is what HEAD adds to its base: to $1 if given, else to origin/main. A clone of main itself adds nothing to
# origin/main. There, and where nothing says what the base is, the change is everything since this rule began.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rule=3e12cf43c2f17be106c34b023d26ca61483df292 # the last commit before the rule
longest=72
area='[A-Za-z0-9][A-Za-z0-9_./-]*' # a package, a pass, a page

base=$(git merge-base "${1-origin/main}" HEAD 2>/dev/null || true)
if [[ -z $base || $base == "$(git rev-parse HEAD)" ]]; then
	base=$rule
fi
range=("$base..HEAD")
if ! git merge-base --is-ancestor "$base" HEAD 2>/dev/null; then
	echo "subjects: this clone's history does not reach $base; the last commit alone is checked" >&2
	range=(-1 HEAD)
fi

wrong=0
while IFS=$'\t' read -r commit subject; do
	reason=
	if ((${#subject} > longest)); then
		reason="${#subject} characters, at most $longest"
	elif ! [[ $subject =~ ^$area(,\ $area)*:\ [^\ ] ]]; then
		reason="not of the form 'area: imperative'"
	elif [[ $subject == *. ]]; then
		reason="ends with a full stop"
	fi
	if [[ -n $reason ]]; then
		printf 'subjects: %s: %s: %s\n' "$commit" "$reason" "$subject" >&2
		wrong=1
	fi
done < <(git log --no-merges --format='%h%x09%s' "${range[@]}")
exit "$wrong"
