// Package sass reads the text that nvdisasm writes of machine code: which instructions there are, for which line of the
// PTX, and how long each holds up its warp.
//
//	//## File ".nv_debug_ptx_txt", line 29
//	/*0030*/   ISETP.LE.AND P0, PT, R0, UR8, PT ;   /* 0x0000000800007c0c */
//	                                                /* 0x001fda000bf03270 */
//
// Lines are those of PTX that ptxas assembled with line information. The upper word of an encoding has the cycles until
// the warp may issue again, in 4 bits from bit 105 of the instruction on (Jia et al., "Dissecting the NVIDIA Volta GPU
// Architecture via Microbenchmarking", arXiv 1804.06826, section 2.1).
package sass
