// Package maskloads is the pass tileaa-mask-loads. It moves the condition under which loaded elements count into the
// mask of the load.
//
//	%x = load %p mask %m other 0                            %n = andi %m, %valid
//	%h = truncf %x                                          %x = load %p mask %n other 0
//	%y = select %valid, %h, 0                               %y = truncf %x
//
// Convolutions by gathers are written so: an index outside of the image is clamped to the image, and what was loaded
// there becomes zero. The select is then gone, and less is loaded. In a pipelined loop the condition is computed once:
// the load is prefetched for the next iteration, while the select was of this one, so that both computed where the
// elements are.
//
// # Shorter masks and indices
//
//	%j = minsi %i, 15                                       %m = cmpi ult, %i, (minui %n, 16)
//	%k = maxsi %j, 0                                        %x = load (addptr %p, %i) mask %m
//	%m = andi (cmpi ult, %k, %n), (cmpi ult, %i, 16)
//	%x = load (addptr %p, %k) mask %m
//
// Where a mask is true, what it compares holds. So an index needs no clamp that the mask implies, if only the mask and
// the addresses are computed of it. Without clamps an address is a sum of what rows and columns contribute, which
// tileaa-hoist-addresses takes apart. An index that is compared with a scalar and with a constant is compared with the
// smaller one. A gather of a convolution in three dimensions has 12 instructions on integers for an element then, and had
// 27 (sm_120).
//
// # What stays
//
//   - Loads of runs of elements. They are vectors and copies, and a mask of single elements would take them apart.
//   - Loads whose order others wait for, or that are ordered themselves.
//   - Conditions that are more than arithmetic on integers: a load must not wait for another load or an MMA.
//   - Clamps of an index that is used elsewhere, or by which something is divided.
package maskloads
