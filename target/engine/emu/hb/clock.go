package hb

// agent is a number of an agent in its cluster. Zero is no agent.
type agent uint16

// clock is what somebody knows of the clocks of all agents.
type clock struct {
	own []uint32 // of its cluster, by agent
	// other are those of other clusters, as far as accesses of global memory have told of them. The slices do not
	// change.
	other map[uint32][]uint32
	lanes []laneClocks // of agents of which some lanes are known beyond own
}

// at is the clock of an agent of the same cluster.
func (c *clock) at(a agent) uint32 {
	if int(a) < len(c.own) {
		return c.own[a]
	}
	return 0
}

// knows reports whether the epoch is within the clock, of which home is the cluster. The mask has the bytes that matter.
func (c *clock) knows(home uint32, n *node, mask uint32) bool {
	a := n.agent
	if n.cluster == home {
		return int(a) < len(c.own) && c.own[a] >= n.clock || len(c.lanes) > 0 && n.flags&isLanes != 0 && c.lanesKnow(n, mask)
	}
	list := c.other[n.cluster]
	return int(a) < len(list) && list[a] >= n.clock
}

// learn raises the clock of an agent.
func (c *clock) learn(a agent, at uint32) {
	for int(a) >= len(c.own) {
		c.own = append(c.own, 0)
	}
	c.own[a] = max(c.own[a], at)
}

// join learns all that another clock of the same cluster has.
func (c *clock) join(o *clock) {
	if n := len(o.own); n > len(c.own) {
		c.own = append(c.own, make([]uint32, n-len(c.own))...)
	}
	for i, v := range o.own {
		if v > c.own[i] {
			c.own[i] = v
		}
	}
	for cluster, list := range o.other {
		c.learnCluster(cluster, list)
	}
	if len(o.lanes) > 0 || len(c.lanes) > 0 {
		c.joinLanes(o)
	}
}

// learnCluster learns what another cluster has published.
func (c *clock) learnCluster(cluster uint32, list []uint32) {
	if c.other == nil {
		c.other = make(map[uint32][]uint32)
	}
	old := c.other[cluster]
	if len(old) == 0 {
		c.other[cluster] = list
		return
	}
	sum := make([]uint32, max(len(old), len(list)))
	copy(sum, old)
	for i, v := range list {
		sum[i] = max(sum[i], v)
	}
	c.other[cluster] = sum
}

// clear forgets all.
func (c *clock) clear() { c.own, c.other, c.lanes = c.own[:0], nil, c.lanes[:0] }

// A view is what a warp knows, and what it hands on when it synchronises.
type view struct {
	ordered clock // before all that comes now
	loose   clock // likewise, if scopes and semantics did not count
	async   clock // of those ordered, what a proxy fence of shared memory has made visible to the asynchronous proxy
	global  clock // likewise of global memory
	before  clock // what tcgen05.fence::before_thread_sync came after, of those ordered, or of those executed before
	mapped  clock // of those ordered, what an acquire has made visible to the proxy of tensor maps
	maps    clock // of those ordered, what a release to the proxy of tensor maps came after
}

// join learns all of another view.
func (v *view) join(o *view) {
	v.ordered.join(&o.ordered)
	v.loose.join(&o.loose)
	v.async.join(&o.async)
	v.global.join(&o.global)
	v.before.join(&o.before)
	v.maps.join(&o.maps)
	v.mapped.join(&o.mapped)
}

func (v *view) learn(a agent, at uint32) {
	v.ordered.learn(a, at)
	v.loose.learn(a, at)
}

func (v *view) clear() {
	v.ordered.clear()
	v.loose.clear()
	v.async.clear()
	v.global.clear()
	v.before.clear()
	v.maps.clear()
	v.mapped.clear()
}

func (v *view) clone() *view {
	o := new(view)
	o.join(v)
	return o
}
