import { type DriverConfig, defaultCsiConfig, noAddressRules } from '@vdo/config/driver-config';
import { names } from '@vdo/config/names';
import type { LeaseTimes } from '@vdo/kube/create-leader-elector';
import { demoServer, type ProgramParts } from '@vdo/sim-world/create-sim-world';
import { createLoginGuard } from '@vdo/vsphere/session/login-guard';
import { type CsiControllerDeps, createCsiController } from '../app.ts';

const { namespace, upstreamCsiNamespace: leaseNamespace } = names;
const account = { username: 'csi@vsphere.local', password: 'obviously-fake-csi' };

export interface ControllerProgramOptions
  extends Pick<CsiControllerDeps, 'csiEndpoint' | 'actLog' | 'workers' | 'onSpan'>,
    LeaseTimes {
  readonly csi?: Partial<DriverConfig['csi']>;
  /** Default `cluster-a`. */
  readonly clusterId?: string;
}

/** Builds the controller role in a simulated world with one vCenter. */
export const controllerProgram =
  ({ csi, clusterId = 'cluster-a', ...options }: ControllerProgramOptions = {}) =>
  ({ connect, ...parts }: ProgramParts) => {
    const config: DriverConfig = {
      vcenters: [],
      labels: {},
      nodes: { internal: noAddressRules, external: noAddressRules },
      csi: { ...defaultCsiConfig, ...csi },
    };
    const credentials = async () => ({ ...account, version: '1' });
    const vcenter = connect({
      ...parts,
      server: demoServer,
      credentials,
      loginGuard: createLoginGuard(parts),
    });
    const controller = createCsiController({
      ...parts,
      ...options,
      vcenters: [vcenter],
      userOf: async () => account.username,
      config,
      clusterId,
      namespace,
      leaseNamespace,
      sidecars: 'builtin',
    });
    const run = (signal: AbortSignal) => controller.run(signal).then(() => vcenter.close());
    return { controller, run };
  };
