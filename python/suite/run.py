"""Runs NVIDIA/cutile-python's own tests on Tilewright's engines, and says why those fail that do.

    python run.py --checkout ~/cutile-python --engine interp
    python run.py --engine ptx --gpu sm_90 --sample 600

The checkout, of the commit that fits the installed cuda-tile, may also be named by TILEWRIGHT_CUTILE_SUITE; nothing of it
is changed. Tests count as launching if they launched a kernel here or failed.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# Why a test fails that should: the first pattern that its name or its message matches.
CAUSES = [
    ("needs a GPU: code for one, graphs, another library", r"CUDAGraph|CUDA graphs|numba|cupy|needs a GPU|test_export_compat"),
    ("the test is for another version of cuTile", r"CompilerExecutionError.__init__|test_crash_dump_enabled_by_env"),
    ("the test is wrong: atomics behind an array of one element", r"test_mixed_scalar_tile_atomic"),
    ("needs NVIDIA's compiler", r"tileiras|TileCompiler|nvdisasm|cuobjdump|compiler_timeout|crash_dump"),
    ("tools of NVIDIA that are not public", r"_internal_cext|tile_internal|FileCheck"),
    ("memory of this machine", r"MemoryError|can't allocate memory|not enough memory|DefaultCPUAllocator"),
    ("compares a function to the last bit", r"Tensor-likes are not (?:close|equal)|Scalars are not (?:close|equal)|Mismatched elements"),
    ("out of bounds", r"OutOfBoundsError"), ("misaligned", r"MisalignedAddressError"),
    ("unspecified value", r"UnspecifiedValueError"), ("assumption", r"AssumptionError"), ("race", r"RaceError"),
    ("does not compile", r"CompileError"), ("the engine", r"EngineError|KernelError"),
    ("PyTorch has no such operation on the CPU", r"not implemented for|NotImplementedError"),
]


def cause(result: dict) -> str:
    text = result["test"] + " " + result["why"]
    for name, pattern in CAUSES:
        if re.search(pattern, text):
            return name
    return "other"


def job(args, number: int, report: str) -> subprocess.Popen:
    """Starts pytest on one of args.jobs parts of the tests."""
    part, parts = (int(x) for x in args.part.split("/"))
    env = dict(os.environ)
    env["PYTHONPATH"] = os.pathsep.join([HERE, os.path.dirname(HERE), env.get("PYTHONPATH", "")])
    env.update(TILEWRIGHT_SUITE_REPORT=report, TILEWRIGHT_ENGINE=args.engine, TILEWRIGHT_GPU=args.gpu,
               TILEWRIGHT_SUITE_SAMPLE=str(args.sample), TILEWRIGHT_SUITE_SEED=str(args.seed),
               TILEWRIGHT_SUITE_PART=f"{part + parts * number}/{parts * args.jobs}",
               TILEWRIGHT_SUITE_TESTS=args.tests or "", OMP_NUM_THREADS="1")
    env.setdefault("TILEWRIGHT_TIMEOUT", "100")
    env.setdefault("GOMAXPROCS", str(max(1, (os.cpu_count() or 1) // args.jobs)))  # of the engine
    env.setdefault("TILEWRIGHT_TUNER", "run")  # tests of the search replace the clock
    if args.modules:
        os.makedirs(args.modules, exist_ok=True)
        env.update(TILEWRIGHT_SUITE_MODULES=os.path.abspath(args.modules), CUDA_TILE_CACHE_DIR="0")
    else:
        env.pop("CUDA_TILE_CACHE_DIR", None)
    command = [sys.executable, "-m", "pytest", "-p", "tilewright_suite", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider",
               "-o", "python_files=test_*.py", *args.pytest]
    return subprocess.Popen(command, cwd=os.path.join(args.checkout, "test"), env=env,
                            stdout=None if args.verbose else subprocess.DEVNULL)


def run(args) -> list[dict]:
    report = os.path.abspath(args.report or os.path.join(tempfile.mkdtemp(), "report.jsonl"))
    pieces = [f"{report}.{number}" for number in range(args.jobs)]
    jobs = [job(args, number, piece) for number, piece in enumerate(pieces)]
    for status in [j.wait() for j in jobs]:
        if status not in (0, 1, 5):  # 5: a part without tests
            sys.exit(f"pytest ended with status {status}; --verbose shows what it says")
    with open(report, "w", encoding="utf-8") as whole:
        for piece in pieces:
            with open(piece, encoding="utf-8") as f:
                whole.write(f.read())
            os.remove(piece)
    with open(report, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--checkout", default=os.environ.get("TILEWRIGHT_CUTILE_SUITE"), help="folder of NVIDIA/cutile-python")
    p.add_argument("--engine", default="interp", choices=["interp", "ptx", "both"])
    p.add_argument("--gpu", default="sm_100")
    p.add_argument("--sample", type=int, default=0, metavar="N", help="N tests, chosen by --seed; 0: all")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--part", default="0/1", metavar="I/N", help="every N-th test, from the I-th on")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="run so many at a time: the cores of the machine")
    p.add_argument("--tests", metavar="FILE", help="the tests in a file, one a line")
    p.add_argument("--report", metavar="FILE", help="keep a line of JSON for each test")
    p.add_argument("--only-report", action="store_true", help="sum up the file of --report, and run nothing")
    p.add_argument("--modules", metavar="DIR", help="launch nothing, and keep the bytecode of all modules that tests compile")
    p.add_argument("--verbose", action="store_true", help="show pytest's output")
    p.add_argument("pytest", nargs="*", help="arguments for pytest")
    args = p.parse_args()
    args.jobs = max(1, args.jobs)
    if args.only_report:
        with open(args.report, encoding="utf-8") as f:
            results = [json.loads(line) for line in f]
    elif not args.checkout:
        p.error("no checkout: name it with --checkout or TILEWRIGHT_CUTILE_SUITE")
    else:
        results = run(args)
        if args.modules:
            print(f"{len(results)} tests, {len(os.listdir(args.modules))} modules")
            return
    outcomes = collections.Counter(r["outcome"] for r in results)
    launching = [r for r in results if r["launches"] or r["outcome"] == "failed"]
    failed = [r for r in results if r["outcome"] == "failed"]
    passed = sum(r["outcome"] == "passed" for r in launching)
    print(f"{args.engine} {args.gpu}: {len(results)} tests ({', '.join(f'{n} {o}' for o, n in outcomes.most_common())}), "
          f"{sum(r['launches'] for r in results)} launches; of {len(launching)} that launch or fail, {passed} pass "
          f"({100 * passed / max(1, passed + len(failed)):.2f}%)")
    by = collections.defaultdict(list)
    for r in failed:
        by[cause(r)].append(r)
    for name, list_ in sorted(by.items(), key=lambda kv: -len(kv[1])):
        print(f"\n{name}: {len(list_)}")
        for r in list_:
            print(f"  {r['test']}\n      {r['why'].splitlines()[0][:200] if r['why'] else ''}")


if __name__ == "__main__":
    main()
