/**
 * A fault as it was, planted again, and the story that must notice it. Item 1 is kept by three mechanisms, each of which is enough: one
 * fault alone is not noticed.
 */
export interface Mutation {
  /** The item of issue 17. */
  readonly item: number;
  readonly fault: string;
  readonly file: string;
  readonly search: string;
  readonly replace: string;
  readonly test: string;
  /** Part of the test's name. */
  readonly name: string;
}

const operator = 'apps/operator/src';
const kube = 'packages/kube/src';
const stories = 'test/stories/operator';
const releaseTest = `${operator}/decisions/upgrade/decide-release.test.ts`;

export const mutations: readonly Mutation[] = [
  {
    item: 2,
    fault: 'the password of the Secret counts as proven',
    file: `${operator}/gather/proven-accounts.ts`,
    search: 'read.set(version, { username, password });',
    replace: 'read.set(version, { username, password }); proven.set(spec.server, { username, password });',
    test: `${stories}/proven-credentials.test.ts`,
    name: 'does not reach the Native drivers when it is put into the Secret',
  },
  {
    item: 3,
    fault: 'a missing inventory is an empty one',
    file: `${operator}/installer.ts`,
    search: 'findOurs: createFindOurs(options),',
    replace: 'findOurs: async () => [],',
    test: `${stories}/lost-inventory.test.ts`,
    name: 'that is lost is made anew',
  },
  {
    item: 4,
    fault: 'whatever is not settled counts as being changed',
    file: `${operator}/gather/rollout-memory.ts`,
    search: 'const changing = !now.settled && nowMs - now.sinceMs < graceMs;',
    replace: 'const changing = !one.settled;',
    test: `${stories}/honest-availability.test.ts`,
    name: 'is False while no controller runs',
  },
  {
    item: 4,
    fault: 'the grace of a changed template has no end',
    file: `${operator}/gather/rollout-memory.ts`,
    search: 'const graceMs = 2 * 60_000;',
    replace: 'const graceMs = 24 * 3_600_000;',
    test: `${stories}/honest-availability.test.ts`,
    name: 'is False two minutes after a change',
  },
  {
    item: 5,
    fault: 'deadlines are measured by the wall clock',
    file: `${operator}/steady-time.ts`,
    search: 'sinceMs + clock.monotonicMs() - startMs',
    replace: 'clock.now() + 0 * startMs',
    test: `${stories}/honest-availability.test.ts`,
    name: 'is not taken back because a clock was set',
  },
  {
    item: 5,
    fault: 'what was left of more pods is compared with what is left of fewer',
    file: `${operator}/decisions/upgrade/settle-target.ts`,
    search: 'const rebased = target.of !== of;',
    replace: 'const rebased = target.of !== of && target.of === undefined;',
    test: releaseTest,
    name: 'is not bad because nodes leave',
  },
  {
    item: 6,
    fault: 'each change wakes a pass at once',
    file: `${operator}/waker.ts`,
    search: 'looks <= promptLooks ?',
    replace: 'looks > 0 ?',
    test: `${stories}/calls-per-minute.test.ts`,
    name: 'a node is ready and not',
  },
  {
    item: 6,
    fault: 'a field that somebody fights for is repaired at once, each time',
    file: `${kube}/apply/apply-memory.ts`,
    search: 'const waitMs = repairs <= promptRepairs ? 0 :',
    replace: 'const waitMs = repairs > 0 ? 0 :',
    test: `${stories}/contest.test.ts`,
    name: 'is named in Degraded',
  },
  {
    item: 7,
    fault: 'policy Manual upgrades by itself',
    file: `${operator}/decisions/upgrade/decide-release.ts`,
    search: "const keeps = spec.updates.policy === 'Manual' &&",
    replace: "const keeps = spec.updates.policy === 'Pinned' &&",
    test: releaseTest,
    name: 'under policy Manual',
  },
  {
    item: 8,
    fault: 'what has begun is given up for a gate that closed',
    file: `${operator}/decisions/upgrade/decide-release.ts`,
    search: 'if (going) return',
    replace: 'if (going && going.version === "") return',
    test: releaseTest,
    name: 'goes on',
  },
  {
    item: 8,
    fault: 'components go back without a record',
    file: `${operator}/decisions/upgrade/decide-release.ts`,
    search: '  if (target) {\n    const { distribution, version } = running;',
    replace: '  if (target && target.version === "") {\n    const { distribution, version } = running;',
    test: releaseTest,
    name: 'goes back with a record and an event',
  },
  {
    item: 9,
    fault: 'a driver without a release ends the pass',
    file: `${operator}/decisions/upgrade/plan-drivers.ts`,
    search: 'if (!isInstalled || !isVdoError(error)) throw error;',
    replace: 'if (isInstalled || !isVdoError(error)) throw error;',
    test: `${stories}/one-driver-broken.test.ts`,
    name: 'a driver for which there is no release does not keep',
  },
  {
    item: 9,
    fault: 'a driver that cannot be built ends the pass',
    file: `${operator}/pass/render.ts`,
    search: '      if (!isVdoError(error)) throw error;\n      failures[driver] = error;',
    replace: '      if (error) throw error;\n      failures[driver] = error as VdoError;',
    test: `${stories}/one-driver-broken.test.ts`,
    name: 'a driver that cannot be built does not keep',
  },
  {
    item: 9,
    fault: 'what cannot be built is pruned',
    file: `${operator}/converge.ts`,
    search: '&& Object.keys(failures).length === 0',
    replace: '',
    test: `${stories}/one-driver-broken.test.ts`,
    name: 'does not keep',
  },
  {
    item: 9,
    fault: 'a note that nobody can read ends the pass',
    file: `${kube}/config-map-state.ts`,
    search: 'if (!onUnreadable || !(error instanceof VdoError)) throw error;',
    replace: 'if (error) throw error;',
    test: `${stories}/one-driver-broken.test.ts`,
    name: 'is begun anew, with a warning',
  },
  {
    item: 10,
    fault: 'who has lost the Lease writes on',
    file: `${operator}/app.ts`,
    search: '{ assertHeld: () => elector?.assertHeld() }',
    replace: '{ assertHeld: () => {} }',
    test: `${stories}/fence.test.ts`,
    name: 'sends nothing that it was about to write',
  },
  {
    item: 10,
    fault: 'notes are written over whatever is there',
    file: `${operator}/app.ts`,
    search: 'exclusive: true,',
    replace: 'exclusive: false,',
    test: `${stories}/notes.test.ts`,
    name: 'does not write its old notes',
  },
  {
    item: 10,
    fault: 'the status is written over whatever is there',
    file: `${operator}/reconcile.ts`,
    search: 'body: { metadata: { resourceVersion }, status: body }',
    replace: 'body: { metadata: { labels: {} }, status: body }',
    test: `${stories}/fence.test.ts`,
    name: 'does not change the status',
  },
  {
    item: 10,
    fault: 'the inventory is written over whatever is there',
    file: `${kube}/apply/inventory.ts`,
    search: '...(resourceVersion && { resourceVersion }),',
    replace: '',
    test: `${stories}/fence.test.ts`,
    name: 'does not change the inventory',
  },
  {
    item: 12,
    fault: 'silent nodes excuse the pods of others',
    file: `${operator}/gather/excused-pods.ts`,
    search: ' && silent.has(pod.spec.nodeName)',
    replace: '',
    test: `${stories}/honest-availability.test.ts`,
    name: 'does not excuse the broken pod',
  },
  {
    item: 13,
    fault: 'what waits for the checks waits for the next round',
    file: `${operator}/decisions/next-look.ts`,
    search: "if (observation.checks && observation.holds?.some(({ reason }) => reason === 'ChecksPending')) return 0;",
    replace: '',
    test: `${stories}/new-leader.test.ts`,
    name: 'begins a minor upgrade within the minute',
  },
  {
    item: 15,
    fault: 'a pass at rest applies everything',
    file: `${operator}/installer.ts`,
    search: '    ...options,\n    inventory,',
    replace:
      '    client: options.client,\n    fieldManager: options.fieldManager,\n    clock: options.clock,\n    logger: options.logger,\n    inventory,',
    test: `${stories}/calls-per-minute.test.ts`,
    name: 'somebody fights over a field',
  },
];
