// Package triton runs PTX that another compiler made in the emulator, target/engine/emu, which judges this project's
// own PTX: an emulator that has only ever seen one compiler may share its mistakes. The package has no code outside
// its tests.
//
// The kernels are Triton source in this folder, by topic: elementwise.py, reductions.py, atomics.py, matrix.py and
// scaled.py; hopper.py and blackwell.py are in Gluon, where the source says which instruction is meant. Each case
// states a launch, what numpy says it must compute, and within which tolerance; cases.py has the vocabulary. build.py
// compiles them ahead of time for sm_80, sm_90, sm_100, sm_103 and sm_120, without a GPU, and writes PTX, launch and
// buffers to a folder of the user's cache that is named by the hash of its sources, so that no PTX stands in the tree
// and a second run compiles nothing. Every case runs in order and with an adversary.
//
// Package kernels below this one loads and launches the cases, for other tests too.
//
// Kernels of peers.py are compiled by this project as well, from peers/*.mlir: TestPeers runs both on equal arguments
// and holds what we do beside what Triton does (docs/measurements/peers.md).
//
// Triton makes no sparse product, none with .ws, none of 6-bit elements, no wmma, no im2col::w and no multimem: there
// the emulator has no other judge than its own tests.
//
// Triton is one of the judges: .ci/judges.sh installs it; see internal/testing/judges for what happens without it.
package triton
