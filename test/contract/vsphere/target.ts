import { createSystemClock } from '@vdo/base/clock';
import type { HttpTransport } from '@vdo/base/http';
import { type Logger, silentLogger } from '@vdo/base/logger';
import { createMetrics, type Metrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { createVCenter, type FullVCenter, type VCenterOptions } from '@vdo/vsphere/create-vcenter';

/** Changes that the contract needs to make behind the client's back. VMs and objects go by inventory name. */
export interface TargetControl {
  powerOff(vm: string): Promise<void>;
  rename(vm: string, name: string): Promise<void>;
  destroy(vm: string): Promise<void>;
  /** Creates category and tag if needed, and attaches the tag to an object given by inventory path. */
  tag(category: string, tag: string, path: string): Promise<void>;
  /** Ends every session, as a restart or an administrator does. */
  endSessions(): Promise<void>;
}

/** A simulated vCenter with one datacenter DC0, one cluster DC0_C0 of at least two hosts, and VMs DC0_C0_RP0_VM0 to VM3. */
export interface Target {
  readonly name: string;
  readonly server: string;
  readonly port: number;
  /** Of the server's certificate; empty if the transport is given. */
  readonly thumbprint: string;
  readonly transport?: HttpTransport;
  readonly username: string;
  readonly password: string;
  readonly control: TargetControl;
  stop(): Promise<void>;
}

export interface Connection {
  readonly vcenter: FullVCenter;
  readonly metrics: Metrics;
  /** How many calls with the given method name were made so far, whatever their result. */
  calls(method?: string): Promise<number>;
}

/** A client of the target with metrics of its own. */
export const connectTo = (
  target: Target,
  overrides: Partial<VCenterOptions> & { readonly password?: string } = {},
): Connection => {
  const metrics = createMetrics();
  const { password = target.password, ...rest } = overrides;
  const logger: Logger = silentLogger;
  const vcenter = createVCenter({
    server: target.server,
    port: target.port,
    credentials: async () => ({ username: target.username, password, version: password }),
    ...(target.thumbprint === '' ? {} : { tls: { thumbprints: [target.thumbprint] } }),
    ...(target.transport ? { transport: target.transport } : {}),
    clock: createSystemClock(),
    random: createSystemRandom(),
    logger,
    metrics,
    ...rest,
  });
  const calls = async (method?: string): Promise<number> => {
    const { body } = await metrics.expose();
    const lines = body.split('\n').filter((line) => line.startsWith('vdo_vcenter_calls_total{'));
    const wanted = method === undefined ? lines : lines.filter((line) => line.includes(`method="${method}"`));
    return wanted.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  return { vcenter, metrics, calls };
};
