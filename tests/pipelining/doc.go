// Package pipelining tests loops that are scheduled and expanded into prologue, steady state and epilogue.
//
// A pipelined loop must give the result of the program for every number of iterations, prefetch distance and scheduler.
package pipelining
