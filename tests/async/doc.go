// Package async runs kernels of nv_tileas that copy asynchronously: cp.async, bulk copies and TMA.
//
// The kernels are written at the level itself, so that a test can leave out a wait. A correct kernel must give the same
// result in every order; a missing wait, fence or barrier must be reported at the operation.
package async
