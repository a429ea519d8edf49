# Uses the compiler as the producer does, and reports what it got as JSON. The only argument is the folder of the kernels.
import base64
import glob
import json
import os
import sys

import cuda.tile._compile as c

c._find_pip_tileiras = lambda: None  # the wheel's tool would win over PATH
work = sys.argv[1]
remarks = os.path.join(work, "remarks.yaml")
options = c.CompilerOptions()
cubin = c.compile_cubin(os.path.join(work, "good.bytecode"), options, "sm_90", 60, remarks_output_file=remarks)
try:
    c.compile_cubin(os.path.join(work, "damaged.bytecode"), options, "sm_90", 60)
    error = ""
except c.TileCompilerExecutionError as e:
    error = str(e)
kernels = {}
for i, path in enumerate(sorted(glob.glob(os.path.join(work, "kernels", "*.bytecode")))):
    gpu = ["sm_80", "sm_90", "sm_100", "sm_120"][i % 4]
    made = c.compile_cubin(path, options, gpu, 60)
    kernels[os.path.basename(path)] = base64.b64encode(open(made, "rb").read()).decode()
json.dump(
    {
        "compiler": c._find_compiler_bin().path,
        "version": c._get_compiler_version_string(),
        "bytecode": c._get_max_supported_bytecode_version(work, allow_dev=True).name,
        "cubin": base64.b64encode(open(cubin, "rb").read()).decode(),
        "remarks": os.path.exists(remarks),
        "error": error,
        "kernels": kernels,
    },
    sys.stdout,
)
