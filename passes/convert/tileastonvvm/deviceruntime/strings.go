package deviceruntime

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// The functions of the device runtime that asserts and prints call (CUDA programming guide, formatted output and
// assertion).
const (
	printFunction  = "vprintf"
	assertFunction = "__assertfail"
)

type stringKey struct{ text string }

// text returns the generic address of a string that ends in a zero.
//
// Equal strings are one variable of the module.
func text(l *core.Lowering, s string) ir.Value {
	return l.Once(stringKey{s}, func(b *ir.Builder) ir.Value {
		data := append([]byte(s), 0)
		name := l.Variable("string", l.Ctx.Dense(l.Ctx.Tensor([]int64{int64(len(data))}, l.Ctx.Int(8), nil), data))
		return b.Create(nvvm.ToGeneric, []ir.Value{l.AddressOf(name)}, []ir.Type{nvvm.Ptr(l.Ctx, nvvm.Generic)}).Result(0)
	})
}
