// Package sched decides what runs next: tile blocks of a launch, CTAs of a cluster, and warp roles of a CTA.
//
// Tile blocks run on goroutines, in the order of their numbers ([Schedule]). Their output appears in that order
// ([Printed]). CTAs of a cluster, and warp roles of a CTA, are coroutines, of which one runs at a time. A [Rota]
// chooses it by a seed, so that a run can be repeated. A [Clock] holds what one role has seen of the others.
package sched
