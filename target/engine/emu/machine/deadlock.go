package machine

import (
	"fmt"
	"strings"
)

// Deadlock is the error of a launch in which every live warp of a cluster
// waits.
type Deadlock struct {
	Module string
	At     []Standing // the threads of the cluster that have not ended
	More   bool       // not all of them
}

func (d *Deadlock) Error() string {
	list := make([]string, len(d.At))
	for i := range d.At {
		list[i] = d.At[i].Who() + " " + d.At[i].What()
	}
	if d.More {
		list = append(list, "and others")
	}
	return fmt.Sprintf("%s: deadlock: %s", d.Module, strings.Join(list, "; "))
}

func (g *Cluster) deadlock() error {
	d := &Deadlock{Module: g.run.prog.Module.Name}
	g.watchStuck("")
	d.At, d.More = g.run.standings([]*Cluster{g})
	for i := range d.At {
		d.At[i].Waits = true // or it would not be one: lanes that could run had their turns in vain
	}
	return d
}
