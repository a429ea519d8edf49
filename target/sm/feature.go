package sm

import "slices"

// Feature is a family of instructions, or a directive, that not every target has. The variables of this package are
// its values; each is one row of the tables in the features_*.go files.
type Feature uint16

// feature is a row: what a feature is called, what it stands for, and where it exists.
type feature struct {
	name, doc string
	since     [][numSuffixes]Version // by row of the architecture table; zero where the feature does not exist
}

// rule says that the architectures of a set have a feature from a PTX ISA version on, under a suffix and the stronger
// ones. A zero version means as soon as the target itself exists.
type rule struct {
	archs  []string
	suffix Suffix
	since  Version
}

// Sets of architectures that share features.
var (
	all          = Names()
	ada          = []string{"sm_89"}
	sinceAda     = from("sm_89")
	hopper       = []string{"sm_90"}
	sinceHopper  = from("sm_90")
	blackwell    = from("sm_100")
	tensorMemory = []string{"sm_100", "sm_103", "sm_107", "sm_110"}
	sinceSM103   = []string{"sm_103", "sm_107", "sm_110"}
	int8Tensor   = []string{"sm_100", "sm_110"}
	family100    = []string{"sm_100", "sm_103", "sm_107"}
	family120    = []string{"sm_120", "sm_121"}
)

// from returns the named architecture and all rows after it.
func from(name string) []string {
	names := Names()
	return names[slices.Index(names, name):]
}

// onward is the version of a rule that adds no demand of its own.
const onward Version = 0

func on(archs []string, suffix Suffix, since Version) rule {
	return rule{archs: archs, suffix: suffix, since: since}
}

var features []feature

// define adds a row. It runs while the package initialises, so the table is constant afterwards.
func define(name, doc string, rules ...rule) Feature {
	since := make([][numSuffixes]Version, len(archs))
	for i, a := range archs {
		for _, r := range rules {
			if !slices.Contains(r.archs, a.Name) {
				continue
			}
			for s := r.suffix; s < numSuffixes; s++ {
				if a.PTX[s] != 0 {
					// Where two rules cover an architecture, the earlier version stands.
					v := max(r.since, a.PTX[s])
					if since[i][s] == 0 || v < since[i][s] {
						since[i][s] = v
					}
				}
			}
		}
	}
	features = append(features, feature{name: name, doc: doc, since: since})
	return Feature(len(features) - 1)
}

// Features returns every feature, in table order.
func Features() []Feature {
	list := make([]Feature, len(features))
	for i := range list {
		list[i] = Feature(i)
	}
	return list
}

// String returns the feature's name, such as "mma.fp8" or "cp.async.bulk".
func (f Feature) String() string { return features[f].name }

// Doc returns one line that says which instructions the feature stands for.
func (f Feature) Doc() string { return features[f].doc }

// Since returns the first PTX ISA version at which the architecture has the feature under that suffix. It reports false
// when no version has it.
func (a *Arch) Since(f Feature, s Suffix) (Version, bool) {
	v := features[f].since[a.index][s]
	return v, v != 0
}

// Has reports whether the architecture has the feature under any suffix, in any version that the table knows.
func (a *Arch) Has(f Feature) bool {
	return features[f].since[a.index] != [numSuffixes]Version{}
}

// Requirement returns the weakest suffix under which the architecture has the feature and the first version that has it
// so. It reports false when the architecture lacks the feature.
func (a *Arch) Requirement(f Feature) (Suffix, Version, bool) {
	for s := Plain; s < numSuffixes; s++ {
		if v, ok := a.Since(f, s); ok {
			return s, v, true
		}
	}
	return Plain, 0, false
}
