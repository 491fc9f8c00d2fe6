import { startVcsim, type Vcsim } from '../harness/vcsim.ts';
import { type OperatorHouse, operatorNamespace, startOperatorHouse } from './operator-house.ts';

/** The whole house on real parts: etcd, kube-apiserver, kube-controller-manager, vcsim, and our bundles as processes. */
export interface RealHouse extends OperatorHouse {
  readonly vcsim: Vcsim;
}

export const startRealHouse = async (options: { readonly audit?: boolean } = {}): Promise<RealHouse> => {
  const [house, vcsim] = await Promise.all([
    startOperatorHouse({ ...options, namespace: operatorNamespace }),
    startVcsim({ vms: 1, hosts: 2, datastores: 2 }),
  ]);
  return {
    ...house,
    vcsim,
    stop: async () => {
      await house.stop();
      await vcsim.stop();
    },
  };
};
