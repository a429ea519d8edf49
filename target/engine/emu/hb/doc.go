// Package hb decides which memory accesses of a kernel are ordered: it keeps the happens-before relation of the PTX ISA
// ("Memory Consistency Model") over everything that accesses memory on its own, and reports accesses that nothing
// orders.
//
//	launch := hb.NewLaunch(report, program)     one for each launch
//	cluster := launch.Cluster(...)              one for each cluster in execution
//	warp := cluster.Warp(...)                   what the machine tells of its accesses and synchronisation
//
// It knows neither instructions nor the machine. The machine reports accesses and a few kinds of events, in any order
// in which it happens to execute them; docs/async-model.md states each rule with its section of the ISA.
//
// # Agents
//
// An agent is what accesses memory in an order of its own: a warp, the cp.async copies of a warp, its bulk copies, its
// wgmma, its operations of tcgen05, and each mbarrier, which stands for the copies that signal it. An agent has a
// clock, one number. What an agent knows of all others is a vector of such numbers, as in FastTrack (Flanagan and
// Freund, PLDI 2009). An access is kept as an epoch: the agent and its clock. The access is ordered before another one
// if the agent of the other knows that clock.
//
// The lanes of a warp share one clock and one view, as long as they are synchronised with each other; lanes.go has what
// some of them know without the others.
//
// # Views
//
// A warp knows the clocks in several ways: as ordered, as ordered if scopes and semantics did not count, and as visible
// to the asynchronous proxy. The difference between two of them is the edge that is missing, and names the error.
//
// # Shadow
//
// For 32 bytes of memory, or one column of a quarter of tensor memory, the shadow keeps a list of epochs with a mask of
// the bytes (or lanes) that each accessed. A new access takes out of the list what it is ordered after, so that
// lists stay short.
package hb
