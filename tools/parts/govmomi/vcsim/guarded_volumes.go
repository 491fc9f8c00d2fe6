package main

import (
	cnsmethods "github.com/vmware/govmomi/cns"
	cns "github.com/vmware/govmomi/cns/simulator"
	cnstypes "github.com/vmware/govmomi/cns/types"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25"
	"github.com/vmware/govmomi/vim25/soap"
)

// guardedVolumes is the simulator's volume manager with queries that wait for the task that runs. As it comes, they read
// its maps while tasks write them, and Go ends a process that does so: now and then, when volumes come and go quickly.
type guardedVolumes struct {
	*cns.CnsVolumeManager
}

func init() {
	simulator.RegisterEndpoint(func(service *simulator.Service, registry *simulator.Registry) {
		if !registry.IsVPX() {
			return
		}
		volumes := cns.New()
		manager := volumes.Get(cnsmethods.CnsVolumeManagerInstance).(*cns.CnsVolumeManager)
		volumes.Put(&guardedVolumes{manager})
		// Takes the place of what the package has registered for the same path.
		service.RegisterSDK(volumes)
	})
}

// betweenTasks runs f under the lock that each task of the manager holds while it works.
func (g *guardedVolumes) betweenTasks(ctx *simulator.Context, f func()) {
	ctx.For(vim25.Path).WithLock(g.Reference(), f)
}

func (g *guardedVolumes) CnsQueryVolume(ctx *simulator.Context, req *cnstypes.CnsQueryVolume) (reply soap.HasFault) {
	g.betweenTasks(ctx, func() { reply = g.CnsVolumeManager.CnsQueryVolume(ctx, req) })
	return reply
}

func (g *guardedVolumes) CnsQueryAllVolume(ctx *simulator.Context, req *cnstypes.CnsQueryAllVolume) (reply soap.HasFault) {
	g.betweenTasks(ctx, func() { reply = g.CnsVolumeManager.CnsQueryAllVolume(ctx, req) })
	return reply
}
