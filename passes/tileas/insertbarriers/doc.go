// Package insertbarriers is the pass tileas-insert-barriers: it inserts a barrier before each access that must see, or must not disturb, what other threads of
// the tile block did since the last barrier. Which those are, package hazards finds.
//
// An access that meets an asynchronous one under way is an error: no barrier can help, and where to wait is the decision of who started it.
package insertbarriers
