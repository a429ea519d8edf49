// Package partitioncluster is the pass tileaa-partition-cluster. It partitions a tile block among the CTAs of a
// cluster, if hints give a tile block several.
//
//	%a = tiled_load ... : tensor<128x64xf32>        %r = get_cta_rank                        two CTAs, along rows
//	%b = exp %a                                      %a = tiled_load at row 64 * %r ... : tensor<64x64xf32>
//	tiled_store %b                                   %b = exp %a ; tiled_store %b at row 64 * %r
//
// # Model
//
// The kernel stays one program, which every CTA of the cluster runs with its own rank (nv_tileaa.get_cta_rank),
// as in SPMD partitioning of programs for several devices (GSPMD, arXiv 2105.04663). A tensor is either
// replicated, so that every CTA computes all of it, or partitioned along one dimension: CTA i has subtile i. Each
// operation states in its row what it does to subtiles (capability strip.Rows). Scalars are replicated, so all
// CTAs take the same branches. A partitioned store stores each element once. CTA 0 alone stores what is
// replicated.
//
// Plans start from what must be executed: each store, and each atomic operation, is partitioned along one of its
// dimensions or replicated. What it needs, and in which form, follows backwards. An operation whose result is
// needed in several forms is executed in each. For an MMA, every CTA loads all of an operand, and only its
// subtile of the tile that is added to the result. Values that control flow merges have one form each. The plan
// that costs a CTA least is taken, if it is profitable at all.
//
// # Exchanges
//
// CTAs exchange what a plan needs (nv_tileaa.all_gather, which becomes reads of each other's shared memory):
//
//   - A reduction of the partitioned dimension. Each CTA reduces its subtile. All CTAs get the results of all,
//     and reduce these in the same order, so results have the same bits everywhere. A scan continues from the
//     total of the CTAs before it.
//   - Results of what happens once: each CTA gets those of the first one, or its subtile of each.
//   - A loop-carried value that is partitioned, while some use needs it replicated.
//
// An exchange synchronizes the cluster, so it has a price in the cost of a plan. If rows can be partitioned, row sums
// need none; a row is partitioned only if it is long. Which reductions CTAs do together is tried for all of them and
// for none, and then for each.
//
// # Order
//
// If one CTA accesses what another one has accessed before, by the program's tokens, the cluster synchronizes
// before the later access (nv_tileaa.cluster_sync). It also does before a release and after an acquire that takes
// or makes tokens. All CTAs execute the same path, so all reach the synchronization.
//
// Within a CTA, the order of two accesses may follow from values alone. Among CTAs it is enforced only if the
// later access takes a token. Otherwise the kernel keeps one CTA per tile block, and a remark says why. If the
// program fixes the shape of clusters (tt.cluster_dim), they are launched in such clusters all the same, and the
// first CTA does the work.
// # Why here
//
// The level of tiles is the last one without threads. Everything below, from the choice of matrix instructions to
// pipelines and shared memory, sees kernels with smaller tiles. The alternative is block bits in layouts, as
// Triton has. It would change every pass that assigns, converts, copies or describes layouts, for the same code.
//
// # Limits
//
// MMAs are not partitioned along K, which would need an exchange of accumulators. docs/lowering/clusters.md has
// more.
package partitioncluster
