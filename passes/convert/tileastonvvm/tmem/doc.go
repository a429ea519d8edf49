// Package tmem lowers tensor memory and the MMAs whose accumulators are there (tcgen05, sm_100).
//
//	reserve_tmem, release_tmem    one warp allocates columns and frees them; the others read the address
//	tmem_load, tmem_store         tcgen05.ld and tcgen05.st, a run of columns at a time
//	tmem_dot                        tcgen05.mma for each step of K, then tcgen05.commit to an mbarrier
//	tmem_dot of two CTAs            the even CTA issues for both (cta_group::2)
//
// An address of tensor memory is an i32: the column in its low 16 bits, the lane above.
package tmem
