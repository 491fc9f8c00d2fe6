import { readFile } from 'node:fs/promises';
import { aborted } from '@vdo/base/async/aborted';
import { createSystemClock } from '@vdo/base/clock';
import { createSystemRandom } from '@vdo/base/random';
import { VdoError } from '@vdo/base/vdo-error';
import { withControlEndpoint } from '@vdo/vsphere-sim/control-endpoint';
import { createVSphereSim } from '@vdo/vsphere-sim/create-vsphere-sim';
import { demoModel } from '@vdo/vsphere-sim/demo-model';
import type { VSphereModel } from '@vdo/vsphere-sim/model';
import { serveVSphereSim } from '@vdo/vsphere-sim/serve';

export interface VCenterOptions {
  readonly host: string;
  readonly port: number;
  /** A JSON file with the inventory; absent: the demo inventory. */
  readonly model?: string;
}

const readModel = async (path: string): Promise<VSphereModel> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new VdoError({
      code: 'ConfigInvalid',
      message: `cannot read the inventory ${path}: ${message}`,
      remedy: 'Pass a JSON file with --model, or remove the flag to use the demo inventory.',
      cause,
    });
  }
};

/** Runs the simulated vCenter until aborted. */
export const runVCenter = async (
  options: VCenterOptions,
  { write, signal }: { readonly write: (text: string) => void; readonly signal: AbortSignal },
): Promise<void> => {
  const clock = createSystemClock();
  const model = options.model === undefined ? demoModel() : await readModel(options.model);
  const sim = createVSphereSim({ model, clock, random: createSystemRandom() });
  const { username, password } = model.administrator ?? {
    username: 'administrator@vsphere.local',
    password: 'obviously-fake',
  };
  const { host, port } = options;
  const server = await serveVSphereSim({ handler: withControlEndpoint(sim) }, { clock, host, port });
  const lines = [
    `Simulated vCenter at ${server.url}`,
    `  account      ${username} / ${password}`,
    `  thumbprint   ${server.thumbprints.sha256}`,
    `  try          GOVC_URL=${server.url} GOVC_USERNAME=${username} GOVC_PASSWORD=${password} GOVC_INSECURE=1 govc about`,
    'Press Ctrl-C to stop.',
  ];
  write(`${lines.join('\n')}\n`);
  await aborted(signal);
  await server.close();
};
