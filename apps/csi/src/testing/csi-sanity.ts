import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { simOffers } from '@vdo/sim-world/sim-release';
import { partPath } from '../../../../test/harness/parts.ts';

export interface Spec {
  readonly name: string;
  readonly status: string;
  /** Why it was skipped, or how it failed. */
  readonly reason: string;
}

const readReport = (xml: string): readonly Spec[] =>
  [...xml.matchAll(/<testcase name="([^"]*)"[^>]*status="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, name = '', status = '', body = '']) => ({
      name,
      status,
      reason:
        /<skipped message="skipped - ([^"]*)"/.exec(body)?.[1] ?? /<failure message="([^"]*)"/.exec(body)?.[1] ?? '',
    }),
  );

export interface SanityRun {
  readonly code: number;
  readonly output: string;
  readonly specs: readonly Spec[];
  named(status: string): readonly Spec[];
}

/** Runs csi-sanity and reads its report. */
export const runSanity = async (folder: string, args: readonly string[]): Promise<SanityRun> => {
  const report = join(folder, 'report.xml');
  const { code, output } = await new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    const all = [...args, `-csi.junitfile=${report}`, '-ginkgo.no-color'];
    execFile(partPath('csi-sanity'), all, { maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
  const specs = readReport(await readFile(report, 'utf8'));
  return { code, output, specs, named: (status) => specs.filter((spec) => spec.status === status) };
};

/** What it leaves out because the release of the simulated vCenter lacks it. */
export const notOffered = (): readonly string[] => [
  ...(simOffers('growth') ? [] : ['ControllerExpandVolume not supported']),
  ...(simOffers('policy-change')
    ? []
    : ['ControllerModifyVolume not supported', 'Modify Volume not supported', 'Modify volume not supported']),
  ...(simOffers('snapshots')
    ? []
    : [
        'CreateSnapshot not supported',
        'DeleteSnapshot not supported',
        'ListSnapshots not supported',
        'Snapshot not supported',
        'Volume Cloning not supported',
      ]),
];

/** Why csi-sanity leaves specs out: what the driver does not advertise. A skip for any other reason is a failure. */
export const explainedSkips: Readonly<Record<string, string>> = {
  'GetSnapshot not supported': 'alpha; ListSnapshots answers the same question',
  'GroupControllerService not supported': 'vCenter has no consistent snapshots of several container volumes',
  'NodeGetVolumeHealth not supported': 'newer than CSI 1.12',
  'NodeGetStorageHealth not supported': 'newer than CSI 1.12',
  'ControllerListVolumeHealth not supported': 'newer than CSI 1.12',
  'ControllerGetVolumeHealth not supported': 'newer than CSI 1.12',
  'SNAPSHOT_ACCESSIBILITY_CONSTRAINTS not supported': 'newer than CSI 1.12',
  'testnodevolumeattachlimit not enabled': 'attaches as many disks as fit a VM; a unit test does that faster',
  'ControllerPublishVolume.readonly field not supported': 'access is decided on the node',
};
