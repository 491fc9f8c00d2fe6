//go:build tools

// Package parts keeps csi-resizer's main package in this module's graph, so that go.sum holds all it needs.
package parts

import _ "github.com/kubernetes-csi/external-resizer/cmd/csi-resizer"
