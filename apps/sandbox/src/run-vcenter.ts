import { readFile } from 'node:fs/promises';
import { createSystemClock } from '@vdo/base/clock';
import { createSystemRandom } from '@vdo/base/random';
import { toVdoError, VdoError } from '@vdo/base/vdo-error';
import { withControlEndpoint } from '@vdo/vsphere-sim/control-endpoint';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';
import { aborted } from './aborted.ts';
import type { VCenterFlags } from './cli.ts';

const readModel = async (path: string): Promise<VSphereModel> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new VdoError({
      code: 'ConfigInvalid',
      message: `cannot read the inventory ${path}: ${message}`,
      remedy: 'Name a JSON file with --model, or leave it out for the demo inventory.',
      cause,
    });
  }
};

/** Runs the simulated vCenter until aborted; true if it ended in order. */
export const runVCenter = async (options: {
  readonly flags: VCenterFlags;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}): Promise<boolean> => {
  const { flags, write, signal } = options;
  try {
    const clock = createSystemClock();
    const model = flags.model === undefined ? demoModel() : await readModel(flags.model);
    const sim = createVSphereSim({ model, clock, random: createSystemRandom() });
    const { username, password } = model.administrator ?? {
      username: 'administrator@vsphere.local',
      password: 'obviously-fake',
    };
    const server = await serveVSphereSim(
      { handler: withControlEndpoint(sim) },
      { clock, host: flags.host, port: flags.port },
    );
    write(
      `Simulated vCenter at ${server.url}\n  account      ${username} / ${password}\n  thumbprint   ${server.thumbprints.sha256}\n`,
    );
    write(
      `  try          GOVC_URL=${server.url} GOVC_USERNAME=${username} GOVC_PASSWORD=${password} GOVC_INSECURE=1 govc about\n`,
    );
    write('Press Ctrl-C to stop.\n');
    await aborted(signal);
    await server.close();
    return true;
  } catch (error) {
    const { code, message, remedy } = toVdoError(error);
    write(`${code}: ${message}\n${remedy}\n`);
    return false;
  }
};
