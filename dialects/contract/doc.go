// Package contract is what front ends may say about a program besides its operations: attributes of the outermost builtin.module, about the target and
// the launch of all its kernels, and attributes of an entry, about one kernel.
//
//	module attributes {nv_tileaa.compute_capability = 90 : i32, tt.num_warps = 8 : i32} {
//	  cuda_tile.module @m {
//	    entry @k() { ... } {nvvm.maxnreg = 128 : i32}
//	  }
//	}
//
// Of those about the launch the first conversion makes one record for each kernel, [KernelSpec], which the levels below read and complete.
//
// They are discardable attributes under the names of three dialects: tt (package contract itself), nv_tileaa and nvvm, whose VerifyAttr is [Verify]. Attributes
// of these dialects that are not listed here are nobody's business and pass, as those of a front end's own dialect do: they stand on the kernel down to level nvvm ([Carried]). The text of every level keeps them; Tile IR bytecode has no place for
// any of them, so that whoever writes it must say what is lost ([Lost]).
//
// What each does, and which win over which:
//
//	nv_tileaa.compute_capability, nv_tileaa.target_spec   the target, when the command line names none; contradicting it is an error
//	tt.num_warps                                          the warps of every kernel without a hint of its own for the target
//	nv_tileaa.occupancy                                   as the hint of that name, which wins
//	nvvm.maxnreg, nvvm.minctasm                           the directives, which win over those that the occupancy becomes (maxnreg, and minctasm = 1)
//	nvvm.maxclusterrank, nvvm.blocksareclusters           the directives, on targets with clusters
//	tt.num_ctas, tt.cluster_dim, tt.cluster_size          checked, not used: a tile block is one CTA (convert-cuda-tile-to-tileaa warns)
//	tt.num_stages, tt.is_persistent                       advice that the kernel spec records and nothing follows (convert-cuda-tile-to-tileaa warns)
//	tt.dump_intermediate                                  about the producer's own files
//
// # Source
//
// A third party's description of the closed compiler's front end, "Frontend Contract and Tile IR Emission". Neither the public sources nor the released tools
// know these attributes; docs/conformance.md says where the description contradicts them.
package contract
