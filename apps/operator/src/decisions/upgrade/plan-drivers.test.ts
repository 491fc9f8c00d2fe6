import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { expect, it } from 'vitest';
import type { Component, ComponentObservation } from '../../observation.ts';
import { nativeRelease as release } from '../../testing/native-releases.ts';
import { planDrivers } from './plan-drivers.ts';

const broken = (component: Component, version: string): ComponentObservation => ({
  component,
  kind: component === 'csi-node' ? 'DaemonSet' : 'Deployment',
  namespace: 'n',
  name: component,
  ours: true,
  distribution: 'Native',
  version,
  count: { desired: 1, ready: 0 },
  settled: false,
  overdue: true,
  progress: '1/1 updated, 0 ready',
  generation: 1,
  allUpdated: true,
  remaining: 1,
  missing: 1,
});
const spec = vsphereDriversSpec.parse({
  distribution: 'Native',
  vcenters: [{ server: 'vc', credentialsSecret: 's' }],
  cpi: {},
  csi: {},
});

// Found by `npm run simulate -- --operator --replay 22`: a lost note lets both begin, and without it there is nothing to go back to.
it('two drivers that are on their way to a broken release do not wait for each other when a better one comes', () => {
  const target = { distribution: 'Native', version: '1.0.2', rollback: false, sinceMs: 0 } as const;
  const { plan } = planDrivers({
    spec,
    generation: 1,
    matrix: {
      schemaVersion: 1,
      serial: 3,
      published: '2026-01-01',
      releases: (['cpi', 'csi'] as const).flatMap((driver) => [release(driver, '1.0.2'), release(driver, '1.0.3')]),
    },
    kubernetesVersion: 'v1.34.4',
    vcenterVersions: [{ server: 'vc', version: '8.0.3' }],
    running: [broken('cpi', '1.0.2'), broken('csi-controller', '1.0.2'), broken('csi-node', '1.0.2')],
    history: { cpi: { bad: [], target }, csi: { bad: [], target } },
    nowMs: 3_600_000,
    steadyMs: 3_600_000,
    watchingSinceMs: 0,
    upgradeable: 'True',
  });
  expect(plan.cpi?.release.version).toBe('1.0.3');
  expect(plan.csi?.release.version).toBe('1.0.2');
});
