import { startVcsim, type Vcsim } from '../harness/vcsim.ts';
import { type OperatorTestbed, operatorNamespace, startOperatorTestbed } from './operator-testbed.ts';

/** The whole testbed on real parts: etcd, kube-apiserver, kube-controller-manager, vcsim, and our bundles as processes. */
export interface RealTestbed extends OperatorTestbed {
  readonly vcsim: Vcsim;
}

export const startRealTestbed = async (options: { readonly audit?: boolean } = {}): Promise<RealTestbed> => {
  const [testbed, vcsim] = await Promise.all([
    startOperatorTestbed({ ...options, namespace: operatorNamespace }),
    startVcsim({ vms: 1, hosts: 2, datastores: 2 }),
  ]);
  return {
    ...testbed,
    vcsim,
    stop: async () => {
      await testbed.stop();
      await vcsim.stop();
    },
  };
};
