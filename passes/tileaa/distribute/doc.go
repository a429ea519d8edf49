// Package distribute is the pass tileaa-distribute: a tile block that hints give several CTAs is shared by them, each of which computes its part of the tiles.
//
// # Model
//
// The kernel stays one program, which every CTA of the cluster runs with a number of its own (nv_tileaa.get_cta_rank), as in SPMD partitioning of programs for several devices
// (GSPMD, arXiv 2105.04663). A tensor is either whole, and computed by every CTA alike, or cut along one dimension: CTA i has part i. What an operation does to parts it says itself (capability strip.Rows).
// Scalars are whole, so control flow is that of all CTAs. A store of parts stores each element once; what is stored whole is stored by CTA 0 alone.
//
// Plans start from what must be executed: each store, and each atomic operation, is cut along one of its dimensions or stays whole, and what it needs, in which form, follows backwards. An operation whose
// result is wanted in several forms is made in each: a factor of a matrix product is loaded whole, while the tile that is added to the result is loaded in parts. Values that control flow merges have one
// form each. Of the plans the one that costs a CTA least is taken, if it is worth it at all.
//
// # Exchanges
//
// CTAs tell each other what a plan needs (nv_tileaa.all_gather, which comes to be reads of each other's shared memory):
//
//   - A reduction of the dimension that is dealt out: each CTA reduces its part, all get the results of all, and reduce these alike, in the order of the CTAs, so that sums have the same bits everywhere. A scan goes on from what the
//     CTAs in front have together.
//   - Results of what happens once: each CTA gets those of the first one, or of each its part.
//   - What a loop carries in parts, where all of it is wanted.
//
// An exchange makes all CTAs wait for each other, so it has a price in the cost of a plan: where rows can be dealt out, sums of rows need none, and a row is dealt out only if it is long. Which reductions CTAs do together is tried out for all
// of them and for none, and then for each.
//
// # Order
//
// Where one CTA accesses what another one has accessed before, by the program's tokens, all wait for each other in front of the later access (nv_tileaa.cluster_sync); so they do in front of what releases and behind what acquires, where these
// take or make tokens. All CTAs go the same way through the program, so that all come there. An order by values alone, which a CTA keeps within itself, is one among CTAs only if the later access takes a token: else such kernels keep one
// CTA for a tile block, and a remark says why. Where the program fixes the shape of clusters (tt.cluster_dim) they are launched in such clusters all the same, and the first CTA does the work.
//
// # Why here
//
// The level of whole tiles is the last at which parts have no threads yet: everything below, from the choice of matrix instructions to pipelines and shared memory, sees kernels with smaller tiles. Block bits
// in layouts, the alternative, would reach into every pass that assigns, converts, copies or describes layouts, for the same code.
package distribute
