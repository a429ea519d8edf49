"""Adds two vectors on a GPU with the kernel of add.mlir. Needs NVIDIA's driver, NumPy, and tilec on PATH."""
import ctypes as c
import json
import subprocess

import numpy as np

cuda = c.CDLL("libcuda.so.1")  # nvcuda.dll on Windows


def call(name, *args):
    if status := getattr(cuda, name)(*args):
        text = c.c_char_p()
        cuda.cuGetErrorString(status, c.byref(text))
        raise RuntimeError(f"{name}: {text.value.decode()}")


device, major, minor = c.c_int(), c.c_int(), c.c_int()
context, module, function = c.c_void_p(), c.c_void_p(), c.c_void_p()
call("cuInit", 0)
call("cuDeviceGet", c.byref(device), 0)
call("cuDeviceGetAttribute", c.byref(major), 75, device)  # the compute capability
call("cuDeviceGetAttribute", c.byref(minor), 76, device)
call("cuDevicePrimaryCtxRetain", c.byref(context), device)
call("cuCtxSetCurrent", context)

gpu = f"sm_{major.value}{minor.value}"
subprocess.run(["tilec", f"--gpu-name={gpu}", "add.mlir", "-o", "add.ptx", "--launch-json=add.json"], check=True)
with open("add.json") as f:
    kernel = json.load(f)["kernels"][0]
with open("add.ptx", "rb") as f:
    call("cuModuleLoadData", c.byref(module), f.read() + b"\0")  # a cubin would do too
call("cuModuleGetFunction", c.byref(function), module, kernel["name"].encode())
shared = kernel["dynamic_shared"]
if shared > 48 << 10:
    call("cuFuncSetAttribute", function, 8, shared)  # MAX_DYNAMIC_SHARED_SIZE_BYTES

x, y, z = np.arange(1024, dtype=np.float32), np.ones(1024, np.float32), np.zeros(1024, np.float32)
memory = [c.c_uint64() for _ in (x, y, z)]
for at, array in zip(memory, (x, y, z)):
    call("cuMemAlloc_v2", c.byref(at), c.c_size_t(array.nbytes))
    call("cuMemcpyHtoD_v2", at, c.c_void_p(array.ctypes.data), c.c_size_t(array.nbytes))
params = (c.c_void_p * 3)(*(c.addressof(at) for at in memory))
block = (kernel["block"] + [1, 1])[:3]
call("cuLaunchKernel", function, len(x) // 128, 1, 1, *block, shared, None, params, None)  # 128 elements to a tile block
call("cuMemcpyDtoH_v2", c.c_void_p(z.ctypes.data), memory[2], c.c_size_t(z.nbytes))
print("right" if (z == x + y).all() else "wrong")
