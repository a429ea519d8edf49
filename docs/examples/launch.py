"""Adds two vectors on a GPU with the kernel of add.mlir. Needs cuda-python, NumPy, and tilec on PATH."""
import json
import subprocess

import numpy as np
from cuda.bindings import driver as cuda


def check(result):
    status, *out = result
    if status != cuda.CUresult.CUDA_SUCCESS:
        raise RuntimeError(cuda.cuGetErrorString(status)[1].decode())
    return out[0] if out else None


check(cuda.cuInit(0))
device, of = check(cuda.cuDeviceGet(0)), cuda.CUdevice_attribute
major = check(cuda.cuDeviceGetAttribute(of.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device))
minor = check(cuda.cuDeviceGetAttribute(of.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device))
check(cuda.cuCtxSetCurrent(check(cuda.cuDevicePrimaryCtxRetain(device))))

gpu = f"sm_{major}{minor}"
subprocess.run(["tilec", f"--gpu-name={gpu}", "add.mlir", "-o", "add.ptx", "--launch-json=add.json"], check=True)
with open("add.json") as f:
    kernel = json.load(f)["kernels"][0]
with open("add.ptx", "rb") as f:
    module = check(cuda.cuModuleLoadData(f.read() + b"\0"))  # a cubin would do too
function = check(cuda.cuModuleGetFunction(module, kernel["name"].encode()))
block, shared = (kernel["block"] + [1, 1])[:3], kernel["dynamic_shared"]
if shared > 48 << 10:
    limit = cuda.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    check(cuda.cuFuncSetAttribute(function, limit, shared))

x, y, z = np.arange(1024, dtype=np.float32), np.ones(1024, np.float32), np.zeros(1024, np.float32)
memory = [check(cuda.cuMemAlloc(a.nbytes)) for a in (x, y, z)]
for at, array in zip(memory, (x, y, z)):
    check(cuda.cuMemcpyHtoD(at, array.ctypes.data, array.nbytes))
params = (tuple(memory), (None, None, None))  # the driver's own types need no other
check(cuda.cuLaunchKernel(function, len(x) // 128, 1, 1, *block, shared, 0, params, 0))  # 128 elements to a tile block
check(cuda.cuMemcpyDtoH(z.ctypes.data, memory[2], z.nbytes))
print("right" if (z == x + y).all() else "wrong")
