"""Builds a wheel that carries the tools for one platform, or for all:

    python python/build_wheel.py [--goos linux] [--goarch amd64] [--out python/dist]
    python python/build_wheel.py --all

The tools are one program, cmd/tile-tools: the wheel has 10 MB. From empty caches Go compiles for some minutes, and says
how far it is; later a wheel takes seconds.

A wheel is a zip file with three files of its own, so nothing but Go and Python is needed. Python's source is the same for
all platforms; only the tags differ.
"""

import argparse
import base64
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = "tile-tools"
LIMIT = 40 << 20  # bytes of a wheel

# The program is built without cgo. But tile-run loads the CUDA driver where there is one, and is linked to glibc for
# that: any version will do, musl will not.
PLATFORMS = {
    ("linux", "amd64"): "manylinux2014_x86_64", ("linux", "arm64"): "manylinux2014_aarch64",
    ("darwin", "amd64"): "macosx_11_0_x86_64", ("darwin", "arm64"): "macosx_11_0_arm64",
    ("windows", "amd64"): "win_amd64", ("windows", "arm64"): "win_arm64",
}

ENTRY_POINTS = b"""\
[console_scripts]
tilewright = tilewright._cli:entry

[pytest11]
tilewright = tilewright.pytest_plugin
"""

REQUIRES = ["numpy>=2.0", "cuda-tile>=1.5"]


def version() -> str:
    with open(os.path.join(HERE, "tilewright", "__init__.py"), encoding="utf-8") as f:
        return re.search(r'__version__ = "([^"]+)"', f.read()).group(1)


def go_env(name: str) -> str:
    return subprocess.run(["go", "env", name], check=True, capture_output=True, text=True).stdout.strip()


def say(text: str, end: str = "\n") -> None:
    """Tells how far the build is: on a terminal in one line, which the next call overwrites."""
    tty = sys.stderr.isatty()
    if tty or end:
        print(("\r\033[K" if tty else "") + text, end=end, file=sys.stderr, flush=True)


def build_tools(goos: str, goarch: str, to: str) -> list[str]:
    """Compiles the tools, and returns the paths of the programs."""
    env = dict(os.environ, GOOS=goos, GOARCH=goarch, CGO_ENABLED="0")
    path = os.path.join(to, PROGRAM + (".exe" if goos == "windows" else ""))
    command = ["go", "build", "-v", "-trimpath", "-ldflags", "-s -w", "-o", path, f"./cmd/{PROGRAM}"]
    start, done, rest = time.monotonic(), 0, []
    say(f"{goos}/{goarch}: compiling the tools")
    with subprocess.Popen(command, cwd=os.path.dirname(HERE), env=env, stderr=subprocess.PIPE, text=True) as p:
        for line in p.stderr:  # the names of packages as they are compiled, and errors
            rest = [*rest[-20:], line]
            done += 1
            say(f"{goos}/{goarch}: {done} packages compiled, {time.monotonic() - start:.0f} s", end="")
    if p.returncode:
        sys.exit(f"go build failed:\n{''.join(rest)}")
    say(f"{goos}/{goarch}: {done} packages compiled, {time.monotonic() - start:.0f} s")
    return [path]


def metadata(v: str) -> str:
    lines = ["Metadata-Version: 2.1", "Name: tilewright", f"Version: {v}",
             "Summary: CUDA Tile kernels without a GPU: runs, checks and compiles cuTile programs", "License: Apache-2.0",
             "Requires-Python: >=3.10", *(f"Requires-Dist: {r}" for r in REQUIRES), "Description-Content-Type: text/markdown", ""]
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as f:
        return "\n".join(lines) + "\n" + f.read()


def build(goos: str, goarch: str, out: str) -> str:
    v = version()
    tag = f"py3-none-{PLATFORMS[goos, goarch]}"
    info = f"tilewright-{v}.dist-info"
    records = []
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, f"tilewright-{v}-{tag}.whl")
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path + ".tmp", "w", zipfile.ZIP_DEFLATED) as z:
        def add(name: str, data: bytes, mode: int = 0o644) -> None:
            entry = zipfile.ZipInfo(name)  # of 1980: the same source gives the same file
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            records.append(f"{name},sha256={digest},{len(data)}")

        package = os.path.join(HERE, "tilewright")
        for name in sorted(os.listdir(package)):
            if name.endswith((".py", ".typed")):
                with open(os.path.join(package, name), "rb") as f:
                    add(f"tilewright/{name}", f.read())
        for tool in build_tools(goos, goarch, folder):
            with open(tool, "rb") as f:
                add(f"tilewright/bin/{os.path.basename(tool)}", f.read(), 0o755)
        add(f"{info}/METADATA", metadata(v).encode())
        tags = "".join(f"Tag: py3-none-{p}\n" for p in PLATFORMS[goos, goarch].split("."))
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tilewright\nRoot-Is-Purelib: false\n{tags}".encode())
        add(f"{info}/entry_points.txt", ENTRY_POINTS)
        with open(os.path.join(os.path.dirname(HERE), "LICENSE"), "rb") as f:
            add(f"{info}/LICENSE", f.read())
        records.append(f"{info}/RECORD,,")
        entry = zipfile.ZipInfo(f"{info}/RECORD")
        entry.external_attr = 0o100644 << 16
        z.writestr(entry, "\n".join(records) + "\n")
    size = os.path.getsize(path + ".tmp")
    if size > LIMIT:
        os.remove(path + ".tmp")
        sys.exit(f"the wheel has {size >> 20} MB, at most {LIMIT >> 20} are accepted")
    os.replace(path + ".tmp", path)
    say(f"{goos}/{goarch}: {size / 1e6:.1f} MB")
    return path


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--goos", default=None)
    p.add_argument("--goarch", default=None)
    p.add_argument("--out", default=os.path.join(HERE, "dist"))
    p.add_argument("--all", action="store_true", help="for every platform")
    args = p.parse_args()
    wanted = list(PLATFORMS) if args.all else [(args.goos or go_env("GOOS"), args.goarch or go_env("GOARCH"))]
    for goos, goarch in wanted:
        if (goos, goarch) not in PLATFORMS:
            sys.exit(f"no wheel can be made for {goos}/{goarch}; there are {', '.join('/'.join(k) for k in PLATFORMS)}")
        print(build(goos, goarch, args.out))


if __name__ == "__main__":
    main()
