//go:build tools

// Package parts keeps Helm's main package in this module's graph, so that go.sum holds all it needs.
package parts

import _ "helm.sh/helm/v3/cmd/helm"
