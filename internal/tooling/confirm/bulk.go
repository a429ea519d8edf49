package confirm

import (
	"context"
	"fmt"

	"github.com/tilewright/tilewright/target/sm"
)

// A bulkCopy is a copy of consecutive bytes without a tensor map. %[1]s and %[2]s are where from and to, %[3]d the bytes.
type bulkCopy struct {
	op    string
	into  bool // shared memory, and an mbarrier counts the bytes; else global memory
	text  string
	bytes int
}

func bulkProbes() (out []*Probe) {
	var list []bulkCopy
	const wait, group = ".mbarrier::complete_tx::bytes [%[2]s], [%[1]s], %[3]d, [%%bar];", " [%[2]s], [%[1]s], %[3]d;"
	for _, bytes := range []int{16, 208, 2048} {
		list = append(list, bulkCopy{"load", true, "cp.async.bulk.shared::cluster.global" + wait, bytes},
			bulkCopy{"copy in shared memory", true, "cp.async.bulk.shared::cluster.shared::cta" + wait, bytes},
			bulkCopy{"store", false, "cp.async.bulk.global.shared::cta.bulk_group" + group, bytes})
		for _, op := range []string{"add.u32", "add.s32", "add.u64", "min.s32", "max.u32", "and.b32", "or.b64", "xor.b32", "inc.u32", "dec.u32"} {
			list = append(list, bulkCopy{op, false, "cp.reduce.async.bulk.global.shared::cta.bulk_group." + op + group, bytes})
		}
	}
	for _, c := range list {
		out = append(out, &Probe{ID: name(Descriptors, fmt.Sprintf("bulk %s of %d bytes", c.op, c.bytes)), Kind: Descriptors, Look: "target/engine/emu/tma",
			Means: "A bulk copy leaves other bytes than the emulator believes, so kernels with bulk copies are wrong.",
			on:    func(a *sm.Arch) bool { return a.Has(sm.CpAsyncBulk) },
			make:  func(_ context.Context, t Target) (*Launch, error) { return c.launch(t) }})
	}
	return out
}

func (c bulkCopy) launch(t Target) (*Launch, error) {
	header, err := t.header()
	if err != nil {
		return nil, err
	}
	// Places that are aligned to 16 bytes and no more: the least that a copy may be.
	const from, to, bytes = 48, 1040, 4096
	k := new(kernelText)
	k.shared(header, ", .param .u64 data")
	k.line("ld.param.u64 %%d3, [data];")
	near, far := "%r20", "%d3"
	switch {
	case c.into && c.op == "load":
		k.line("add.u64 %%d3, %%d3, %d; add.u32 %%r20, %%smem, %d;", from, to)
	case c.into:
		far = "%r21"
		k.line("add.u32 %%r21, %%smem, %d; add.u32 %%r20, %%smem, %d;", from+bytes, to)
	default:
		near, far = far, near
		k.line("add.u32 %%r20, %%smem, %d; add.u64 %%d3, %%d3, %d;", from, to)
	}
	if c.into {
		k.line("@%%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%bar], %d;", c.bytes)
	}
	k.line("@%%p7 "+c.text, far, near, c.bytes)
	if c.into {
		k.await()
	} else {
		k.line("@%%p7 cp.async.bulk.commit_group; @%%p7 cp.async.bulk.wait_group 0;")
	}
	k.showShared()
	l := k.launch(threads, buffer(numbered(sharedBytes)), buffer(numbered(bytes)))
	if !c.into {
		l.Answers = append(l.Answers, 2)
		l.Fields = append(l.Fields, words("word of global memory", bytes))
	}
	return l, nil
}

// showShared ends a kernel: the answer is the beginning of shared memory, as it is now.
func (k *kernelText) showShared() {
	k.line("bar.sync 0; mul.lo.u32 %%v, %%me, 16; add.u32 %%v, %%v, %%smem; mul.wide.u32 %%x, %%me, 16; add.u64 %%x, %%x, %%res;")
	const shown = 4096
	for i := 0; i < shown; i += 16 * threads {
		k.line("ld.shared.v4.b32 {%%r0, %%r1, %%r2, %%r3}, [%%v+%d]; st.global.v4.b32 [%%x+%d], {%%r0, %%r1, %%r2, %%r3};", i, i)
	}
	k.size = shown
	k.fields = []Field{words("word of shared memory", shown)}
	k.b.WriteString("\tret;\n}\n")
}
