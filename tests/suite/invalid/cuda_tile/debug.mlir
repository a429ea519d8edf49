// RUN: tile-opt %s --split-input-file --verify-diagnostics

// The fields of debug attributes.

// expected-error@below {{expected a parameter name in struct}}
#u = #cuda_tile.di_compile_unit<>

// -----

#f = #cuda_tile.di_file<"a.py" in "/d">
#u = #cuda_tile.di_compile_unit<file = #f>
// expected-error@below {{struct is missing required parameter: linkageName}}
#s = #cuda_tile.di_subprogram<file = #f, line = 1, name = "f", compileUnit = #u>

// -----

#f = #cuda_tile.di_file<"a.py" in "/d">
// expected-error@below {{struct is missing required parameter: file}}
#s = #cuda_tile.di_subprogram<line = 1, name = "f", linkageName = "f">

// -----

#f = #cuda_tile.di_file<"a.py" in "/d">
// expected-error@below {{duplicate or unknown struct parameter name: file}}
#u = #cuda_tile.di_compile_unit<file = #f, file = #f>

// -----

#f = #cuda_tile.di_file<"a.py" in "/d">
// expected-error@below {{duplicate or unknown struct parameter name: colour}}
#u = #cuda_tile.di_compile_unit<file = #f, colour = 3>

// -----

// expected-error@below {{field 'file' of di_compile_unit must be another debug attribute}}
#u = #cuda_tile.di_compile_unit<file = "a.py">

// -----

#f = #cuda_tile.di_file<"a.py" in "/d">
#u = #cuda_tile.di_compile_unit<file = #f>
// expected-error@below {{field 'name' of di_subprogram must be a string}}
#s = #cuda_tile.di_subprogram<file = #f, line = 1, name = 3, linkageName = "f", compileUnit = #u>

// -----

#f = #cuda_tile.di_file<"a.py" in "/d">
#u = #cuda_tile.di_compile_unit<file = #f>
// expected-error@below {{field 'line' of di_subprogram must be an unsigned 32-bit integer}}
#s = #cuda_tile.di_subprogram<file = #f, line = -1, name = "f", linkageName = "f", compileUnit = #u>

// -----

#f = #cuda_tile.di_file<"a.py" in "/d">
#u = #cuda_tile.di_compile_unit<file = #f>
// expected-error@below {{field 'flags' of di_subprogram must be 'declaration'}}
#s = #cuda_tile.di_subprogram<file = #f, line = 1, name = "f", linkageName = "f", compileUnit = #u, flags = definition>
