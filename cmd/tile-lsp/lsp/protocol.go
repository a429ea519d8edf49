package lsp

import "encoding/json"

// The messages of the protocol that the server knows, with the fields that it reads or writes.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"` // in units of the encoding that was agreed on
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type initializeParams struct {
	Capabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		TextDocument struct {
			Hover struct {
				ContentFormat []string `json:"contentFormat"`
			} `json:"hover"`
			DocumentSymbol struct {
				Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
			} `json:"documentSymbol"`
			PublishDiagnostics struct {
				RelatedInformation bool `json:"relatedInformation"`
			} `json:"publishDiagnostics"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

type initializeResult struct {
	Capabilities capabilities `json:"capabilities"`
	ServerInfo   serverInfo   `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type capabilities struct {
	PositionEncoding       string            `json:"positionEncoding"`
	TextDocumentSync       syncOptions       `json:"textDocumentSync"`
	HoverProvider          bool              `json:"hoverProvider"`
	DefinitionProvider     bool              `json:"definitionProvider"`
	ReferencesProvider     bool              `json:"referencesProvider"`
	HighlightProvider      bool              `json:"documentHighlightProvider"`
	DocumentSymbolProvider bool              `json:"documentSymbolProvider"`
	FormattingProvider     bool              `json:"documentFormattingProvider"`
	CompletionProvider     completionOptions `json:"completionProvider"`
}

type syncOptions struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"` // 2: incremental
}

type completionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

type documentID struct {
	URI     string `json:"uri"`
	Version *int   `json:"version,omitempty"`
}

type openParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

type changeParams struct {
	TextDocument   documentID `json:"textDocument"`
	ContentChanges []change   `json:"contentChanges"`
}

type change struct {
	Range *span  `json:"range"` // nil: the text is the entire document
	Text  string `json:"text"`
}

type documentParams struct {
	TextDocument documentID `json:"textDocument"`
}

type positionParams struct {
	TextDocument documentID `json:"textDocument"`
	Position     position   `json:"position"`
	Context      struct {
		IncludeDeclaration bool `json:"includeDeclaration"` // of references
	} `json:"context"`
}

type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     int          `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range    span      `json:"range"`
	Severity int       `json:"severity"` // 1: error, 2: warning, 3: information
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Related  []related `json:"relatedInformation,omitempty"`
}

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    *span  `json:"range,omitempty"`
}

type markup struct {
	Kind  string `json:"kind"` // markdown or plaintext
	Value string `json:"value"`
}

type symbol struct {
	Name      string   `json:"name"`
	Detail    string   `json:"detail,omitempty"`
	Kind      int      `json:"kind"`
	Range     span     `json:"range"`
	Selection span     `json:"selectionRange"`
	Children  []symbol `json:"children,omitempty"`
}

// symbolInformation is the form of a symbol for clients that know no tree.
type symbolInformation struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Location  location `json:"location"`
	Container string   `json:"containerName,omitempty"`
}

// The kinds of symbols that the server tells apart.
const (
	kindModule   = 2
	kindFunction = 12
	kindVariable = 13
	kindConstant = 14
	kindOperator = 25
)

type highlight struct {
	Range span `json:"range"`
	Kind  int  `json:"kind"` // 2: read, 3: written
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type completionList struct {
	Incomplete bool             `json:"isIncomplete"`
	Items      []completionItem `json:"items"`
}

type completionItem struct {
	Label  string   `json:"label"`
	Kind   int      `json:"kind"` // 3: function, 6: variable
	Detail string   `json:"detail,omitempty"`
	Edit   textEdit `json:"textEdit"`
}

type messageParams struct {
	Type    int    `json:"type"` // 1: error, 2: warning
	Message string `json:"message"`
}
