package tcgen05

// collectorBuffer is what a collector buffer holds.
//
// A buffer's contents are remembered as descriptor, shape and type, not as data. Reusing it saves the hardware a read.
// A program that claims a reuse of something else is wrong whatever the bytes are.
type collectorBuffer struct {
	full    bool
	tensor  bool
	matrix  uint64 // descriptor or address
	rows, k int
	t       *element
}

// collect checks the use of a collector buffer. The hardware may read a
// matrix again, so that a right use has no effect; a wrong one has.
func (o *execution) collect(i int) {
	buffers := &memoryOf(o.w.CTA).collectors
	b := &buffers[0]
	now := collectorBuffer{true, o.fromTMEM, o.addrA, o.M, o.K, o.ta}
	if o.ws {
		b = &buffers[o.collector[1]-'0'+1]
		now = collectorBuffer{true, false, o.descB, o.N, o.K, o.tb}
	}
	if (o.op == "use" || o.op == "lastuse") && *b != now {
		o.w.Faultf(i, "'.collector::%s::%s' of a matrix with which the buffer is not filled", o.collector, o.op)
		return
	}
	switch o.op {
	case "fill":
		*b = now
	case "lastuse", "discard":
		b.full = false
	}
}
