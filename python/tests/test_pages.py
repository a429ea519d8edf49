"""The pages for Python authors, followed in a clean clone and a fresh virtual environment: what they tell to type is typed.

It takes one to two minutes, most of them Go's, and is of the long tier (TILEWRIGHT_TESTS=all).
"""

import os
import re
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = ["README.md", "python/README.md", "docs/no-gpu.md", "docs/report.md"]

# A command in a block of its own, perhaps with a remark, or in the text.
COMMAND = re.compile(r"(?m)^    (?:\$ )?((?:tilewright|pip|python) .*)$|`((?:python -m )?(?:tilewright|pytest) [^`\n]*)`")
# What runs until it is stopped, and what an editor talks to.
SERVES = re.compile(r"^tilewright (view prog\.py|debug)")
# Programs write FOLDER and DIR for a name that the reader chooses.
NAMES = {"FOLDER": "folder", "DIR": "folder"}


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as f:
        return f.read()


def commands():
    """Returns the commands of the pages, once each, in the order of the pages."""
    found = {}
    for page in PAGES:
        for block, text in COMMAND.findall(read(page)):
            found.setdefault(re.sub(r"\s+# .*", "", block or text).strip(), page)
    return found


def test_commands_are_found():
    found = commands()
    assert {"tilewright run prog.py", "tilewright why prog.py", "tilewright view prog.py", "tilewright debug prog.py", "tilewright test",
            "pip install dist/tilewright-*.whl", "tilewright tune --device='H100 SXM5' prog.py"} <= set(found)


@pytest.mark.skipif(os.environ.get("TILEWRIGHT_TESTS") != "all" or os.name == "nt", reason="of the long tier (TILEWRIGHT_TESTS=all); types commands of a shell")
def test_pages(tmp_path):
    clone, venv, work = tmp_path / "tilewright", tmp_path / "venv", tmp_path / "work"
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", ROOT, clone], check=True)
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    work.mkdir()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("TILEWRIGHT_", "PYTHON", "VIRTUAL_ENV"))}
    env["PATH"] = f"{venv / 'bin'}{os.pathsep}{env['PATH']}"

    def shell(command, cwd, **options):
        return subprocess.run(["bash", "-c", command], cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, **options)

    (work / "prog.py").write_text(re.search(r"```python\n(.*?)```", read("python", "README.md"), re.S)[1])
    (work / "test_prog.py").write_text("import runpy\ndef test_prog():\n    runpy.run_path('prog.py')\n")
    tuned = tmp_path / "tuned"
    tuned.mkdir()
    (tuned / "prog.py").write_text(read("docs", "examples", "tune.py"))

    failed, installed = [], []
    for command, page in sorted(commands().items(), key=lambda c: "build_wheel" not in c[0] and "pip install" not in c[0]):
        for name, value in NAMES.items():
            command = re.sub(rf"\b{name}\b", value, command)
        if command.startswith(("python python/", "pip install dist")):
            done = shell(command, clone)
            installed += [command] if done.returncode == 0 else []
            if done.returncode == 0 and "pip install" in command:
                shell("pip install -q pytest", clone)
        elif SERVES.match(command):
            done = shell(f"timeout -s INT 8 {command}", work)
            done.returncode = 0 if done.returncode in (0, 124, 130) and (" view " not in command or "http://" in done.stdout + done.stderr) else 1
        elif command.startswith(("pip", "python -m tilewright")) or not re.search(r"prog\.py|test|pytest|doctor", command):
            continue  # alternatives, and commands without their program
        else:
            done = shell(command, tuned if " tune " in command else work)
        if done.returncode != 0 or "Traceback" in done.stderr:
            failed.append(f"{page}: {command}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    assert installed and not failed, "\n".join(failed)
    assert (work / "k.html").stat().st_size > 100_000
