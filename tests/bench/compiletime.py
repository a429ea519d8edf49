"""Compares the processor time of compilations to a cubin: tilec with ptxas, and tileiras.

    python3 tests/bench/compiletime.py --bin BIN --cu CU [--runs N] FOLDER...

BIN has tilec, CU has NVIDIA's tools. Each module of the folders is compiled for four targets by both in turns, and by
tilec to PTX alone. Seconds are user and system time of a process with its children, the least of N runs. A row is a
module and a target that both compile.
"""

import argparse
import glob
import os
import statistics
import subprocess
import tempfile

TARGETS = ("sm_80", "sm_90", "sm_100", "sm_120")


def seconds(command: list[str]) -> float | None:
    """Returns the processor time of a command, or None if it fails."""
    p = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime if p.returncode == 0 else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--cu", required=True)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted(f for d in args.folders for f in glob.glob(os.path.join(d, "*.tileirbc"))):
            for gpu in TARGETS:
                out = os.path.join(folder, "k")
                tilec = [os.path.join(args.bin, "tilec"), f"--gpu-name={gpu}", file]
                ways = [[*tilec, "-o", out + ".ptx"], [*tilec, f"--ptxas={args.cu}/ptxas", "-o", out + ".cubin"],
                        [os.path.join(args.cu, "tileiras"), "--gpu-name", gpu, file, "-o", out + ".cubin"]]
                runs = [[seconds(w) for w in ways] for _ in range(args.runs)]
                if all(None not in r for r in runs):
                    rows.append((os.path.basename(file), gpu, *(min(r[i] for r in runs) for i in range(len(ways)))))
    if not rows:
        raise SystemExit("no module was compiled by both")
    print(f"{'module':48} {'target':7} {'own':>6} {'whole':>6} {'tileiras':>8} {'ratio':>6}")
    for name, gpu, own, whole, theirs in sorted(rows, key=lambda r: -r[3] / r[4]):
        print(f"{name[:48]:48} {gpu:7} {own:6.2f} {whole:6.2f} {theirs:8.2f} {whole / theirs:6.2f}")
    ratios = [r[3] / r[4] for r in rows]
    print(f"{len(rows)} rows; above tileiras in {sum(r > 1 for r in ratios)}; median ratio {statistics.median(ratios):.2f}, "
          f"largest {max(ratios):.2f}; own share of the whole {sum(r[2] for r in rows) / sum(r[3] for r in rows):.2f}")


if __name__ == "__main__":
    main()
