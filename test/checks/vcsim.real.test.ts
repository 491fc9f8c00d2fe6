import { createSystemClock } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSystemRandom } from '@vdo/base/random';
import { allChecks } from '@vdo/checks/all-checks';
import { type CheckOutcome, checkGroups } from '@vdo/checks/check';
import { runChecks } from '@vdo/checks/run-checks';
import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { gatherFacts } from '@vdo/gather/gather-facts';
import { createKubeClient } from '@vdo/kube/create-client';
import { namespaces, secrets } from '@vdo/kube/types/core';
import { createKubeSim } from '@vdo/kube-sim/kube-sim';
import { createVCenter, type FullVCenter } from '@vdo/vsphere/create-vcenter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startVcsim, type Vcsim } from '../harness/vcsim.ts';
import { splitCommands, wordsOf } from './remedy-commands.ts';
import { namespace } from './testbed-model.ts';
import { put, secretObject } from './testbed-objects.ts';

const vmName = 'DC0_C0_RP0_VM0';
const vmPath = `/DC0/vm/${vmName}`;

describe('checks on govmomi’s vCenter simulator', () => {
  let vcsim: Vcsim;
  let vcenter: FullVCenter;
  let judge: () => Promise<readonly CheckOutcome[]>;
  const clock = createSystemClock();

  beforeAll(async () => {
    vcsim = await startVcsim({ vms: 1, hosts: 2, datastores: 1 });
    const random = createSystemRandom();
    vcenter = createVCenter({
      server: vcsim.host,
      port: vcsim.port,
      tls: { thumbprints: [vcsim.thumbprintSha256] },
      credentials: async () => ({ username: vcsim.username, password: vcsim.password, version: '1' }),
      clock,
      random,
      logger: silentLogger,
      metrics: createMetrics(),
    });
    const kube = createKubeClient({
      transport: createKubeSim({ clock, random, logger: silentLogger }).handler,
      clock,
      qps: 0,
    });
    await put(kube, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await put(kube, secrets, secretObject('vcenter', vcsim));
    const spec = vsphereDriversSpec.parse({
      distribution: 'Native',
      vcenters: [
        {
          server: vcsim.host,
          port: vcsim.port,
          credentialsSecret: 'vcenter',
          tls: { thumbprints: [vcsim.thumbprintSha256] },
        },
      ],
      cpi: {},
      csi: {},
      topology: { zone: 'k8s-zone' },
    });
    judge = async () => {
      const uuid = (await vcsim.govc('object.collect', '-s', vmPath, 'config.uuid')).trim();
      const node = {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'node-1', labels: { 'topology.kubernetes.io/zone': 'zone-a' } },
        spec: { providerID: `vsphere://${uuid}` },
        status: { nodeInfo: { systemUUID: uuid, kubeletVersion: 'v1.34.4', operatingSystem: 'linux' } },
      };
      const facts = await gatherFacts(
        {
          kube,
          spec,
          namespace,
          vcenters: spec.vcenters.map((one) => ({ spec: one, vcenter })),
          releases: { drivers: [] },
          vsphereSupport: () => ({ min: '6.7.3', max: '9.0', verdict: 'inside' }),
          clock,
          probes: {},
          nodes: [node],
        },
        { groups: checkGroups },
        { signal: new AbortController().signal },
      );
      return runChecks(allChecks, facts);
    };
  });
  afterAll(async () => {
    await vcenter?.close();
    await vcsim?.stop();
  });

  const outcomeOf = async (id: string): Promise<CheckOutcome> => {
    const outcomes = (await judge()).filter((outcome) => outcome.id === id);
    const worst = outcomes.find(({ result }) => result === 'Fail' || result === 'Warn') ?? outcomes[0];
    if (!worst) throw new Error(`no outcome of ${id}`);
    return worst;
  };
  /** Runs what the remedy says with the real govc; kubectl has no cluster here. */
  const follow = async (outcome: CheckOutcome, fill: (line: string) => string = (line) => line): Promise<void> => {
    const lines = (outcome.commands ?? splitCommands(outcome.remedy)).filter((line) => line.startsWith('govc '));
    expect(lines.length).toBeGreaterThan(0);
    // Guests here have no Tools that could shut them down.
    for (const line of lines)
      await vcsim.govc(
        ...wordsOf(fill(line))
          .slice(1)
          .map((word) => (word === '-s' ? '-off' : word)),
      );
  };

  it('reach it, log in and find the VM', async () => {
    for (const id of [
      'vcenter/tcp',
      'vcenter/thumbprint',
      'vcenter/clock-skew',
      'vcenter/session-leak',
      'credentials/login',
      'node/vm-found',
      'node/uuid-match',
      'node/esxi-version',
      'privileges/root',
      'privileges/node-vms',
      'privileges/ancestors-readable',
    ])
      expect(await outcomeOf(id)).toMatchObject({ id, result: 'Pass' });
  });

  it('see an account with too many rights', async () => {
    expect(await outcomeOf('privileges/excess-privilege')).toMatchObject({ result: 'Warn', reason: 'ExcessPrivilege' });
  });

  it('see a full controller, and what the remedy makes of it', async () => {
    // Older hardware has fewer places: this comes before it is upgraded.
    for (let index = 0; index < 14; index++)
      await vcsim.govc('vm.disk.create', '-vm', vmPath, '-name', `${vmName}/extra-${index}`, '-size', '1M');
    const full = await outcomeOf('node/disk-slots');
    expect(full).toMatchObject({ result: 'Fail', reason: 'NoDiskSlots' });
    await follow(full);
    expect((await outcomeOf('node/disk-slots')).reason).not.toBe('NoDiskSlots');
  });

  it('see old hardware, and what the remedy makes of it', async () => {
    const old = await outcomeOf('node/hardware-version');
    expect(old).toMatchObject({ result: 'Fail', reason: 'HardwareTooOld' });
    expect(old.commands).toEqual([expect.stringContaining('vdoctl doctor --only node/hardware-version')]);
    // What that does to the VM: guests here have no Tools by which vdoctl could shut them down.
    await vcsim.govc('vm.power', '-off', vmPath);
    await vcsim.govc('vm.upgrade', '-version=15', '-vm', vmPath);
    await vcsim.govc('vm.power', '-on', vmPath);
    expect(await outcomeOf('node/hardware-version')).toMatchObject({ result: 'Pass' });
  });

  it('see a snapshot, and what the remedy makes of it', async () => {
    await vcsim.govc('snapshot.create', '-vm', vmPath, 'nightly');
    const taken = await outcomeOf('node/vm-snapshot');
    expect(taken).toMatchObject({ result: 'Warn', reason: 'VmHasSnapshot' });
    await follow(taken);
    expect(await outcomeOf('node/vm-snapshot')).toMatchObject({ result: 'Pass' });
  });

  it('see a category and a tag that are missing, and what the remedies make of them', async () => {
    const category = await outcomeOf('topology/categories-exist');
    expect(category).toMatchObject({ result: 'Fail', reason: 'CategoryMissing' });
    await follow(category);
    expect(await outcomeOf('topology/categories-exist')).toMatchObject({ result: 'Pass' });
    const tag = await outcomeOf('topology/tags-in-ancestry');
    expect(tag).toMatchObject({ result: 'Fail', reason: 'TagMissing' });
    await follow(tag, (line) => line.replace(' TAG', ' zone-a'));
    expect(await outcomeOf('topology/tags-in-ancestry')).toMatchObject({ result: 'Pass' });
    expect(await outcomeOf('topology/labels-match')).toMatchObject({ result: 'Pass' });
  });
});

describe('govc', () => {
  let vcsim: Vcsim;
  beforeAll(async () => {
    vcsim = await startVcsim({ vms: 1 });
  });
  afterAll(() => vcsim?.stop());

  const commands = new Map<string, Set<string>>();
  const lines = allChecks.flatMap(({ remedy }) => remedy.split(/[,;] or /).flatMap(splitCommands));
  for (const line of lines.filter((one) => one.startsWith('govc '))) {
    const [, name = '', ...words] = wordsOf(line);
    const flags = commands.get(name) ?? new Set<string>();
    for (const word of words) if (/^-[a-z]/i.test(word)) flags.add(word.split('=')[0] ?? '');
    commands.set(name, flags);
  }

  it.each([...commands].map(([name, flags]) => [name, [...flags]] as const))(
    'has the command %s with %j',
    async (name, flags) => {
      const help = await vcsim
        .govc(name, '-h')
        .catch((error: unknown) => String(error instanceof Error ? error.message : error));
      expect(help).toContain(name);
      for (const flag of flags) expect(help).toMatch(new RegExp(`^\\s+${flag}[= ]`, 'm'));
    },
  );
});
