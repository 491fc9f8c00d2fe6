import { vsphereDrivers } from '@vdo/config/api/vsphere-drivers';
import { renderRemovalPolicy } from '@vdo/releases/render/shared/removal-policy';
import { vdoCrds } from '@vdo/vdoctl/shared/operator/vdo-crds';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from '../harness/control-plane.ts';
import { waitFor } from '../harness/wait-for.ts';

let plane: ControlPlane;
const name = 'cluster';
const finalizer = 'vdo.vmware.com/drivers';
const spec = {
  distribution: 'Native',
  vcenters: ['a.example.com', 'b.example.com'].map((server) => ({ server, credentialsSecret: 'vcenter' })),
  topology: { zone: 'k8s-zone' },
  csi: {},
  cpi: {},
};
const counted = (volumes: object = {}) => ({
  total: 2,
  attachments: 1,
  unplaced: 0,
  vcenters: [
    { server: 'a.example.com', volumes: 2 },
    { server: 'b.example.com', volumes: 0 },
  ],
  countedAt: '2026-01-01T12:00:00Z',
  ...volumes,
});

const apply = (items: readonly unknown[]) =>
  plane.kubectl(['apply', '--server-side', '-f', '-'], {
    stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  });
const merge = (body: object, ...more: readonly string[]) =>
  plane.kubectl(['patch', vsphereDrivers.plural, name, '--type=merge', '-p', JSON.stringify(body), ...more]);
const dryRun = '--dry-run=server';
const remove = (...more: readonly string[]) =>
  plane.kubectl(['delete', vsphereDrivers.plural, name, '--wait=false', ...more]);
const count = (volumes: object | null) => merge({ status: { volumes } }, '--subresource=status');
const onlyA = { spec: { vcenters: spec.vcenters.slice(0, 1) } };
const onlyB = { spec: { vcenters: spec.vcenters.slice(1) } };

// Kubernetes 1.30 and later decide by themselves, by what the operator has counted.
describe('admission of what would strand volumes', () => {
  beforeAll(async () => {
    plane = await startControlPlane({ controllers: [] });
    await apply(vdoCrds());
    await plane.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
    await apply(renderRemovalPolicy({ namespace: 'vmware-system-vdo' }));
    await apply([{ apiVersion: 'vdo.vmware.com/v1beta1', kind: 'VSphereDrivers', metadata: { name }, spec }]);
    await count(counted());
    // The API server takes a moment to follow new policies.
    await waitFor(
      () =>
        remove(dryRun).then(
          () => false,
          () => true,
        ),
      { what: 'the policy' },
    );
  });
  afterAll(async () => {
    await plane?.stop();
  });
  beforeEach(async () => {
    await count(counted());
  });

  it('refuses a deletion, and tells what would be lost, how old that is and what one can do', async () => {
    await expect(remove()).rejects.toThrow(
      /2 PersistentVolumes and 1 VolumeAttachments of csi\.vsphere\.vmware\.com \(counted 2026-01-01T12:00:00Z\) would lose their driver\. .*'\{"spec":\{"deletionPolicy":"Orphan"\}\}'.*vdo\.vmware\.com\/allow-removal=true/,
    );
  });

  it('refuses to take spec.csi away', async () => {
    await expect(merge({ spec: { csi: null } }, dryRun)).rejects.toThrow(/without spec\.csi/);
    await expect(merge({ spec: { cpi: null } }, dryRun)).resolves.toBeDefined();
  });

  it('refuses to take a vCenter away that has volumes, or may have some, and lets another one go', async () => {
    await expect(merge(onlyB, dryRun)).rejects.toThrow(/missing from spec\.vcenters/);
    await expect(merge(onlyA, dryRun)).resolves.toBeDefined();
    await count(counted({ unplaced: 1 }));
    await expect(merge(onlyA, dryRun)).rejects.toThrow(/missing from spec\.vcenters/);
  });

  it.each([
    ['a label', { metadata: { labels: { team: 'storage' } } }],
    ['a finalizer', { metadata: { finalizers: [finalizer] } }],
    ['a setting', { spec: { advanced: { logLevel: 'debug' } } }],
    ['a vCenter more', { spec: { vcenters: [...spec.vcenters, { server: 'c', credentialsSecret: 'vcenter' }] } }],
  ])('lets %s pass', async (_what, body) => {
    await expect(merge(body, dryRun)).resolves.toBeDefined();
  });

  it.each([
    ['nothing was counted', null],
    ['there are none', counted({ total: 0, attachments: 0 })],
  ])('refuses nothing while %s', async (_why, volumes) => {
    await count(volumes);
    await expect(remove(dryRun)).resolves.toBeDefined();
    await expect(merge({ spec: { csi: null } }, dryRun)).resolves.toBeDefined();
  });

  it('yields to who says that it is meant so, in the same edit too', async () => {
    const allowed = { annotations: { 'vdo.vmware.com/allow-removal': 'true' } };
    await expect(merge({ metadata: allowed, ...onlyB }, dryRun)).resolves.toBeDefined();
    await expect(merge({ spec: { csi: null, deletionPolicy: 'Orphan' } }, dryRun)).resolves.toBeDefined();
    await merge({ metadata: allowed });
    await expect(remove(dryRun)).resolves.toBeDefined();
    await merge({ metadata: { annotations: { 'vdo.vmware.com/allow-removal': null } } });
    await merge({ spec: { deletionPolicy: 'Orphan' } });
    await expect(remove(dryRun)).resolves.toBeDefined();
    await merge({ spec: { deletionPolicy: 'Protect' } });
    await expect(remove(dryRun)).rejects.toThrow(/would lose their driver/);
  });

  it('never stands in the way of the operator', async () => {
    await expect(
      merge(
        { spec: { csi: null } },
        dryRun,
        '--as=system:serviceaccount:vmware-system-vdo:vdo-operator',
        '--as-group=system:masters',
      ),
    ).resolves.toBeDefined();
  });

  it('lets everything pass once the resource is marked: finalizers, settings, and the mark itself', async () => {
    await merge({ metadata: { finalizers: [finalizer] }, spec: { deletionPolicy: 'Orphan' } });
    await remove();
    await merge({ spec: { deletionPolicy: 'Protect' } });
    await expect(merge({ spec: { csi: null } }, dryRun)).resolves.toBeDefined();
    await expect(remove(dryRun)).resolves.toBeDefined();
    await merge({ metadata: { finalizers: null } });
    await expect(plane.kubectl(['get', vsphereDrivers.plural, name])).rejects.toThrow(/not found/i);
  });
});
