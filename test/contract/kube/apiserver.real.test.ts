import { connectKube } from '@vdo/kube/connect-kube';
import { startControlPlane } from '../../harness/control-plane.ts';
import { kubeContract } from './kube-contract.ts';
import { clock } from './kube-target.ts';

kubeContract('kube-apiserver', async () => {
  const plane = await startControlPlane();
  const client = await connectKube({ kubeconfigPath: plane.kubeconfigPath, env: {}, clock, qps: 0 });
  return {
    client,
    stop: async () => {
      await client.close();
      await plane.stop();
    },
  };
});
