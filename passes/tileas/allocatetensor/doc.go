// Package allocatetensor is the pass tileas-allocate-tensor: buffers in tensor memory get their columns, shared by those whose lives do not meet, and the kernel takes as many as it needs at its beginning, from the blocks
// that share the SM, and gives them back wherever it ends.
package allocatetensor
