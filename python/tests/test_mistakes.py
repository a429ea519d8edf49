"""docs/mistakes.md: each program says what the page says. TILEWRIGHT_UPDATE=1 writes what they say into the page."""

import os
import re
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(os.path.dirname(HERE), "docs", "mistakes.md")

with open(PAGE, encoding="utf-8") as f:
    SECTIONS = re.split(r"(?m)^(?=## )", f.read())

# Programs and transcripts. A transcript is a command and the indented lines after it.
PROGRAM = re.compile(r"```python\n(.*?)```\n", re.S)
TRANSCRIPT = re.compile(r"(?m)^    \$ tilewright (.*)\n((?:    .*\n)*)")


def say(section: str, folder) -> str:
    """Runs the program of a section as its command says, and returns what the terminal shows."""
    program = PROGRAM.search(section)
    if program:
        (folder / "prog.py").write_text(program[1])
    command = TRANSCRIPT.search(section)[1].split()
    p = subprocess.run([sys.executable, "-m", "tilewright", *command], capture_output=True, text=True, cwd=folder,
                       env={**os.environ, "PYTHONPATH": HERE, "NO_COLOR": "1"})
    assert "Traceback" not in p.stderr and (p.returncode != 0 or "Warning" in p.stderr), p.stderr
    return p.stdout + p.stderr


@pytest.mark.parametrize("number", range(1, len(SECTIONS)))
def test_mistake(number, tmp_path):
    section = SECTIONS[number]
    got = say(section, tmp_path)
    shown = "".join(f"    {line}\n" for line in got.splitlines())
    if os.environ.get("TILEWRIGHT_UPDATE"):
        with open(PAGE, encoding="utf-8") as f:
            page = f.read()
        new = TRANSCRIPT.sub(lambda m: f"    $ tilewright {m[1]}\n{shown}", section)
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(page.replace(section, new))
        return
    want = TRANSCRIPT.search(section)[2]
    if "Timeout" in want:  # which operation of the line the kernel stands at is chance
        shown, want = (re.sub(r"(?m)^ *\^+\n", "", text) for text in (shown, want))
    assert shown == want
