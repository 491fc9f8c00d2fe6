//go:build tools

// Package parts keeps the program's main package in this module's graph, so that go.sum holds all it needs.
package parts

import _ "k8s.io/kubernetes/cmd/kube-apiserver"
