// Package compile is the compiler as a library: it takes a kernel, read by package tileir, to the level that is asked
// for with the default pipeline, up to PTX.
//
// It links all passes. The tools tilec and tile-run are made of it, and a program may embed it:
//
//	ctx := tileir.NewContext()
//	module, err := tileir.Read(ctx, "k.tileirbc", data)
//	...
//	result, err := compile.To(context.Background(), module, compile.Options{GPU: "sm_90", OptLevel: 3})
//	os.Stdout.Write(result.PTX)
//
// What is wrong with the input goes to the diagnostics of the context; the errors say so in short.
package compile
