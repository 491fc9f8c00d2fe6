import { createSystemClock } from '@vdo/base/clock';
import {
  type VSphereDrivers,
  type VSphereDriversSpecInput,
  vsphereDrivers,
  vsphereDriversName,
} from '@vdo/config/api/vsphere-drivers';
import { createObjectApplier } from '@vdo/kube/apply/apply-objects';
import type { KubeClient } from '@vdo/kube/client';
import { vdoCrds } from '../shared/operator/vdo-crds.ts';

/** Installs the CRDs of VDO in a cluster. */
export const applyDefinitions = async (kube: KubeClient): Promise<void> => {
  const { applyAll } = createObjectApplier({
    client: kube,
    fieldManager: 'test',
    force: true,
    clock: createSystemClock(),
  });
  await applyAll(
    vdoCrds().map((definition) => ({ ...definition })),
    {},
  );
};

/** Installs the CRDs of VDO and its resource in a cluster. */
export const seedResource = async (
  kube: KubeClient,
  spec: VSphereDriversSpecInput,
  status?: VSphereDrivers['status'],
): Promise<void> => {
  await applyDefinitions(kube);
  const name = vsphereDriversName;
  const resource = { apiVersion: 'vdo.vmware.com/v1beta1', kind: 'VSphereDrivers', metadata: { name }, spec };
  await kube.create(vsphereDrivers, resource as unknown as VSphereDrivers);
  if (status)
    await kube.patch(vsphereDrivers, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
};
