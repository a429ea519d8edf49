// A driver library without a device, for testing how the engine calls one. Device memory is host memory. Kernel "add" adds its second parameter to each element of its first, a buffer of as many i32 as the launch has
// threads; "maps" writes what its three tensor maps say into its first. "clustered" is "add" in clusters of 16 blocks, which must be allowed.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int live;    // allocations that are not freed
static int current; // whether a context is current
static unsigned dynamic;
static int large; // whether clusters may be larger than the portable ones

// A tensor map, in 128 bytes as those of the driver.
struct map { uint64_t address, sizes[5], strides[4]; uint32_t box[5]; int type, swizzle; unsigned rank; };

int cuTensorMapEncodeTiled(void *to, int type, unsigned rank, void *address, const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
                           const uint32_t *steps, int interleave, int swizzle, int promotion, int fill) {
  struct map m = {.address = (uint64_t)address, .type = type, .swizzle = swizzle, .rank = rank};
  if ((uintptr_t)to % 64 || rank < 1 || rank > 5 || m.address % 16 || interleave || promotion != 2 || fill || !current) return 1;
  for (unsigned i = 0; i < rank; i++) {
    if (steps[i] != 1 || box[i] < 1 || box[i] > 256 || sizes[i] < 1) return 1;
    m.sizes[i] = sizes[i];
    m.box[i] = box[i];
    if (i) m.strides[i - 1] = strides[i - 1];
  }
  memcpy(to, &m, sizeof m);
  return 0;
}

int cuInit(unsigned flags) { return flags ? 1 : 0; }
int cuGetErrorName(int code, const char **name) { *name = code == 218 ? "CUDA_ERROR_INVALID_PTX" : "CUDA_ERROR_INVALID_VALUE"; return 0; }
int cuGetErrorString(int code, const char **text) { *text = code == 218 ? "a PTX JIT compilation failed" : "invalid argument"; return 0; }
int cuDriverGetVersion(int *version) { *version = 12080; return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = 7; return ordinal ? 101 : 0; }
int cuDeviceGetName(char *name, int size, int device) { strncpy(name, "Fake GPU", size); return device == 7 ? 0 : 1; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75 ? 9 : attribute == 16 ? 3 : 0;
  return device == 7 ? 0 : 1;
}
int cuDevicePrimaryCtxRetain(void **ctx, int device) { *ctx = &current; return device == 7 ? 0 : 1; }
int cuDevicePrimaryCtxRelease_v2(int device) { return device == 7 && live == 0 ? 0 : 1; }
int cuCtxSetCurrent(void *ctx) { current = ctx == &current; return current ? 0 : 1; }
int cuCtxSynchronize(void) { return current ? 0 : 1; }
int cuModuleLoadDataEx(void **module, const char *image, unsigned n, const int *keys, void **values) {
  *module = (void *)1;
  if (strncmp(image, "bad", 3) != 0) return 0;
  if (n != 2 || keys[0] != 5 || keys[1] != 6) return 1;
  strncpy(values[0], "ptxas application ptx input, line 1: fatal", (size_t)values[1]);
  return 218;
}
int cuModuleUnload(void *module) { return module ? 0 : 1; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = strcmp(name, "maps") == 0 ? (void *)3 : strcmp(name, "clustered") == 0 ? (void *)4 : (void *)2;
  return module && (strcmp(name, "add") == 0 || *function > (void *)2) ? 0 : 1;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  *value = attribute == 0 ? 4 : attribute == 11 ? 16 : 0;
  return function && (attribute == 0 || function == (void *)4) ? 0 : 1;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  *(attribute == 14 ? &large : (int *)&dynamic) = value;
  return (attribute == 8 || attribute == 14) && function ? 0 : 1;
}
int cuMemAlloc_v2(uint64_t *address, size_t size) { *address = (uint64_t)malloc(size); live++; return 0; }
int cuMemFree_v2(uint64_t address) { free((void *)address); live--; return 0; }
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size) { memcpy((void *)to, from, size); return 0; }
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size) { memcpy(to, (void *)from, size); return 0; }
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **params, void **extra) {
  if (!current || !function || by != 1 || bz != 1 || shared != dynamic || stream || extra || (function == (void *)4 && !large)) return 1;
  int32_t *data = *(int32_t **)params[0];
  if (function == (void *)3) {
    const struct map *m = params[2], *none = params[3], *line = params[4];
    if ((uintptr_t)m % 64 || (uintptr_t)none % 64 || (uintptr_t)line % 64) return 1;
    data[0] = m->address == ((uint64_t)data & -16);
    data[2] = (int32_t)m->sizes[1];
    data[3] = (int32_t)m->strides[0];
    data[4] = m->type << 16 | m->rank << 8 | m->swizzle;
    data[5] = none->rank;
    data[6] = line->type << 16 | line->rank << 8 | line->swizzle;
    data[7] = (int32_t)line->address;
    return 0;
  }
  for (unsigned i = 0; i < gx * gy * gz * bx; i++) data[i] += *(int32_t *)params[1];
  return 0;
}
int cuEventCreate(void **event, unsigned flags) { *event = (void *)3; return flags; }
int cuEventDestroy_v2(void *event) { return event ? 0 : 1; }
int cuEventRecord(void *event, void *stream) { return event && !stream ? 0 : 1; }
int cuEventSynchronize(void *event) { return event ? 0 : 1; }
int cuEventElapsedTime(float *ms, void *start, void *end) {
  static float times[] = {3, 1, 2.5f, 2};
  static int n;
  *ms = times[n++ % 4];
  return start && end ? 0 : 1;
}
