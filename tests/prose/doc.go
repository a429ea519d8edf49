// Command prose measures the project's prose and lists what its rules forbid.
//
//	go run ./tests/prose              # a table: sentences of each page, comments of each Go folder
//	go run ./tests/prose passes docs  # the findings below these folders, Go comments included
//	go run ./tests/prose -pending     # drop files without findings from pending.txt, and follow moves
//
// The rules of a page: at most 30 words a sentence, 20 in the mean, 25 a table cell, 120 columns a line. Code blocks,
// quotations, and lines that are one link may be wider, and so may rows of tables. Texts in Go have sentences of at most
// 30 words too.
//
// Links of a page to files lead to files, and so do paths in its code and commands.
//
// The rule of words holds for pages, package comments, and texts in Go and Python: [banned] has a pattern for each old
// word and the term that stands for it now. docs/glossary.md explains the terms. Inline code and quotations are exempt.
//
// The test reports findings file by file. Files in pending.txt are not converted yet; the test fails for a file that is
// listed without need. Comments that are no package comments are reported by the command and not by the test.
package main
