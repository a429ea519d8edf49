package constfold

import "github.com/tilewright/tilewright/ir/numeric"

func (s *Spec) evalInt(in []uint64) (uint64, bool) {
	w, a, b := s.In.Int, in[0], uint64(0)
	if len(in) > 1 {
		b = in[1]
	}
	switch s.Op {
	case Add:
		return w.Add(a, b), !s.broken(w.AddWraps(a, b))
	case Sub:
		return w.Sub(a, b), !s.broken(w.SubWraps(a, b))
	case Mul:
		return w.Mul(a, b), !s.broken(w.MulWraps(a, b))
	case MulHigh:
		return w.MulHigh(a, b, s.Signed), true
	case Div:
		return w.Div(a, b, s.Signed, s.Env.Rounding)
	case Rem:
		return w.Rem(a, b, s.Signed)
	case Neg:
		return w.Neg(a), !s.broken(w.SubWraps(0, a))
	case Abs:
		return w.Abs(a), true
	case Min:
		return w.Min(a, b, s.Signed), true
	case Max:
		return w.Max(a, b, s.Signed), true
	case And:
		return a & b, true
	case Or:
		return a | b, true
	case Xor:
		return a ^ b, true
	case Shl:
		return w.Shl(a, b), b < uint64(w) && !s.broken(w.ShlWraps(a, b))
	case Shr:
		return w.Shr(a, b, s.Signed), b < uint64(w)
	case Compare:
		return truth(w.Compare(s.Predicate, s.Signed, a, b)), true
	}
	return 0, false
}

var unary = map[Op]func(numeric.Format, uint64, numeric.Env) uint64{
	Exp: numeric.Format.Exp, Exp2: numeric.Format.Exp2, Log: numeric.Format.Log, Log2: numeric.Format.Log2, Rsqrt: numeric.Format.Rsqrt,
	Sinh: numeric.Format.Sinh, Cosh: numeric.Format.Cosh, Tanh: numeric.Format.Tanh,
}

var periodic = map[Op]func(numeric.Format, uint64, numeric.Env) uint64{
	Sin: numeric.Format.Sin, Cos: numeric.Format.Cos, Tan: numeric.Format.Tan,
}

func (s *Spec) evalFloat(in []uint64) (uint64, bool) {
	f, a, env := s.In.Float, in[0], s.Env
	if len(in) == 1 {
		return s.evalFloat1(f, a, env)
	}
	b := in[1]
	switch s.Op {
	case Add:
		return f.Add(a, b, env), true
	case Sub:
		return f.Sub(a, b, env), true
	case Mul:
		return f.Mul(a, b, env), true
	case Div:
		return f.Div(a, b, env), true
	case Rem:
		return f.Rem(a, b, env), true
	case Min:
		return f.Min(a, b, s.PropagateNaN, env), true
	case Max:
		return f.Max(a, b, s.PropagateNaN, env), true
	case Compare:
		return truth(f.Compare(s.Predicate, s.Unordered, a, b)), true
	case FMA:
		return f.FMA(a, b, in[2], env), true
	case Atan2:
		return f.Binary(numeric.Format.Atan2, a, b, env)
	case Pow:
		return f.Binary(numeric.Format.Pow, a, b, env)
	case PowInt:
		n := int32(s.Exponent.Int.Signed(b))
		return f.Unary(func(f numeric.Format, a uint64, env numeric.Env) uint64 { return f.PowInt(a, n, env) }, a, env)
	}
	return 0, false
}

func (s *Spec) evalFloat1(f numeric.Format, a uint64, env numeric.Env) (uint64, bool) {
	switch s.Op {
	case Neg:
		return f.Neg(a), true
	case Abs:
		return f.Abs(a), true
	case Sqrt:
		return f.Sqrt(a, env), true
	case Floor:
		return f.Floor(a, env), true
	case Ceil:
		return f.Ceil(a, env), true
	}
	if fn := unary[s.Op]; fn != nil {
		return f.Unary(fn, a, env)
	}
	if fn := periodic[s.Op]; fn != nil {
		return f.Periodic(fn, a, env)
	}
	return 0, false
}
