"""The lines of a kernel that an error is about: where they are, and how they are shown."""

from __future__ import annotations

import ast
import functools
import linecache
import os


def is_library(file: str) -> bool:
    """Tells whether a file is cuTile's own, whose lines say nothing to the one who wrote the kernel."""
    return f"{os.sep}cuda{os.sep}tile{os.sep}" in file


def own(where):
    """Returns the innermost place that is the user's own; None where there is none at all."""
    return next((p for p in where if not is_library(p[0])), where[0] if where else None)


def short(file: str) -> str:
    """Returns how a message names a file: below the current folder by its path from there, else by its name."""
    try:
        path = os.path.relpath(file)
    except (OSError, ValueError):  # no current folder, or another drive
        return os.path.basename(file)
    return path if not path.startswith(os.pardir) and len(path) < 40 else os.path.basename(file)


def quote(where) -> list[str]:
    """Returns the lines of the source, as Python's tracebacks have them: callers first."""
    user = own(where)
    lines = []
    for place in reversed(where):
        file, line, column, function = place
        if is_library(file) and place != user:
            continue
        lines.append(f'  File "{printable(file)}", line {line}' + (f", in {printable(function)}" if function else ""))
        text = linecache.getline(file, line).rstrip()
        if text.strip():
            lines.append("    " + printable(text.strip()))
            if place == user:
                lines.append("    " + _carets(file, line, column, text))
    return lines


def printable(text: str) -> str:
    """Spells out characters that a terminal would obey."""
    return "".join(c if c.isprintable() or c == "\t" else c.encode("unicode_escape").decode() for c in text)


def _carets(file: str, line: int, column: int, text: str) -> str:
    """Marks the expression that begins at a column, counted from 0; the character there if no expression does."""
    indent = len(text) - len(text.lstrip())
    column = max(column, indent)
    end = _ends(file, os.stat(file).st_mtime_ns if os.path.exists(file) else 0).get((line, column), column + 1)
    end = min(max(end, column + 1), len(text))
    return " " * (column - indent) + "^" * max(1, end - column)


@functools.lru_cache(16)
def _ends(file: str, changed: int) -> dict[tuple[int, int], int]:
    """Returns where the longest expression of one line that begins at (line, column) ends."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    out: dict[tuple[int, int], int] = {}
    for node in ast.walk(tree):
        if not isinstance(node, (ast.expr, ast.stmt)):
            continue
        start = node.lineno, node.col_offset
        end = node.end_col_offset if node.end_lineno == node.lineno else 1 << 20  # to the end of the line
        out[start] = max(out.get(start, 0), end)
    return out
