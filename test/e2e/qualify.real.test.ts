import { readFile } from 'node:fs/promises';
import type { QualifyRecord } from '@vdo/vdoctl/commands/vsphere/qualify/record/record-file';
import type { Report } from '@vdo/vdoctl/commands/vsphere/qualify/report';
import { runVdoctl } from '@vdo/vdoctl/testing/run-vdoctl';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayOnClient } from '../../tools/replay/replay-client.ts';
import { createTempFolder, type TempFolder } from '../harness/cleanup.ts';
import { startVcsim, type Vcsim } from '../harness/vcsim.ts';

/** What a vCenter does and govmomi's simulator does not. */
const lacking = [
  // Its attached disks do not say which volume they are.
  'find the disk on the VM',
  // It calls that an invalid argument.
  'check that it is detached',
  // It has no such call.
  'change the storage policy of the disk',
];

describe("vdoctl vsphere qualify on govmomi's simulator", () => {
  let vcsim: Vcsim;
  let folder: TempFolder;
  beforeAll(async () => {
    folder = await createTempFolder('qualify');
    vcsim = await startVcsim({ vms: 2, datastores: 1 });
  });
  afterAll(async () => {
    await vcsim?.stop();
    await folder?.remove();
  });

  /** All that govc, which is not ours, could find left. */
  const listing = async (): Promise<readonly string[]> => [
    await vcsim.govc('volume.ls'),
    await vcsim.govc('disk.ls', '-ds', 'LocalDS_0'),
    await vcsim.govc('tags.category.ls'),
    await vcsim.govc('device.ls', '-vm', '/DC0/vm/DC0_C0_RP0_VM0'),
  ];

  it('is complete, leaves nothing, and its record can be played again', async () => {
    const before = await listing();
    const file = folder.file('run.json');
    const { host, port, thumbprintSha256: thumbprint, username, password } = vcsim;
    const where = ['--folder', '/DC0/vm', '--vm', 'DC0_C0_RP0_VM0', '--datastore', '/DC0/datastore/LocalDS_0'];
    const server = ['--server', host, '--port', String(port), '--user', username, '--thumbprint', thumbprint];
    const { out, err } = await runVdoctl(
      ['vsphere', 'qualify', ...server, '--write', ...where, '--yes', '--record', file, '-o', 'json'],
      { env: { VDO_VCENTER_PASSWORD: password } },
    );
    expect(out, err).not.toBe('');
    const report = JSON.parse(out) as Report;
    expect(report.steps.filter(({ verdict }) => verdict === 'fails').map(({ step }) => step)).toEqual(lacking);
    expect(report).toMatchObject({ writing: 'done', left: 0 });
    expect(await listing()).toEqual(before);
    const text = await readFile(file, 'utf8');
    for (const name of ['DC0', 'LocalDS_0', password, '127.0.0.1']) expect(text).not.toContain(name);
    expect(await replayOnClient(JSON.parse(text) as QualifyRecord)).toEqual([]);
  });
});
