import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partPath } from '../../../test/harness/parts.ts';
import { startSanityHouse } from './testing/sanity-house.ts';

/** Why csi-sanity leaves specs out: what the driver does not advertise. A skip for any other reason is a failure. */
const explained: Readonly<Record<string, string>> = {
  'GetSnapshot not supported': 'alpha; ListSnapshots answers the same question',
  'GroupControllerService not supported': 'vCenter has no consistent snapshots of several container volumes',
  'NodeGetVolumeHealth not supported': 'newer than CSI 1.12',
  'NodeGetStorageHealth not supported': 'newer than CSI 1.12',
  'ControllerListVolumeHealth not supported': 'newer than CSI 1.12',
  'ControllerGetVolumeHealth not supported': 'newer than CSI 1.12',
  'SNAPSHOT_ACCESSIBILITY_CONSTRAINTS not supported': 'newer than CSI 1.12',
  'Modify volume not supported': 'not in this version yet',
  'Modify Volume not supported': 'not in this version yet',
  'ControllerModifyVolume not supported': 'not in this version yet',
  'testnodevolumeattachlimit not enabled': 'attaches as many disks as fit a VM; a unit test does that faster',
  'ControllerPublishVolume.readonly field not supported': 'access is decided on the node',
};

interface Spec {
  readonly name: string;
  readonly status: string;
  readonly reason: string;
}

const readReport = (xml: string): readonly Spec[] =>
  [...xml.matchAll(/<testcase name="([^"]*)"[^>]*status="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, name = '', status = '', body = '']) => ({
      name,
      status,
      reason: /<skipped message="skipped - ([^"]*)"/.exec(body)?.[1] ?? '',
    }),
  );

/** Fewer means that something is no longer advertised. */
const passing = 76;

let folder: string;
let house: Awaited<ReturnType<typeof startSanityHouse>>;

const runSanity = (args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) => {
    execFile(partPath('csi-sanity'), [...args], { maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });

describe('csi-sanity', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csi-sanity-'));
    house = await startSanityHouse(folder);
  });
  afterAll(async () => {
    await house?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('passes for controller and node, on real mounts', async () => {
    const report = join(folder, 'report.xml');
    const { code, output } = await runSanity([
      `-csi.endpoint=${house.nodeEndpoint}`,
      `-csi.controllerendpoint=${house.controllerEndpoint}`,
      `-csi.mountdir=${join(folder, 'target')}`,
      `-csi.stagingdir=${join(folder, 'staging')}`,
      '-csi.testvolumesize=1073741824',
      '-csi.testvolumeexpandsize=2147483648',
      `-csi.junitfile=${report}`,
      '-ginkgo.no-color',
    ]);
    const specs = readReport(await readFile(report, 'utf8'));
    const named = (status: string) => specs.filter((spec) => spec.status === status);
    expect([...named('failed'), ...named('panicked')], output.slice(-20_000)).toEqual([]);
    expect(named('skipped').filter(({ reason }) => !(reason in explained))).toEqual([]);
    expect(named('passed').length).toBe(passing);
    expect(code).toBe(0);
    expect(house.sim.volumes.list()).toEqual([]);
  });
});
