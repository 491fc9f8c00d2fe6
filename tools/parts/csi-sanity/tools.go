//go:build tools

// Package parts keeps csi-sanity's main package in this module's graph, so that go.sum holds all it needs.
package parts

import _ "github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity"
