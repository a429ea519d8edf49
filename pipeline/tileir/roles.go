package tileir

// WarpRolesUsage is what the flag --warp-roles of all tools says in its help.
const WarpRolesUsage = "warp specialization with producer warps for MMA operands: `auto|always|pingpong|none`; pingpong has two groups of four consumer warps that alternate; auto, the default: if it is profitable"

// Specializing is the pass that --warp-roles is for.
const Specializing = "tileas-specialize-warps"

// pingPong is the word for groups of warps that alternate: there must be two of them, which is decided where warps are
// counted.
const pingPong = "pingpong"

// WarpRoles adds to options of passes those that --warp-roles stands for; none where it was not given.
func WarpRoles(to map[string]string, roles string) {
	if roles == "" {
		return
	}
	to[Specializing] = "roles=" + roles
	if roles == pingPong {
		to["convert-tileaa-to-tileas"] = "num-warps=8"
	}
}
