import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVcsim, type Vcsim } from '../../../test/harness/vcsim.ts';
import { explainedSkips, runSanity } from './testing/csi-sanity.ts';
import { startSanityTestbed } from './testing/sanity-testbed.ts';

/** What govmomi's simulator cannot do, by the end of the spec's name. The same specs pass on ours. */
const beyondVcsim: Readonly<Record<string, string>> = {
  'volume lifecycle should be idempotent':
    'its CnsAttachVolume adds no disk to the VM, and refuses the second time: that it was done cannot be seen',
};

/** Everything of csi-sanity that concerns the controller. */
const focus =
  'Controller Service|ListSnapshots|DeleteSnapshot|CreateSnapshot|ExpandVolume|ModifyVolume|Identity Service';
/** Fewer means that something is no longer advertised, or no longer works. */
const passing = 59;

let folder: string;
let vcsim: Vcsim;
let testbed: Awaited<ReturnType<typeof startSanityTestbed>>;

describe("csi-sanity on govmomi's simulator", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csi-sanity-vcsim-'));
    vcsim = await startVcsim({ vms: 2, hosts: 2, datastores: 2 });
    const [{ config }] = JSON.parse(await vcsim.govc('vm.info', '-json', 'DC0_C0_RP0_VM0')).virtualMachines;
    const { host: server, port, username, password } = vcsim;
    const credentials = async () => ({ username, password, version: '1' });
    const vcenter = { server, port, credentials, tls: { insecure: true } };
    testbed = await startSanityTestbed(folder, { nodeUuid: config.uuid, vcenter });
  });
  afterAll(async () => {
    await testbed?.stop();
    await vcsim?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('passes for the controller, but for what the simulator cannot do', async () => {
    const { output, named } = await runSanity(folder, [
      `-csi.endpoint=${testbed.nodeEndpoint}`,
      `-csi.controllerendpoint=${testbed.controllerEndpoint}`,
      '-csi.testvolumesize=1073741824',
      '-csi.testvolumeexpandsize=2147483648',
      `-ginkgo.focus=${focus}`,
      '-ginkgo.skip=GroupController|Node Service',
    ]);
    const failed = [...named('failed'), ...named('panicked')];
    const unexplained = failed.filter(({ name }) => !Object.keys(beyondVcsim).some((end) => name.endsWith(end)));
    expect(unexplained, output.slice(-20_000)).toEqual([]);
    expect(named('passed').length).toBeGreaterThanOrEqual(passing);
    expect(named('skipped').filter(({ reason }) => reason !== '' && !(reason in explainedSkips))).toEqual([]);
  });
});
