// Package contract reads what front ends say about a program besides its operations. Attributes of the outermost
// builtin.module are about the target and the launch of all its kernels. Attributes of an entry are about one kernel.
//
//	module attributes {nv_tileaa.compute_capability = 90 : i32, tt.num_warps = 8 : i32} {
//	  cuda_tile.module @m {
//	    entry @k() { ... } {nvvm.maxnreg = 128 : i32}
//	  }
//	}
//
// The first conversion collects those about the launch in one record for each kernel, [KernelSpec], which the levels
// below read and complete.
//
// They are discardable attributes under the names of three dialects: tt (package contract itself), nv_tileaa and nvvm,
// whose VerifyAttr is [Verify]. Other attributes of these dialects pass unchecked, as those of a front end's own
// dialect do. They stay on the kernel down to level nvvm ([Carried]). The text of every level keeps them. Tile IR
// bytecode has no place for any of them, so a tool that writes it must report what is lost ([Lost]).
//
// What each does, and which win over which:
//
//	nv_tileaa.compute_capability   the target, if the command line names none; contradicting it is an error
//	nv_tileaa.target_spec          likewise
//	tt.num_warps                   the warps of every kernel without a hint of its own for the target
//	nv_tileaa.occupancy            as the hint of that name, which wins
//	nvvm.maxnreg, nvvm.minctasm    the directives; they win over those from the occupancy (maxnreg, and minctasm = 1)
//	nvvm.maxclusterrank            the directive, on targets with clusters
//	nvvm.blocksareclusters         likewise
//	tt.num_ctas, tt.cluster_dim    checked, not used: a tile block is one CTA (convert-cuda-tile-to-tileaa warns)
//	tt.cluster_size                likewise
//	tt.num_stages                  advice that the kernel spec records and nothing follows
//	tt.is_persistent               (convert-cuda-tile-to-tileaa warns)
//	tt.dump_intermediate           about the producer's own files
//
// # Source
//
// A third party's description of the closed compiler's front end, "Frontend Contract and Tile IR Emission". Neither
// the public sources nor the released tools know these attributes. docs/conformance.md says where the description
// contradicts them.
package contract
