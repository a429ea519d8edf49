// Package fusefma is the pass fuse-fma. It fuses a multiplication and an addition or subtraction of Tile IR into
// one multiply-add.
//
//	a * b + c   becomes   fma(a, b, c)        also c + a * b
//	a * b - c   becomes   fma(a, b, -c)
//
// A fused operation rounds once where the two rounded twice, so results change in their last bits, in most cases
// towards the exact ones. That is why the pass runs only if it is asked for. It applies if the product has no other
// use, and both operations round in the same direction and treat subnormal numbers alike.
//
// # Source
//
// The conditions are those of the pass of that name in NVIDIA's cuda-tile repository
// (lib/Dialect/CudaTile/Transforms/FuseFMA.cpp); Tile IR specification 13.3, fma.
package fusefma
