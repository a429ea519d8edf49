// Kernels of CUDA Tile C++, each with a way of saying things that its compiler has and cuTile's has not or says otherwise.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template<typename T, int... N> using tile = ct::tile<T, ct::shape<N...>>;

// Views of an extent that is known at run time only, and a last tile that passes it.
extern "C" __tile_global__ void add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  auto view = [n](auto p) { return ct::partition_view{ct::tensor_span{ct::assume_aligned(p, 16_ic), ct::extents{n}}, ct::shape{64_ic}}; };
  int i = ct::bid().x;
  view(c).store_masked(view(a).load_masked(i) + view(b).load_masked(i), i);
}

// A product whose loop is bounded by an extent; the second operand lies transposed.
extern "C" __tile_global__ void product(const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
  auto pa = ct::partition_view{ct::tensor_span{ct::assume_aligned(a, 16_ic), ct::extents{m, k}}, ct::shape{32_ic, 32_ic}};
  auto pb = ct::partition_view{ct::tensor_span{ct::assume_aligned(b, 16_ic), ct::extents{n, k}}, ct::shape{32_ic, 32_ic}};
  auto pc = ct::partition_view{ct::tensor_span{ct::assume_aligned(c, 16_ic), ct::extents{m, n}}, ct::shape{32_ic, 32_ic}};
  auto acc = ct::zeros<tile<float, 32, 32>>();
  for (auto i : ct::irange(0, (k + 31) / 32)) {
    auto x = pa.load_masked<ct::view_padding::zero>(ct::bid().x, i);
    auto y = pb.load_masked<ct::view_padding::zero>(ct::bid().y, i);
    acc = ct::mma(x, ct::transpose(y), acc);
  }
  pc.store_masked(acc, ct::bid().x, ct::bid().y);
}

// Products one after the other: the copies of a loop's first iterations start in the MMA before, and what orders them goes around both loops.
extern "C" __tile_global__ void persistent(const __half* __restrict__ a, const __half* __restrict__ b, __half* __restrict__ c) {
  auto pa = ct::partition_view{ct::tensor_span{ct::assume_aligned(a, 16_ic), ct::extents<uint32_t, 64, 96>{}}, ct::shape{32_ic, 32_ic}};
  auto pb = ct::partition_view{ct::tensor_span{ct::assume_aligned(b, 16_ic), ct::extents<uint32_t, 96, 64>{}}, ct::shape{32_ic, 32_ic}};
  auto pc = ct::partition_view{ct::tensor_span{ct::assume_aligned(c, 16_ic), ct::extents<uint32_t, 64, 64>{}}, ct::shape{32_ic, 32_ic}};
  for (auto i : ct::irange(int(ct::bid().x), 4, int(ct::num_blocks().x))) {
    auto acc = ct::zeros<tile<float, 32, 32>>();
    for (auto k : ct::irange(0, 3)) {
      acc = ct::mma(pa.load_masked<ct::view_padding::zero>(i / 2, k), pb.load_masked<ct::view_padding::zero>(k, i % 2), acc);
    }
    pc.store(ct::element_cast<__half>(acc), i / 2, i % 2);
  }
}

// Rows by pointers and masks, with what masked elements are.
extern "C" __tile_global__ void softmax(const __nv_bfloat16* __restrict__ x, float* __restrict__ y, int n) {
  auto at = ct::iota<tile<int, 128>>();
  auto mask = at < n;
  int row = ct::bid().x;
  auto v = ct::element_cast<float>(ct::load_masked(x + row * n + at, mask, __nv_bfloat16(-INFINITY)));
  auto e = ct::exp(v - ct::reduce_max(v, 0_ic));
  ct::store_masked(y + row * n + at, e / ct::sum(e, 0_ic), mask);
}

// Addresses from memory, a mask, and a scatter.
extern "C" __tile_global__ void gather(const int* __restrict__ at, const int* __restrict__ from, int* __restrict__ to, int n) {
  auto i = ct::iota<tile<int, 32>>() + int(ct::bid().x) * 32;
  auto inside = i < n;
  auto index = ct::load_masked(at + i, inside, -1);
  auto v = ct::load_masked(from + index, index >= 0, 7);
  ct::store_masked(to + (n - 1 - i), v, inside);
}

// Atomic operations on pointers, one of which waits for its turn.
extern "C" __tile_global__ void histogram(const int* __restrict__ x, int* __restrict__ bins, int* __restrict__ most, int* __restrict__ lock, int n) {
  auto i = ct::iota<tile<int, 32>>() + int(ct::bid().x) * 32;
  auto v = ct::load_masked(x + i, i < n, 0);
  ct::atomic_add_masked(bins + v, ct::ones<tile<int, 32>>(), i < n, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  ct::atomic_max_masked(most + v * 0, v, i < n, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  while (true) {
    auto before = ct::atomic_compare_exchange(lock, 0, 1, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{});
    if (static_cast<int>(before) == 0) break;
  }
  auto count = ct::load(lock + 1);
  ct::store(lock + 1, count + 1);
  ct::atomic_xchg(lock, 0, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
}

// Reductions over each dimension, and where the largest element is.
extern "C" __tile_global__ void reduce(const int* __restrict__ x, int* __restrict__ rows, int* __restrict__ cols, int* __restrict__ where) {
  auto at = ct::iota<tile<int, 16 * 8>>();
  auto v = ct::reshape<ct::shape<16, 8>>(ct::load(x + at));
  auto r = ct::iota<tile<int, 16>>();
  auto c = ct::iota<tile<int, 8>>();
  ct::store(rows + r, ct::reshape<ct::shape<16>>(ct::sum<1>(v)));
  ct::store(cols + c, ct::reshape<ct::shape<8>>(ct::reduce_max<0>(v)));
  ct::store(where + r, ct::element_cast<int>(ct::reshape<ct::shape<16>>(ct::max_element<1>(v))));
}

// Scans from either end.
extern "C" __tile_global__ void scan(const int* __restrict__ x, int* __restrict__ up, int* __restrict__ down) {
  auto at = ct::iota<tile<int, 64>>();
  auto v = ct::load(x + at);
  ct::store(up + at, ct::partial_sum(v, 0_ic));
  ct::store(down + at, ct::partial_sum(v, 0_ic, ct::scan_backward_t{}));
}

// Loops without bounds, with exits in the middle, and a switch.
extern "C" __tile_global__ void steps(const int* __restrict__ x, int* __restrict__ y, int limit) {
  int n = x[ct::bid().x], count = 0;
  while (n != 1) {
    if (count >= limit) {
      count = -1;
      break;
    }
    count++;
    if (n % 2 == 0) {
      n /= 2;
      continue;
    }
    n = 3 * n + 1;
  }
  switch (count % 4) {
  case 0: n = 10; break;
  case 1: n = 20; break;
  default: n = 30;
  }
  y[2 * ct::bid().x] = count;
  y[2 * ct::bid().x + 1] = n;
}

// Layouts other than row by row: column-major spans, permuted tiles, parts of tiles, and their joining.
extern "C" __tile_global__ void layouts(const int* __restrict__ x, int* __restrict__ left, int* __restrict__ permuted, int* __restrict__ parts) {
  auto in = ct::partition_view{ct::tensor_span{x, ct::extents<uint32_t, 8, 4, 2>{}}, ct::shape<8, 4, 2>{}};
  auto v = in.load(0, 0, 0);
  auto out = ct::partition_view{ct::tensor_span{left, ct::layout_left_mapping{ct::extents<uint32_t, 8, 4, 2>{}}}, ct::shape<4, 4, 2>{}};
  out.store(ct::extract(v, ct::shape<4, 4, 2>{}, 1, 0, 0), 0, 0, 0);
  out.store(ct::extract(v, ct::shape<4, 4, 2>{}, 0, 0, 0), 1, 0, 0);
  auto turned = ct::partition_view{ct::tensor_span{permuted, ct::extents<uint32_t, 2, 8, 4>{}}, ct::shape<2, 8, 4>{}};
  turned.store(ct::permute(v, ct::dimension_map<2, 0, 1>{}), 0, 0, 0);
  auto flat = ct::reshape<ct::shape<64>>(v);
  ct::store(parts + ct::iota<tile<int, 64>>(), ct::cat<0>(ct::extract(flat, ct::shape<32>{}, 1), ct::extract(flat, ct::shape<32>{}, 0)));
}

// Views whose tiles overlap or leave gaps, and views that take rows by number.
extern "C" __tile_global__ void views(const int* __restrict__ x, const int* __restrict__ rows, int* __restrict__ strided, int* __restrict__ gathered, int n) {
  auto span = ct::tensor_span{x, ct::extents{n, 16}};
  auto apart = ct::strided_view{span, ct::shape{4_ic, 8_ic}, ct::strides{3_ic, 8_ic}};
  auto out = ct::partition_view{ct::tensor_span{strided, ct::extents{8, 8}}, ct::shape{4_ic, 8_ic}};
  out.store(apart.load_masked(1, 1), 0, 0);
  out.store(apart.load_masked(2, 0), 1, 0);
  auto chosen = ct::gather_scatter_view{span, ct::shape{8_ic, 16_ic}, 0_ic};
  auto v = chosen.load(ct::load(rows + ct::iota<tile<int, 8>>()), 0);
  ct::partition_view{ct::tensor_span{gathered, ct::extents<uint32_t, 8, 16>{}}, ct::shape{8_ic, 16_ic}}.store(v, 0, 0);
}

// What a kernel can say, and check.
extern "C" __tile_global__ void checked(const int* __restrict__ x, int* __restrict__ y, int n) {
  assert(n > 3);
  printf("n is %d\n", n);
  y[0] = x[0] + n;
}
