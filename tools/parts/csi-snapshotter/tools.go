//go:build tools

// Package parts keeps csi-snapshotter's main package in this module's graph, so that go.sum holds all it needs.
package parts

import _ "github.com/kubernetes-csi/external-snapshotter/v8/cmd/csi-snapshotter"
