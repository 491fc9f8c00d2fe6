//go:build tools

// Package parts keeps the main packages of Prometheus in this module's graph, so that go.sum holds all they need.
package parts

import (
	_ "github.com/prometheus/prometheus/cmd/prometheus"
	_ "github.com/prometheus/prometheus/cmd/promtool"
)
