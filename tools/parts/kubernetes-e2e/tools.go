//go:build tools

// Package parts keeps the programs' main packages in this module's graph, so that go.sum holds all they need.
package parts

import (
	_ "github.com/onsi/ginkgo/v2/ginkgo"
	_ "k8s.io/kubernetes/test/e2e"
	_ "k8s.io/kubernetes/test/images/agnhost"
)
