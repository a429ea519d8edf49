// Package link is the command tile link: it joins modules of cuda_tile into one, so that one report or command covers
// all kernels of a program. A front end makes a module for each kernel.
package link
