import { fileURLToPath } from 'node:url';
import { partPath } from '../../harness/parts.ts';
import { spawnLogged } from '../../harness/process.ts';
import { run } from '../../harness/run.ts';
import { startVcsim } from '../../harness/vcsim.ts';
import { waitFor } from '../../harness/wait-for.ts';

/** A vCenter to measure on, and the BIOS UUIDs of its VMs. */
export interface BenchVCenter {
  readonly port: number;
  readonly tls: boolean;
  readonly username: string;
  readonly password: string;
  readonly uuids: readonly string[];
  /** Its last words, if it did not survive. */
  log(): string;
  stop(): Promise<void>;
}

const vdoctl = fileURLToPath(new URL('../../../apps/vdoctl/bin/vdoctl.mjs', import.meta.url));

const listUuids = ['object.collect', '-json', '-type', 'm', '/', 'config.uuid'];
const uuidsIn = (listed: string): readonly string[] =>
  [...listed.matchAll(/"(?:_value|val)":\s*"([0-9a-f-]{36})"/gi)].map(([, uuid = '']) => uuid);

/** govmomi's simulator, on which the Go driver was measured. */
export const govmomiVCenter = async (nodes: number): Promise<BenchVCenter> => {
  const vcsim = await startVcsim({
    vms: nodes,
    hosts: Math.max(3, Math.ceil(nodes / 10)),
    datastores: 2,
    tls: false,
  });
  const { port, username, password, stop } = vcsim;
  const uuids = uuidsIn(await vcsim.govc(...listUuids));
  return { port, tls: false, username, password, uuids, log: () => vcsim.process.tail(40), stop };
};

/** Our simulator with its demo of 5 VMs: it runs tasks side by side, as a vCenter does. */
export const ownVCenter = async (): Promise<BenchVCenter> => {
  const process_ = spawnLogged(process.execPath, [vdoctl, 'sandbox', 'vcenter', '--port', '0'], { name: 'vcenter' });
  const port = await waitFor(() => /at https:\/\/127\.0\.0\.1:(\d+)/.exec(process_.tail())?.[1], {
    what: 'the simulated vCenter to listen',
    timeoutMs: 30_000,
    everyMs: 20,
    processes: [process_],
  });
  const [username, password] = ['administrator@vsphere.local', 'obviously-fake'];
  const env = {
    GOVC_URL: `https://127.0.0.1:${port}`,
    GOVC_USERNAME: username,
    GOVC_PASSWORD: password,
    GOVC_INSECURE: 'true',
  };
  const uuids = uuidsIn(await run(partPath('govc'), listUuids, { env }));
  const stop = () => process_.stop();
  return { port: Number(port), tls: true, username, password, uuids, log: () => process_.tail(40), stop };
};
