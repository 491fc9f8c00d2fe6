//go:build tools

// Package parts keeps the programs' main packages in this module's graph, so that go.sum holds all they need.
package parts

import (
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
)
