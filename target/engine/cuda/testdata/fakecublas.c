// A cuBLAS that multiplies one element, for testing how the engine calls one. Memory of the fake driver is the host's.
#include <stdint.h>
int cublasCreate_v2(void **handle) { *handle = (void *)5; return 0; }
int cublasDestroy_v2(void *handle) { return handle == (void *)5 ? 0 : 1; }
int cublasGemmStridedBatchedEx(void *handle, int ta, int tb, int m, int n, int k, const float *alpha, const float *a, int ta_, int lda, long long sa, const float *b, int tb_, int ldb,
                               long long sb, const float *beta, float *c, int tc, int ldc, long long sc, int batch, int compute, int algo) {
  if (handle != (void *)5 || ta || tb || m != 24 || n != 8 || k != 16 || lda != m || ldb != k || ldc != m || *alpha != 1 || *beta) return 7;
  if (ta_ || tb_ || tc || sa != k * m || sb != n * k || sc != m * n || batch != 2 || compute != 77 || algo != -1) return 8;
  // The call must leave the stack aligned, as vector instructions need it.
  if ((uintptr_t)__builtin_frame_address(0) % 16) return 9;
  c[sc * batch - 1] = *a + 2 * *b;
  return 0;
}
