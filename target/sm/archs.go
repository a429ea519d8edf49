package sm

const kib = 1024

// What every architecture since sm_80 has in common.
var (
	registers   = Registers{PerSM: 64 * 1024, PerThread: 255, Least: 24, Unit: 256}
	noCluster   = Cluster{Portable: 1, Max: 1}
	dataCenter  = Cluster{Portable: 8, Max: 16}
	portable    = Cluster{Portable: 8, Max: 8} // no larger size is documented
	tensorCells = TMEM{Lanes: 128, Columns: 512, Unit: 32}
)

// shared describes an SM by its capacity: the system keeps 1 KiB for each CTA, and one CTA may have all the rest.
func shared(perSM int) Shared {
	return Shared{PerSM: perSM, PerCTA: perSM - 1*kib, Static: 48 * kib, Reserved: 1 * kib}
}

// ownStatic adds the static limit of the specific spelling.
func (s Shared) ownStatic(bytes int) Shared {
	s.StaticSpecific = bytes
	return s
}

// archs is the table. The order of rows is the order of the names that errors list.
var archs = table(
	Arch{Name: "sm_80", Major: 8, Minor: 0, PTX: spelled(V(7, 0), 0, 0), Shared: shared(164 * kib), Warps: 64, CTAs: 32, Cluster: noCluster},
	Arch{Name: "sm_86", Major: 8, Minor: 6, PTX: spelled(V(7, 1), 0, 0), Shared: shared(100 * kib), Warps: 48, CTAs: 16, Cluster: noCluster},
	Arch{Name: "sm_87", Major: 8, Minor: 7, PTX: spelled(V(7, 4), 0, 0), Shared: shared(164 * kib), Warps: 48, CTAs: 16, Cluster: noCluster},
	Arch{Name: "sm_88", Major: 8, Minor: 8, PTX: spelled(V(9, 0), 0, 0), Shared: shared(100 * kib), Warps: 48, CTAs: 16, Cluster: noCluster},
	Arch{Name: "sm_89", Major: 8, Minor: 9, PTX: spelled(V(7, 8), 0, 0), Shared: shared(100 * kib), Warps: 48, CTAs: 24, Cluster: noCluster},
	Arch{Name: "sm_90", Major: 9, Minor: 0, PTX: spelled(V(7, 8), 0, V(8, 0)), Shared: shared(228 * kib).ownStatic(227 * kib), Warps: 64, CTAs: 32, Cluster: dataCenter},
	Arch{Name: "sm_100", Major: 10, Minor: 0, PTX: spelled(V(8, 6), V(8, 8), V(8, 6)), Shared: shared(228 * kib).ownStatic(227 * kib), Warps: 64, CTAs: 32, TMEM: tensorCells, Cluster: dataCenter},
	Arch{Name: "sm_103", Major: 10, Minor: 3, PTX: spelled(V(8, 8), V(8, 8), V(8, 8)), Shared: shared(228 * kib).ownStatic(227 * kib), Warps: 64, CTAs: 32, TMEM: tensorCells, Cluster: dataCenter},
	Arch{Name: "sm_107", Major: 10, Minor: 7, PTX: spelled(V(9, 4), V(9, 4), V(9, 4)), Shared: shared(328 * kib).ownStatic(227 * kib), Warps: 32, CTAs: 16, TMEM: tensorCells, Cluster: dataCenter},
	Arch{Name: "sm_110", Major: 11, Minor: 0, PTX: spelled(V(9, 0), V(9, 0), V(9, 0)), Shared: shared(228 * kib).ownStatic(227 * kib), Warps: 48, CTAs: 24, TMEM: tensorCells, Cluster: dataCenter},
	Arch{Name: "sm_120", Major: 12, Minor: 0, PTX: spelled(V(8, 7), V(8, 8), V(8, 7)), Shared: shared(100 * kib).ownStatic(99 * kib), Warps: 48, CTAs: 24, Cluster: portable},
	Arch{Name: "sm_121", Major: 12, Minor: 1, PTX: spelled(V(8, 8), V(8, 8), V(8, 8)), Shared: shared(100 * kib).ownStatic(99 * kib), Warps: 48, CTAs: 24, Cluster: portable},
)

// spelled gives the first PTX ISA version of each spelling, zero for one that does not exist.
func spelled(plain, family, specific Version) [numSuffixes]Version {
	return [numSuffixes]Version{Plain: plain, Family: family, Specific: specific}
}

// table numbers the rows and fills in what they have in common.
func table(rows ...Arch) []*Arch {
	list := make([]*Arch, len(rows))
	for i := range rows {
		a := &rows[i]
		a.Registers, a.Threads, a.index = registers, 1024, i
		list[i] = a
	}
	return list
}
