"""Does with a vCenter what a driver does, with another project's client. Prints what it saw as JSON."""
import json
import ssl
import sys
import time
from http.cookies import SimpleCookie

from pyVim.connect import Disconnect, SmartConnect
from pyVim.task import WaitForTask
from pyVmomi import SoapStubAdapter, VmomiSupport, pbm, vim, vmodl
import vsanapiutils

host, port, user, password = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
context = ssl._create_unverified_context()
seen = {}
instance = SmartConnect(host=host, port=port, user=user, pwd=password, sslContext=context)
stub = instance._stub
content = instance.RetrieveContent()
seen["api"] = content.about.apiVersion
seen["spoken"] = stub.versionId

collector = content.propertyCollector
query = vmodl.query.PropertyCollector


def read(objects, kind, paths, collector=collector):
    """Properties of objects. pyvmomi's own accessors use a method that no published type describes."""
    spec = query.FilterSpec(
        objectSet=[query.ObjectSpec(obj=one) for one in objects],
        propSet=[query.PropertySpec(type=kind, pathSet=paths)])
    found = collector.RetrievePropertiesEx([spec], query.RetrieveOptions())
    return [{prop.name: prop.val for prop in one.propSet} for one in found.objects]


def everything(kind, paths):
    view = content.viewManager.CreateContainerView(content.rootFolder, [kind], True)
    step = query.TraversalSpec(name="view", type=vim.view.ContainerView, path="view", skip=False)
    spec = query.FilterSpec(
        objectSet=[query.ObjectSpec(obj=view, skip=True, selectSet=[step])],
        propSet=[query.PropertySpec(type=kind, pathSet=paths)])
    found = collector.RetrievePropertiesEx([spec], query.RetrieveOptions())
    view.Destroy()
    return [(one.obj, {prop.name: prop.val for prop in one.propSet}) for one in found.objects]


vms = {props["name"]: one for one, props in everything(vim.VirtualMachine, ["name"])}
seen["vms"] = sorted(vms)
vm = vms["node-1"]
[props] = read([vm], vim.VirtualMachine, ["runtime.powerState", "config.hardware.device"])
seen["power"] = props["runtime.powerState"]
seen["devices"] = len(props["config.hardware.device"])
stores = {props["name"]: one for one, props in everything(vim.Datastore, ["name"])}
seen["datastores"] = sorted(stores)

# A property wait.
spec = query.FilterSpec(
    objectSet=[query.ObjectSpec(obj=vm)], propSet=[query.PropertySpec(type=vim.VirtualMachine, pathSet=["name"])])
watch = collector.CreateFilter(spec, True)
update = collector.WaitForUpdatesEx("", query.WaitOptions(maxWaitSeconds=0))
seen["watched"] = update.filterSet[0].objectSet[0].changeSet[0].val
watch.Destroy()

# Policies.
session = SimpleCookie(stub.cookie)["vmware_soap_session"].value
VmomiSupport.GetRequestContext()["vcSessionCookie"] = session
policy_stub = SoapStubAdapter(host=host, port=port, path="/pbm", version="pbm.version.version12", sslContext=context)
policy_content = pbm.ServiceInstance("ServiceInstance", policy_stub).RetrieveContent()
profiles = policy_content.profileManager
ids = profiles.PbmQueryProfile(resourceType=pbm.profile.ResourceType(resourceType="STORAGE"), profileCategory="REQUIREMENT")
named = {profile.name: profile for profile in profiles.PbmRetrieveContent(profileIds=ids)}
seen["policies"] = sorted(named)

# Container volumes, in the newest version that the vCenter publishes.
version = vsanapiutils.GetLatestVmodlVersion(host, port)
seen["vsan"] = VmomiSupport.GetVersionNamespace(version)
vsan_stub = vsanapiutils.GetVsanVcStub(stub, context=context, version=version)
volumes = vim.cns.VolumeManager("cns-volume-manager", vsan_stub)


# Results of storage tasks are for vSAN callers only, who are answered at /sdk, too.
reader_stub = vsanapiutils.GetVsanVcStub(stub, context=context, version=version)
reader_stub.path = "/sdk"
reader = vmodl.query.PropertyCollector("propertyCollector", reader_stub)


def finish(task):
    for _ in range(600):
        [props] = read([task], vim.Task, ["info"], reader)
        info = props["info"]
        if info.state not in ("queued", "running"):
            break
        time.sleep(0.01)
    if info.state != "success":
        raise info.error
    result = info.result.volumeResults[0]
    if result.fault:
        raise result.fault
    return result


cluster = vim.cns.ContainerCluster(clusterType="KUBERNETES", clusterId="c-1", vSphereUser=user)
spec = vim.cns.VolumeCreateSpec(
    name="from-python", volumeType="BLOCK", datastores=[stores["shared-vmfs"]],
    metadata=vim.cns.VolumeMetadata(containerCluster=cluster),
    backingObjectDetails=vim.cns.BlockBackingDetails(capacityInMb=16))
created = finish(volumes.CnsCreateVolume([spec]))
volume = created.volumeId
seen["attached"] = len(finish(volumes.CnsAttachVolume([vim.cns.VolumeAttachDetachSpec(volumeId=volume, vm=vm)])).diskUUID)
finish(volumes.CnsExtendVolume([vim.cns.VolumeExtendSpec(volumeId=volume, capacityInMb=32)]))
finish(volumes.CnsDetachVolume([vim.cns.VolumeAttachDetachSpec(volumeId=volume, vm=vm)]))
found = volumes.CnsQueryVolume(vim.cns.QueryFilter(volumeIds=[volume])).volumes[0]
seen["volume"] = [found.name, found.backingObjectDetails.capacityInMb]
finish(volumes.CnsDeleteVolume([volume], True))
try:
    finish(volumes.CnsDeleteVolume([volume], True))
    seen["again"] = "deleted"
except vim.fault.NotFound:
    seen["again"] = "NotFound"
Disconnect(instance)
print(json.dumps(seen))
