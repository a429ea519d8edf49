// A cuBLAS that multiplies nothing, but looks at the first halves of its operands, which must be 1, for testing how the engine calls one.
#include <stdint.h>
int cublasCreate_v2(void **handle) { *handle = (void *)5; return 0; }
int cublasDestroy_v2(void *handle) { return handle == (void *)5 ? 0 : 1; }
int cublasHgemm(void *handle, int ta, int tb, int m, int n, int k, const uint16_t *alpha, const uint16_t *a, int lda, const uint16_t *b, int ldb, const uint16_t *beta,
                uint16_t *c, int ldc) {
  if (handle != (void *)5 || ta || tb || m != n || n != k || lda != n || ldb != n || ldc != n || *alpha != 0x3c00 || *beta || *a != 0x3c00 || *b != 0x3c00) return 7;
  c[n * n - 1] = 1;
  return 0;
}
