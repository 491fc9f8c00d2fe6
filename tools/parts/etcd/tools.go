//go:build tools

// Package parts keeps etcd's main package in this module's graph, so that go.sum holds all it needs.
package parts

import _ "go.etcd.io/etcd/server/v3"
