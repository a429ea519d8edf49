package vector

import "golang.org/x/sys/cpu"

func init() {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return
	}
	binaries = map[form]Two{
		{"add", false}: addF32, {"sub", false}: subF32, {"mul", false}: mulF32,
		{"add", true}: addF32FTZ, {"sub", true}: subF32FTZ, {"mul", true}: mulF32FTZ,
	}
	fmas = map[bool]Three{false: fmaF32, true: fmaF32FTZ}
}
