import { createSystemClock } from '@vdo/base/clock';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { describe } from 'vitest';
import { createSimTarget, startSimTarget } from './sim-target.ts';
import { describeSsoContract } from './sso-contract.ts';
import type { Target } from './target.ts';
import { describeVCenterContract } from './vcenter-contract.ts';

const startServed = async (): Promise<Target> => {
  const { sim, target } = createSimTarget();
  const server = await serveVSphereSim(sim, { clock: createSystemClock() });
  const place = { name: 'vsphere-sim over TLS', server: server.host, port: server.port };
  return { ...target, ...place, thumbprint: server.thumbprints.sha256, stop: () => server.close() };
};

describe('vCenter contract on vsphere-sim over TLS', () => describeVCenterContract(startServed));
describe('single sign-on contract on vsphere-sim', () => describeSsoContract(() => startSimTarget()));
