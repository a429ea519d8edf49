// Package uniform finds which values are equal in all CTAs of a cluster that run one tile block.
//
//	%r = cta_rank ; %x = muli %r, 64      differs
//	%t = load %p[%k, 0]                   equal, if %k is: one CTA can load it for all
//
// Multicast and two-CTA MMAs depend on it: one CTA loads for all, or two CTAs multiply together. It says nothing about
// threads of one CTA.
package uniform
