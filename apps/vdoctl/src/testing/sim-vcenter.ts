import { createSystemClock } from '@vdo/base/clock';
import { createSeededRandom } from '@vdo/base/random';
import { createVSphereSim, type VSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';

export interface SimVCenter {
  readonly sim: VSphereSim;
  /** Flags that lead to it, without the password. */
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The demo vCenter on loopback, and how vdoctl finds it. */
export const startSimVCenter = async (account: {
  readonly username: string;
  readonly password: string;
}): Promise<SimVCenter> => {
  const clock = createSystemClock();
  const sim = createVSphereSim({ model: demoModel(), clock, random: createSeededRandom(1) });
  const served = await serveVSphereSim(sim, { clock });
  const { host, port, thumbprints } = served;
  return {
    sim,
    flags: ['--server', host, '--port', String(port), '--user', account.username, '--thumbprint', thumbprints.sha256],
    env: { VDO_VCENTER_PASSWORD: account.password },
    stop: () => served.close(),
  };
};
