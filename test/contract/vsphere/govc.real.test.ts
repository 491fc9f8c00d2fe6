import { writeFile } from 'node:fs/promises';
import { createSystemClock } from '@vdo/base/clock';
import { openFence } from '@vdo/base/fence';
import { createSeededRandom } from '@vdo/base/random';
import { createSelfSigned } from '@vdo/base/self-signed';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel, demoUuid } from '@vdo/vsphere-sim/demo-model';
import { type ServedSim, serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../harness/cleanup.ts';
import { partPath } from '../../harness/parts.ts';
import { run } from '../../harness/run.ts';
import { connectTo } from './target.ts';

// govc, unmodified, is the judge: whatever it prints of the simulated vCenter was decoded by govmomi.
describe('govc on vsphere-sim', () => {
  const sim = createVSphereSim({ model: demoModel(), clock: createSystemClock(), random: createSeededRandom(1) });
  let server: ServedSim;
  let home: TempFolder;
  beforeAll(async () => {
    home = await createTempFolder('govc');
    server = await serveVSphereSim(sim, { clock: createSystemClock() });
  });
  afterAll(async () => {
    await server?.close();
    await home?.remove();
  });

  const govcAs = async (account: readonly [string, string], ...args: readonly string[]): Promise<string> => {
    const env = {
      GOVC_URL: `${server.url}/sdk`,
      GOVC_USERNAME: account[0],
      GOVC_PASSWORD: account[1],
      GOVC_INSECURE: 'true',
      GOVC_PERSIST_SESSION: 'false',
      HOME: home.path,
    };
    const printed = await run(partPath('govc'), args, { env });
    return printed.replace(/[ \t]+$/gm, '').trimEnd();
  };
  const govc = (...args: readonly string[]) => govcAs(['administrator@vsphere.local', 'obviously-fake'], ...args);
  const lines = async (...args: readonly string[]) => (await govc(...args)).split('\n').filter((line) => line !== '');
  const columns = async (...args: readonly string[]) =>
    (await lines(...args)).map((line) => line.trim().split(/\s{2,}/));

  it('about', async () => {
    expect(await columns('about')).toEqual([
      ['FullName:', 'VMware vCenter Server 8.0.3 build-24022515'],
      ['Name:', 'VMware vCenter Server'],
      ['Vendor:', 'VMware, Inc.'],
      ['Version:', '8.0.3'],
      ['Build:', '24022515'],
      ['OS type:', 'linux-x64'],
      ['API type:', 'VirtualCenter'],
      ['API version:', '8.0.3.0'],
      ['Product ID:', 'vpx'],
      ['UUID:', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ]);
  });

  it('ls and find', async () => {
    expect((await lines('ls', '/demo')).sort()).toEqual(['/demo/datastore', '/demo/host', '/demo/network', '/demo/vm']);
    expect(await lines('ls', '/demo/vm/kubernetes')).toEqual(
      [1, 2, 3, 4, 5].map((i) => `/demo/vm/kubernetes/node-${i}`),
    );
    expect(await lines('find', '/', '-type', 'c')).toEqual(['/demo/host/compute-a', '/demo/host/compute-b']);
    expect(await lines('find', '/demo', '-type', 'm', '-name', 'node-4')).toEqual(['/demo/vm/kubernetes/node-4']);
    expect(await lines('find', '/', '-type', 'h', '-runtime.connectionState', 'disconnected')).toEqual([]);
  });

  it('tree', async () => {
    expect(await govc('tree', '/demo/host')).toBe(
      [
        '/demo/host',
        '├── compute-a',
        '│   ├── Resources',
        '│   ├── esx-a1.demo.example',
        '│   ├── esx-a2.demo.example',
        '│   └── esx-a3.demo.example',
        '└── compute-b',
        '    ├── Resources',
        '    ├── esx-b1.demo.example',
        '    ├── esx-b2.demo.example',
        '    └── esx-b3.demo.example',
      ].join('\n'),
    );
  });

  it('vm.info, vm.ip and device.ls', async () => {
    expect(await columns('vm.info', 'node-1')).toEqual([
      ['Name:', 'node-1'],
      ['Path:', '/demo/vm/kubernetes/node-1'],
      ['UUID:', demoUuid(1)],
      ['Guest name:', 'Ubuntu Linux (64-bit)'],
      ['Memory:', '8192MB'],
      ['CPU:', '4 vCPU(s)'],
      ['Power state:', 'poweredOn'],
      ['Boot time:', expect.any(String)],
      ['IP address:', '10.10.0.11'],
      ['Host:', 'esx-a1.demo.example'],
    ]);
    expect(await govc('vm.info', '-vm.uuid', demoUuid(5))).toContain('node-5');
    expect(await govc('vm.ip', 'node-2')).toBe('10.10.0.12');
    expect(await columns('device.ls', '-vm', 'node-1')).toEqual([
      ['pci-100', 'VirtualPCIController', 'PCI controller 0'],
      ['ide-200', 'VirtualIDEController', 'IDE 0'],
      ['pvscsi-1000', 'ParaVirtualSCSIController', 'VMware paravirtual SCSI'],
      ['disk-1000-0', 'VirtualDisk', '41943040 KB'],
      ['ethernet-0', 'VirtualVmxnet3', 'Kubernetes'],
    ]);
  });

  it('vm.power, vm.change, object.rename and vm.destroy', async () => {
    expect(await govc('vm.power', '-off', 'node-5')).toMatch(/^Powering off VirtualMachine:vm-\d+\.\.\. OK$/);
    await expect(govc('vm.power', '-off', 'node-5')).rejects.toThrow(
      'cannot be performed in the current state (poweredOff)',
    );
    expect(await govc('object.collect', '-s', '/demo/vm/kubernetes/node-5', 'runtime.powerState')).toBe('poweredOff');
    await govc('vm.change', '-vm', 'node-5', '-e', 'guestinfo.owner=someone');
    expect(await columns('vm.info', '-e', 'node-5')).toContainEqual(['guestinfo.owner:', 'someone']);
    await govc('object.rename', '/demo/vm/kubernetes/node-5', 'last');
    await govc('vm.destroy', 'last');
    expect(await lines('find', '/', '-type', 'm')).toHaveLength(4);
  });

  it('object.collect', async () => {
    expect(await govc('object.collect', '-s', '/demo/vm/kubernetes/node-1', 'guest.hostName')).toBe(
      'node-1.demo.example',
    );
    expect(await columns('object.collect', '/demo', 'name', 'overallStatus')).toEqual([
      ['name', 'string', 'demo'],
      ['overallStatus', 'types.ManagedEntityStatus', 'green'],
    ]);
    await expect(govc('object.collect', '-s', '/demo', 'nonsense')).rejects.toThrow('Invalid property');
    const everything = JSON.parse(await govc('object.collect', '-json', '/demo/vm/kubernetes/node-1')) as readonly {
      readonly name: string;
    }[];
    expect(everything.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['config', 'guest', 'runtime', 'summary', 'parent']),
    );
  });

  it('tags', async () => {
    expect(await columns('tags.ls')).toEqual([
      ['region-1', 'k8s-region'],
      ['zone-a', 'k8s-zone'],
      ['zone-b', 'k8s-zone'],
    ]);
    expect(await lines('tags.category.ls')).toEqual(['k8s-region', 'k8s-zone']);
    expect(await lines('tags.attached.ls', '-r', '/demo/host/compute-b')).toEqual(['zone-b']);
    expect(await lines('tags.attached.ls', 'zone-a')).toEqual([
      expect.stringMatching(/^ClusterComputeResource:domain-c\d+$/),
    ]);
    await govc('tags.category.create', '-m', 'owner');
    await expect(govc('tags.category.create', '-m', 'owner')).rejects.toThrow('already_exists');
    await govc('tags.create', '-c', 'owner', 'blue');
    await govc('tags.attach', 'blue', '/demo/vm/kubernetes/node-1');
    expect(await lines('tags.attached.ls', '-r', '/demo/vm/kubernetes/node-1')).toEqual(['blue']);
    await govc('tags.detach', 'blue', '/demo/vm/kubernetes/node-1');
    await govc('tags.rm', 'blue');
    await govc('tags.category.rm', 'owner');
    expect(await lines('tags.category.ls')).toEqual(['k8s-region', 'k8s-zone']);
  });

  it('session.ls', async () => {
    const [heading, ...sessions] = await columns('session.ls');
    expect(heading?.slice(0, 2)).toEqual(['Key', 'Name']);
    expect(sessions).toContainEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      'VSPHERE.LOCAL\\administrator',
      ...Array.from({ length: 4 }, () => expect.any(String)),
    ]);
  });

  it('roles and permissions', async () => {
    expect((await columns('role.ls')).map(([name]) => name)).toEqual([
      ...['NoAccess', 'Anonymous', 'View', 'ReadOnly', 'Admin'],
      ...['CNS-SEARCH-AND-SPBM', 'CNS-DATASTORE', 'CNS-VM'],
    ]);
    await govc('role.create', 'operator', 'VirtualMachine.Interact.PowerOn', 'VirtualMachine.Interact.PowerOff');
    expect(await lines('role.ls', 'operator')).toEqual([
      ...['System.Anonymous', 'System.View', 'System.Read'],
      ...['VirtualMachine.Interact.PowerOn', 'VirtualMachine.Interact.PowerOff'],
    ]);
    await expect(govc('role.create', 'bad', 'Vm.Fly')).rejects.toThrow('privIds');
    await govc('permissions.set', '-principal', 'cpi@vsphere.local', '-role', 'operator', '/demo/vm');
    expect(await columns('permissions.ls', '/demo/vm')).toContainEqual([
      'operator',
      '/demo/vm',
      'VSPHERE.LOCAL\\cpi',
      'Yes',
    ]);
    expect(await govcAs(['cpi@vsphere.local', 'obviously-fake-cpi'], 'vm.power', '-off', 'node-4')).toContain('OK');
    await govc('permissions.remove', '-principal', 'cpi@vsphere.local', '/demo/vm');
    await expect(govcAs(['cpi@vsphere.local', 'obviously-fake-cpi'], 'vm.power', '-on', 'node-4')).rejects.toThrow(
      'Permission to perform this operation was denied',
    );
    await govc('role.remove', 'operator');
  });

  it('sees only what its user may read', async () => {
    sim.control.setAccount({ username: 'guest@vsphere.local', password: 'obviously-fake-guest' });
    const guest = (...args: readonly string[]) => govcAs(['guest@vsphere.local', 'obviously-fake-guest'], ...args);
    sim.control.grant('guest@vsphere.local', 'ReadOnly', '/', { propagate: false });
    sim.control.grant('guest@vsphere.local', 'ReadOnly', '/demo', { propagate: false });
    sim.control.grant('guest@vsphere.local', 'ReadOnly', '/demo/vm', { propagate: false });
    sim.control.grant('guest@vsphere.local', 'ReadOnly', '/demo/vm/kubernetes', { propagate: false });
    sim.control.grant('guest@vsphere.local', 'ReadOnly', '/demo/vm/kubernetes/node-3');
    expect(await guest('ls', '/demo/vm/kubernetes')).toBe('/demo/vm/kubernetes/node-3');
    expect(await guest('find', '/demo', '-type', 'h')).toBe('');
  });

  it('datastore.info', async () => {
    expect((await columns('datastore.info', 'shared-vmfs')).slice(0, 3)).toEqual([
      ['Name:', 'shared-vmfs'],
      ['Path:', '/demo/datastore/shared-vmfs'],
      ['Type:', 'VMFS'],
    ]);
    expect(await govc('datastore.info', 'vsanDatastore')).toMatch(/Capacity: +20480\.0 GB/);
  });

  it('volume.ls shows what the client created', async () => {
    const { vcenter } = connectTo({
      name: 'vsphere-sim',
      server: server.host,
      port: server.port,
      thumbprint: server.thumbprints.sha256,
      username: 'csi@vsphere.local',
      password: 'obviously-fake-csi',
      control: { powerOff: none, rename: none, destroy: none, tag: none, endSessions: none },
      stop: none,
    });
    const cluster = { clusterId: 'demo-cluster', vSphereUser: 'csi@vsphere.local', distribution: 'VANILLA' };
    const spec = { name: 'pvc-1', capacityMb: 2048n, datastores: [sim.control.find('shared-vmfs')], cluster };
    const volume = await vcenter.cns.createBlockVolume(spec, { fence: openFence });
    expect(await columns('volume.ls')).toEqual([[volume.id, 'pvc-1']]);
    expect(await columns('volume.ls', '-l')).toEqual([[volume.id, 'pvc-1', '2.0GB', 'KUBERNETES', 'demo-cluster']]);
    await vcenter.close();
    await govc('volume.rm', volume.id);
    expect(await govc('volume.ls')).toBe('');
  });

  it('storage.policy.ls', async () => {
    expect(await columns('storage.policy.ls')).toEqual([
      ['aa6d5a82-1c88-45da-85d3-3d74b91a5bad', 'vSAN Default Storage Policy'],
    ]);
    const info = await columns('storage.policy.info', '-s', 'vSAN Default Storage Policy');
    expect(info).toContainEqual(['Compatible Datastores:', 'vsanDatastore']);
  });

  it('sso users and groups', async () => {
    expect((await columns('sso.user.ls')).map(([name]) => name)).toEqual(['administrator', 'cpi', 'csi', 'guest']);
    await govc('sso.user.create', '-p', 'obviously-fake-new', '-d', 'somebody new', 'new');
    expect(await columns('sso.user.ls', 'new')).toEqual([['new', 'somebody new']]);
    await expect(govc('sso.user.create', '-p', 'obviously-fake-new', 'new')).rejects.toThrow('already exists');
    await govc('sso.group.create', 'crew');
    await govc('sso.group.update', '-a', 'new', 'crew');
    expect((await columns('sso.user.ls', '-group', 'crew')).map(([name]) => name)).toEqual(['new']);
    expect(await govcAs(['new@vsphere.local', 'obviously-fake-new'], 'about')).toContain('8.0.3');
    await govc('sso.user.update', '-p', 'obviously-fake-newer', 'new');
    await expect(govcAs(['new@vsphere.local', 'obviously-fake-new'], 'ls')).rejects.toThrow('incorrect user name');
    await govc('sso.user.rm', 'new');
    await govc('sso.group.rm', 'crew');
    expect(await govc('sso.user.ls', 'new')).toBe('');
    await expect(govcAs(['cpi@vsphere.local', 'obviously-fake-cpi'], 'sso.user.ls')).rejects.toThrow('denied');
  });

  it('login by certificate, for which govmomi signs', async () => {
    const pairOf = (commonName: string) =>
      createSelfSigned({ commonName, hosts: ['a.example'], nowMs: Date.now(), keyType: 'rsa' });
    const [known, stranger] = [pairOf('solution'), pairOf('stranger')];
    const files = async (name: string, { cert, key }: { readonly cert: string; readonly key: string }) => {
      await writeFile(home.file(`${name}.crt`), cert);
      await writeFile(home.file(`${name}.key`), key);
      return ['-cert', home.file(`${name}.crt`), '-key', home.file(`${name}.key`)];
    };
    const flags = await files('known', known);
    await govc('sso.user.create', '-C', known.cert, 'solution');
    expect((await columns('sso.user.ls', '-s')).map(([name]) => name)).toEqual(['solution']);
    const nobody = ['', ''] as const;
    const token = await govcAs(nobody, 'session.login', ...flags, '-issue');
    expect(token).toContain('>solution@vsphere.local<');
    await govcAs(nobody, 'session.login', ...flags, '-token', token);
    const others = await files('stranger', stranger);
    await expect(govcAs(nobody, 'session.login', ...others, '-issue')).rejects.toThrow('Invalid credentials');
    await expect(govcAs(nobody, 'session.login', ...others, '-token', token)).rejects.toThrow('incorrect user name');
    await govc('sso.user.rm', 'solution');
  });

  it('refuses a wrong password', async () => {
    await expect(govcAs(['administrator@vsphere.local', 'wrong'], 'ls')).rejects.toThrow(
      'incorrect user name or password',
    );
  });
});

const none = async (): Promise<void> => {};
