// Package foldbatches is the pass tileaa-fold-batches. It makes one MMA of the MMAs of a batch that have the same right
// operand.
//
// # Example
//
// A linear layer multiplies the rows of four sequences by one matrix of weights. The front end repeats the weights:
//
//	%b = broadcast %w : tensor<1x64x64xf16> -> tensor<4x64x64xf16>
//	%d = dot %a, %b, %c : tensor<4x32x64xf16>, tensor<4x64x64xf16> -> tensor<4x32x64xf32>
//
// The rows of all sequences are the rows of one matrix:
//
//	%a2 = reshape %a : tensor<4x32x64xf16> -> tensor<128x64xf16>
//	%c2 = reshape %c : tensor<4x32x64xf32> -> tensor<128x64xf32>
//	%d2 = dot %a2, %w2, %c2 : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
//	%d = reshape %d2 : tensor<128x64xf32> -> tensor<4x32x64xf32>
//
// Each element is the same sum. A batch of four MMAs of 32 rows takes mma.sync, and each warp loads the weights for each of
// its sequences. 128 rows are enough for wgmma and tcgen05.mma.
//
// # Loops
//
// A loop that only carries the accumulator, carries the matrix. Then nothing is reshaped in its iterations.
package foldbatches
