module vdo/test/bench/vsphere/go-decode

go 1.25.0

require github.com/vmware/govmomi v0.55.1
