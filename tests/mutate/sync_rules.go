package mutate

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A SyncRule is a mistake in the synchronization of a kernel, as a compiler or a person makes it.
type SyncRule struct {
	Name string
	What string
	// Edit makes the mistake at an instruction; nil where it has no place for it.
	Edit func(t *Text, at int) Edit
}

// SyncRules are the mistakes. Each is made at one place at a time.
var SyncRules = []SyncRule{
	{"barrier dropped", "bar.sync is gone", drop(`^bar(rier(\.cta)?)?\.sync`)},
	{"warp barrier dropped", "bar.warp.sync is gone", drop(`^bar\.warp\.sync`)},
	{"barrier of too few threads", "the count of a barrier is one warp less", number(`^bar(rier(\.cta)?)?\.(sync|arrive)`, 1, func(n int) int { return n - 32 })},
	{"barrier id differs between warps", "odd warps wait at another barrier", otherBarrier},
	{"wait one group short", "a wait for groups leaves one more pending", number(groupWaits, 0, func(n int) int { return n + 1 })},
	{"wait for groups dropped", "a wait for groups is gone", drop(groupWaits)},
	{"commit dropped", "a group is not committed", drop(`commit_group`)},
	{"tensor core commit dropped", "tcgen05.commit is gone", drop(`^tcgen05\.commit`)},
	{"parity flipped", "a wait takes the phase before", flipParity},
	{"mbarrier wait dropped", "nobody waits for the phase", dropWait},
	{"too few bytes expected", "half of the bytes are expected", expect(func(n int) int { return n / 2 })},
	{"too many bytes expected", "16 bytes more are expected", expect(func(n int) int { return n + 16 })},
	{"one arrival too many expected", "an mbarrier's count is one more", number(`^mbarrier\.init`, 1, func(n int) int { return n + 1 })},
	{"one arrival too few expected", "an mbarrier's count is one less", number(`^mbarrier\.init`, 1, func(n int) int { return n - 1 })},
	{"arrival dropped", "a consumer does not arrive", dropArrival},
	{"arrival before the last read", "a stage is released before it was read", earlyArrival},
	{"proxy fence dropped", "fence.proxy is gone", drop(`^fence\.proxy\.async`)},
	{"fence of the wrong proxy", "the fence is for global memory", rename(`^fence\.proxy\.async\.shared::(cta|cluster)$`, "fence.proxy.async.global")},
	{"wgmma fence dropped", "wgmma.fence is gone", drop(`^wgmma\.fence`)},
	{"tensor fence dropped", "tcgen05.fence is gone", drop(`^tcgen05\.fence`)},
	{"tensor memory wait dropped", "tcgen05.wait is gone", drop(`^tcgen05\.wait`)},
	{"cluster barrier dropped", "CTAs do not meet", dropClusterBarrier},
	{"cluster rank swapped", "another CTA is addressed", swapRank},
	{"multicast to fewer CTAs", "a CTA of the mask is left out", fewerCTAs},
	{"one stage too few", "a circular buffer wraps one stage early", wrapEarly},
	{"release weakened", "a release is relaxed", rename(`\.(release|acq_rel)\b`, "")},
	{"acquire weakened", "an acquire is relaxed", rename(`\.acquire\b`, "")},
	{"thread fence dropped", "membar or fence is gone", drop(`^(membar\.|fence\.(acq_rel|sc|acquire|release))`)},
	{"mbarrier initialization not fenced", "fence.mbarrier_init is gone", dropAll(`^fence\.mbarrier_init`)},
	{"store after the barrier", "the last store before a barrier comes after it", lateStore},
}

const groupWaits = `^(cp\.async\.(bulk\.)?wait_(group|all)|wgmma\.wait_group)`

func drop(pattern string) func(*Text, int) Edit {
	re := regexp.MustCompile(pattern)
	return func(t *Text, at int) Edit {
		if s := &t.Code[at]; re.MatchString(s.Op) {
			return Edit{}.replace(s, "")
		}
		return nil
	}
}

// dropAll drops all instructions of a kind, at the first of them.
func dropAll(pattern string) func(*Text, int) Edit {
	re := regexp.MustCompile(pattern)
	return func(t *Text, at int) Edit {
		e := Edit{}
		for i := range t.Code {
			if s := &t.Code[i]; re.MatchString(s.Op) {
				if len(e) == 0 && i != at {
					return nil
				}
				e.replace(s, "")
			}
		}
		if len(e) == 0 {
			return nil
		}
		return e
	}
}

// number changes an operand that is a number, unless it becomes less than one, or stays.
func number(pattern string, arg int, to func(int) int) func(*Text, int) Edit {
	re := regexp.MustCompile(pattern)
	return func(t *Text, at int) Edit {
		s := &t.Code[at]
		if !re.MatchString(s.Op) || len(s.Args) <= arg {
			return nil
		}
		n, err := strconv.Atoi(s.Args[arg])
		if err != nil || to(n) < 1 {
			return nil
		}
		return Edit{}.replace(s, s.with("", arg, strconv.Itoa(to(n))).String())
	}
}

func expect(to func(int) int) func(*Text, int) Edit {
	return func(t *Text, at int) Edit {
		s := &t.Code[at]
		if !strings.Contains(s.Op, "expect_tx") || strings.HasSuffix(s.Op, "init") {
			return nil
		}
		return number(`expect_tx`, len(s.Args)-1, to)(t, at)
	}
}

// rename changes what of an operation matches; a name of "" is .relaxed.
func rename(pattern, to string) func(*Text, int) Edit {
	re := regexp.MustCompile(pattern)
	if to == "" {
		to = ".relaxed"
	}
	return func(t *Text, at int) Edit {
		s := &t.Code[at]
		// A fence is dropped by another rule, and a plain load or a transaction has no relaxed form of the same name.
		if !re.MatchString(s.Op) || to == ".relaxed" && (strings.HasPrefix(s.Op, "fence") || strings.HasPrefix(s.Op, "tensormap") || strings.HasPrefix(s.Op, "barrier.cluster.wait")) {
			return nil
		}
		return Edit{}.replace(s, s.with(re.ReplaceAllString(s.Op, to), -1, "").String())
	}
}

// otherBarrier has odd warps use a barrier that is used nowhere else.
func otherBarrier(t *Text, at int) Edit {
	s := &t.Code[at]
	if s.Op != "bar.sync" && s.Op != "barrier.sync" && s.Op != "barrier.cta.sync" || len(s.Args) == 0 {
		return nil
	}
	id, err := strconv.Atoi(s.Args[0])
	if err != nil {
		return nil
	}
	scratch := "{ .reg .b32 %other; mov.u32 %other, %tid.x; bfe.u32 %other, %other, 5, 1; mad.lo.u32 %other, %other, " + strconv.Itoa(15-id) + ", " + strconv.Itoa(id) + "; "
	return Edit{}.replace(s, scratch+s.with("", 0, "%other").String()+" }")
}

func flipParity(t *Text, at int) Edit {
	s := &t.Code[at]
	if !strings.Contains(s.Op, "wait.parity") || len(s.Args) < 3 {
		return nil
	}
	if n, err := strconv.Atoi(s.Args[2]); err == nil {
		return Edit{}.replace(s, s.with("", 2, strconv.Itoa(n^1)).String())
	}
	return Edit{}.replace(s, "{ .reg .b32 %flipped; xor.b32 %flipped, "+s.Args[2]+", 1; "+s.with("", 2, "%flipped").String()+" }")
}

// dropWait drops a wait and the branch that repeats it.
func dropWait(t *Text, at int) Edit {
	s := &t.Code[at]
	if !strings.HasPrefix(s.Op, "mbarrier.try_wait") && !strings.HasPrefix(s.Op, "mbarrier.test_wait") {
		return nil
	}
	for i := at + 1; i < min(at+4, len(t.Code)); i++ {
		if b := &t.Code[i]; strings.HasPrefix(b.Op, "bra") && b.Guard == "@!"+s.Args[0] {
			return Edit{}.replace(s, "").replace(b, "")
		}
	}
	return nil
}

// arrives reports whether a statement frees a stage: an arrival that expects no bytes.
func arrives(s *Statement) bool {
	return strings.HasPrefix(s.Op, "mbarrier.arrive") && !strings.Contains(s.Op, "expect_tx")
}

func dropArrival(t *Text, at int) Edit {
	if s := &t.Code[at]; arrives(s) {
		return Edit{}.replace(s, "")
	}
	return nil
}

// reads are what a stage is read with, and the waits for that.
var reads = regexp.MustCompile(`^(ld\.shared|ldmatrix|wgmma\.wait_group|tcgen05\.wait::ld)`)

// earlyArrival moves an arrival, with the computation of its address, before the last read of its block, or before the
// wait for those that read.
func earlyArrival(t *Text, at int) Edit {
	s := &t.Code[at]
	if !arrives(s) {
		return nil
	}
	for i := at - 1; i >= 0 && t.Code[i].block == s.block; i-- {
		if !reads.MatchString(t.Code[i].Op) {
			continue
		}
		text, ok := t.before(i, at)
		if !ok {
			return nil
		}
		return Edit{}.replace(s, "").around(&t.Code[i], text, "")
	}
	return nil
}

// dropClusterBarrier drops both halves of a barrier of the cluster that stand together.
func dropClusterBarrier(t *Text, at int) Edit {
	s := &t.Code[at]
	if !strings.HasPrefix(s.Op, "barrier.cluster.arrive") {
		return nil
	}
	for i := at + 1; i < min(at+4, len(t.Code)); i++ {
		if w := &t.Code[i]; strings.HasPrefix(w.Op, "barrier.cluster.wait") {
			return Edit{}.replace(s, "").replace(w, "")
		}
	}
	return nil
}

func swapRank(t *Text, at int) Edit {
	s := &t.Code[at]
	if !strings.HasPrefix(s.Op, "mapa") {
		return nil
	}
	if n, err := strconv.Atoi(s.Args[2]); err == nil {
		return Edit{}.replace(s, s.with("", 2, strconv.Itoa(n^1)).String())
	}
	block := "{ .reg .b32 %swapped; xor.b32 %swapped, " + s.Args[2] + ", 1; "
	return Edit{}.replace(s, block+s.with("", 2, "%swapped").String()+" }")
}

func fewerCTAs(t *Text, at int) Edit {
	s := &t.Code[at]
	if !strings.Contains(s.Op, "multicast::cluster") {
		return nil
	}
	last := len(s.Args) - 1
	if strings.HasPrefix(s.Op, "cp") && strings.Contains(s.Op, "cache_hint") {
		last--
	}
	if n, err := strconv.Atoi(s.Args[last]); err == nil {
		if n&(n-1) == 0 {
			return nil
		}
		return Edit{}.replace(s, s.with("", last, strconv.Itoa(n&(n-1))).String())
	}
	return Edit{}.replace(s, "{ .reg .b16 %fewer; sub.u16 %fewer, "+s.Args[last]+", 1; and.b16 %fewer, %fewer, "+s.Args[last]+"; "+s.with("", last, "%fewer").String()+" }")
}

// wrapEarly has the index of a circular buffer go back to 0 one stage before its end: where a comparison with a number of stages
// chooses between 0 and the next index.
func wrapEarly(t *Text, at int) Edit {
	s := &t.Code[at]
	if !strings.HasPrefix(s.Op, "setp.eq") && !strings.HasPrefix(s.Op, "setp.ne") && !strings.HasPrefix(s.Op, "setp.lt") && !strings.HasPrefix(s.Op, "setp.gt") || len(s.Args) != 3 {
		return nil
	}
	stages, err := strconv.Atoi(s.Args[2])
	if err != nil || stages < 2 || stages > 8 {
		return nil
	}
	for i := at + 1; i < min(at+4, len(t.Code)); i++ {
		w := &t.Code[i]
		if strings.HasPrefix(w.Op, "selp") && w.Args[3] == s.Args[0] && (w.Args[1] == "0" || w.Args[2] == "0") && slices.Contains(w.Args[1:3], s.Args[1]) {
			return Edit{}.replace(s, s.with("", 2, strconv.Itoa(stages-1)).String())
		}
	}
	return nil
}

// lateStore moves the store to shared memory before a barrier to behind it.
func lateStore(t *Text, at int) Edit {
	s := &t.Code[at]
	if !regexp.MustCompile(`^bar(rier(\.cta)?)?\.sync`).MatchString(s.Op) {
		return nil
	}
	for i := at - 1; i >= 0 && t.Code[i].block == s.block && i > at-8; i-- {
		if w := &t.Code[i]; strings.HasPrefix(w.Op, "st.shared") && !strings.Contains(w.Op, "::cluster") {
			return Edit{}.replace(w, "").around(s, "", w.String())
		}
	}
	return nil
}

// Executed says whether the instruction on a line of PTX was executed.
type Executed func(line int) bool

// A Place is where a rule applies: its N-th place in the text.
type Place struct {
	Rule *SyncRule
	N    int
	Edit Edit
}

// Places finds where rules apply among the lines that a launch executes: a mistake elsewhere is none of that launch.
// The numbers count all places of the text, so that they stay when the launch changes.
func (t *Text) Places(rules []SyncRule, executed Executed) (out []Place) {
	for i := range rules {
		n := 0
		for at := range t.Code {
			e := rules[i].Edit(t, at)
			if e == nil {
				continue
			}
			if executed(t.Code[at].Line) {
				out = append(out, Place{&rules[i], n, e})
			}
			n++
		}
	}
	return out
}
