package runtool

import (
	"context"
	"io"
)

func (c *config) runDemo(ctx context.Context, stdout, stderr io.Writer) error { return nil }
