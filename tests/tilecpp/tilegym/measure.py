"""Compiles the modules that cases.py made, by tilec with ptxas and by tileiras, and tells seconds, instructions and spills.

    python measure.py OUT --bin FOLDER-OF-TILEC --judges FOLDER-OF-PTXAS [--only WORD] [--gpu sm_80,sm_90] [--who ours,theirs] [--table]

Seconds are those of the processor (user and system, children included), which others on the machine lengthen less than those of the clock. Results are kept in
OUT/measured.json; what is there is not measured again.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import tempfile


def run(command):
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdout=said, stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return child.returncode, usage.ru_utime + usage.ru_stime, said.read().decode(errors="replace")


def sass(o, cubin):
    """Instructions, and those that move registers to local memory and back."""
    text = subprocess.run([os.path.join(o.judges, "cuobjdump"), "-sass", cubin], capture_output=True, text=True).stdout
    ops = [m for m in re.findall(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", text) if m != "NOP"]
    return len(ops), sum(1 for x in ops if x.startswith(("STL", "LDL")))


def measure(o, name, gpu, who):
    module, cubin = os.path.join(o.out, name, "k.tilebc"), os.path.join(o.out, name, f"{gpu}.{who}.cubin")
    if who == "ours":
        ptx = cubin[:-6] + ".ptx"
        code, seconds, said = run([os.path.join(o.bin, "tilec"), f"--gpu-name={gpu}", module, "-o", ptx])
        result = {"seconds": round(seconds, 2)}
        if code == 0:
            code, seconds, said = run([os.path.join(o.judges, "ptxas"), "-v", f"-arch={target(ptx)}", ptx, "-o", cubin])
            result["ptxas"] = round(seconds, 2)
    else:
        code, seconds, said = run([os.path.join(o.judges, "tileiras"), "--gpu-name", gpu, module, "-o", cubin])
        result = {"seconds": round(seconds, 2)}
    result["error"] = (said.strip()[:600] or f"status {code}") if code else ""
    if code == 0:
        result["instructions"], result["local"] = sass(o, cubin)
    return result


def target(ptx):
    with open(ptx) as f:
        return re.search(r"^\.target\s+(\w+)", f.read(), re.M).group(1)


def table(done):
    for key, r in sorted(done.items()):
        name, gpu, who = key.split()
        print(f"{name:48} {gpu:7} {who:7} {r['seconds']:7.2f} {r.get('ptxas', 0):7.2f} {r.get('instructions', 0):7} {r.get('local', 0):6} {r['error'][:150]!r}")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("out")
    p.add_argument("--bin", default=".")
    p.add_argument("--judges", default=".")
    p.add_argument("--only", default="full_")
    p.add_argument("--gpu", default="sm_80,sm_90,sm_100,sm_120")
    p.add_argument("--who", default="ours,theirs")
    p.add_argument("--again", action="store_true")
    p.add_argument("-j", type=int, default=2)
    p.add_argument("--table", action="store_true")
    o = p.parse_args()
    kept = os.path.join(o.out, "measured.json")
    done = json.load(open(kept)) if os.path.exists(kept) else {}
    if o.table:
        return table({k: v for k, v in done.items() if o.only in k})
    names = sorted(n for n in os.listdir(o.out) if o.only in n and os.path.exists(os.path.join(o.out, n, "k.tilebc")))
    work = [(n, g, w) for g in o.gpu.split(",") for n in names for w in o.who.split(",") if o.again or f"{n} {g} {w}" not in done]
    with concurrent.futures.ThreadPoolExecutor(o.j) as pool:
        for item, result in zip(work, pool.map(lambda x: measure(o, *x), work)):
            done[" ".join(item)] = result
            with open(kept + ".new", "w") as f:
                json.dump(done, f, indent=0)
            os.replace(kept + ".new", kept)


if __name__ == "__main__":
    main()
