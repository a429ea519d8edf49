package tileas

func init() { Level.AttachFacts() }
