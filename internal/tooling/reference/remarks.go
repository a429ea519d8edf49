package reference

import (
	"strings"

	"github.com/tilewright/tilewright/passes/remark"
)

// remarksPage is made from the table of remarks.
func remarksPage() string {
	page := newDoc("Remarks")
	page.para("The compiler reports its decisions as remarks: with `tilec --remarks=all`, `tile-opt --remarks`, and in the page of `--report`. " +
		"`--remark-format=yaml` writes YAML, in the form and words of tileiras for what tileiras reports too. Each remark is reported once for a place of the program.")
	page.para("`tilec --why=TOPIC` and `tile-opt --why=TOPIC` answer one question in words, missed optimizations first. They try what the missing facts are worth: the program is compiled again with the fact assumed. " +
		"Counts of instructions are of the code. Cycles are an estimate of the scheduler's model of the machine, for one iteration of the slowest loop.")
	var topics []string
	for _, t := range remark.Topics() {
		var kinds []string
		for _, k := range remark.Kinds() {
			if k.Answers(t) {
				kinds = append(kinds, link(k.FullName(), k.FullName()))
			}
		}
		topics = append(topics, "`--why="+t.Name+"`: "+escape(t.Doc)+" ("+strings.Join(kinds, ", ")+")")
	}
	page.list("", topics)
	page.para("Each has the fields `RemarkId` and `Remark`, the text. If the text is that of tileiras, `Detail` has the reason in our words. `Pass` of the YAML is the class.")
	for _, class := range remark.Classes() {
		page.heading(2, class.Name)
		for _, k := range remark.Kinds() {
			if k.Class != class {
				continue
			}
			page.heading(3, "`"+k.FullName()+"`")
			page.para(escape(k.Doc))
			facts := []string{"Kind: `!" + k.Kind.String() + "`"}
			var from []string
			for _, p := range k.From {
				if p == "ptxas" {
					from = append(from, "`ptxas`")
				} else {
					from = append(from, "["+"`"+p+"`](passes.md#"+p+")")
				}
			}
			if from != nil {
				facts = append(facts, "From: "+strings.Join(from, ", "))
			}
			if k.Title != "" {
				facts = append(facts, "tileiras has it too; its text is \""+escape(k.Title)+"\"")
			}
			for _, f := range k.Fields {
				facts = append(facts, "`"+f.Key+"`: "+escape(f.Doc))
			}
			page.list("", facts)
		}
	}
	return strings.TrimRight(page.String(), "\n") + "\n"
}
