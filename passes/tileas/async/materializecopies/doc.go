// Package materializecopies is the pass tileas-materialize-copies: it replaces loads and stores that have a plan
// (tileas-plan-copies) by asynchronous copies, buffers and waits.
//
//	%a, %t = tiled_load %p[...] {nv_tileas.transfer = "cp.async"}
//	%f = convert_layout %a
//	dot %f, ...
//
// becomes
//
//	%buf = alloc_shared
//	%t = copy_async %p[...] -> %buf ; %g = commit_group
//	wait_group %g pending 0
//	%f = local_load %buf
//	dot %f, ...
//
// Files by transfer: pass.go has cp.async, tma.go TMA loads and their tensor maps, gather.go TMA loads of rows by
// index, stores.go TMA stores and reductions.
//
// A copy is waited for right before its first use, and nothing overlaps yet: tileas-schedule-loops decides that. One
// wait serves all groups that were committed before it, so an MMA waits once for both operands. tileas-insert-barriers
// adds the barrier after the wait.
package materializecopies
