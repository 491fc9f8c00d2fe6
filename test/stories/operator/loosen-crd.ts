import type { KubeClient } from '@vdo/kube/client';
import { customResourceDefinitions } from '@vdo/kube/types/cluster';

/** As it is where the CRD is older than the operator: whatever people write reaches the operator. */
export const loosenCrd = async (kube: KubeClient): Promise<void> => {
  const name = 'vspheredrivers.vdo.vmware.com';
  const crd = await kube.get(customResourceDefinitions, { name });
  const open = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = (crd.spec['versions'] as readonly object[]).map((one) => ({ ...one, schema: open }));
  await kube.patch(customResourceDefinitions, { name }, { type: 'merge', body: { spec: { versions } } });
};
