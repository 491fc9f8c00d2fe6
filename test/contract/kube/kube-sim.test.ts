import { silentLogger } from '@vdo/base/logger';
import { createKubeClient } from '@vdo/kube/create-client';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { kubeContract } from './kube-contract.ts';
import { clock, random } from './kube-target.ts';

kubeContract('kube-sim', async () => {
  const sim = createKubeSim({ clock, random, logger: silentLogger });
  const controller = new AbortController();
  const controllers = sim.run(controller.signal);
  const client = createKubeClient({ transport: sim.handler, clock, qps: 0 });
  return {
    client,
    stop: async () => {
      controller.abort();
      await controllers;
    },
  };
});
