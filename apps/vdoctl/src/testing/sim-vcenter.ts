import { createSystemClock } from '@vdo/base/clock';
import { createSimWorldOn } from '@vdo/sim-world/create-sim-world';
import type { VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';

export const administrator = { username: 'administrator@vsphere.local', password: 'obviously-fake' };

export interface SimVCenter {
  readonly sim: VSphereSim;
  readonly server: string;
  readonly port: number;
  readonly thumbprint: string;
  /** Flags that select it, without the password. */
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** A simulated vCenter on loopback, with the flags for vdoctl. */
export const serveSimVCenter = async (
  sim: VSphereSim,
  account: { readonly username: string; readonly password: string } = administrator,
): Promise<SimVCenter> => {
  const served = await serveVSphereSim(sim, { clock: createSystemClock() });
  const { host: server, port } = served;
  const thumbprint = served.thumbprints.sha256;
  return {
    sim,
    server,
    port,
    thumbprint,
    flags: ['--server', server, '--port', String(port), '--user', account.username, '--thumbprint', thumbprint],
    env: { VDO_VCENTER_PASSWORD: account.password },
    stop: () => served.close(),
  };
};

/** Only the demo vCenter. */
export const startSimVCenter = (account: typeof administrator): Promise<SimVCenter> =>
  serveSimVCenter(createSimWorldOn(createSystemClock(), { seed: 1, controllers: false }).vc(), account);
