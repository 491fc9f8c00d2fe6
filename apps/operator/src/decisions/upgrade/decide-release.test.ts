import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import type { Release } from '@vdo/releases/matrix';
import type { DriverHistory } from '@vdo/releases/release-history';
import { describe, expect, it } from 'vitest';
import type { Component, ComponentObservation } from '../../observation.ts';
import { decideRelease, type ReleaseInput } from './decide-release.ts';
import { excuseSilentNodes } from './excuse-silent-nodes.ts';

const release = (version: string, overrides: Partial<Release> = {}): Release => ({
  driver: 'csi',
  distribution: 'Native',
  version,
  kubernetes: { min: '1.28', max: '1.37' },
  vsphere: { min: '6.7.3', max: '9.0' },
  layout: 'native-csi-1',
  images: { vdo: { repository: 'vdo/vdo', tag: version } },
  ...overrides,
});
const matrix = (serial: number, ...versions: readonly string[]) => ({
  schemaVersion: 1 as const,
  serial,
  published: '2026-01-01',
  releases: versions.map((version) => release(version)),
});
const expired = (...versions: readonly string[]) => ({ ...matrix(2, ...versions), notAfter: '1969-12-31' });
const component = (
  name: Component,
  version: string,
  overrides: Partial<ComponentObservation> = {},
): ComponentObservation => ({
  component: name,
  kind: name === 'csi-node' ? 'DaemonSet' : 'Deployment',
  namespace: 'n',
  name,
  ours: true,
  distribution: 'Native',
  version,
  count: { desired: 1, ready: 1 },
  settled: true,
  overdue: false,
  progress: '1/1 updated, 1 ready',
  generation: 1,
  allUpdated: true,
  remaining: 0,
  missing: 0,
  ...overrides,
});
const at = (controller: string, node = controller, overrides: Partial<ComponentObservation> = {}) => [
  component('csi-controller', controller, overrides),
  component('csi-node', node),
];
const spec = (updates: object = {}) =>
  vsphereDriversSpec.parse({
    distribution: 'Native',
    vcenters: [{ server: 'vc', credentialsSecret: 's' }],
    cpi: {},
    csi: {},
    updates,
  });
const minute = 60_000;
const input = (overrides: Partial<ReleaseInput> = {}): ReleaseInput => ({
  driver: 'csi',
  spec: spec(),
  generation: 1,
  matrix: matrix(1, '1.0.0'),
  kubernetesVersion: 'v1.34.4',
  vcenterVersions: [{ server: 'vc', version: '8.0.3' }],
  running: [],
  history: { bad: [] },
  nowMs: 100 * minute,
  steadyMs: 100 * minute,
  watchingSinceMs: 0,
  upgradeable: 'True',
  ...overrides,
});
const good = release('1.0.0');
const begun = (version: string, sinceMs: number, left = 10, of = 2) => ({
  distribution: 'Native' as const,
  version,
  rollback: false,
  left,
  of,
  sinceMs,
});
/** Of a controller that was applied and has no new pod, beside nodes of before. */
const stuck = 9;
const waiting = { settled: false, progress: '0/1 updated', remaining: 3, missing: 1, count: { desired: 1, ready: 0 } };

describe('the release of a driver', () => {
  it('is installed at once, whatever the window and the checks say', () => {
    const decision = decideRelease(
      input({ spec: spec({ window: { start: '00:00', duration: '1m' } }), upgradeable: 'False' }),
    );
    expect(decision).toMatchObject({ release: { version: '1.0.0' }, history: { bad: [] }, news: [] });
    expect(decision.hold).toBeUndefined();
  });

  it('is good once every pod of every component is ready, and not before', () => {
    expect(decideRelease(input({ running: at('1.0.0') })).history.good).toEqual(good);
    expect(decideRelease(input({ running: at('1.0.0', '1.0.0', waiting) })).history.good).toBeUndefined();
    expect(decideRelease(input({ running: [component('csi-controller', '1.0.0')] })).history.good).toBeUndefined();
  });

  it('changes to a newer one, which is noted with the time', () => {
    const decision = decideRelease(
      input({ matrix: matrix(2, '1.0.0', '1.1.0'), running: at('1.0.0'), history: { good, bad: [] } }),
    );
    expect(decision).toMatchObject({
      release: { version: '1.1.0' },
      previous: { version: '1.0.0' },
      history: { target: { version: '1.1.0', rollback: false, sinceMs: 100 * minute } },
      news: [{ reason: 'UpgradeStarted' }],
    });
  });

  it.each([
    ['the window', { spec: spec({ window: { start: '03:00', duration: '1h' } }) }, 'OutsideWindow'],
    ['failing checks, if it is another minor', { upgradeable: 'False' as const }, 'UpgradeBlocked'],
    ['the first checks', { upgradeable: undefined }, 'ChecksPending'],
    ['a matrix that is not expired', { matrix: expired('1.0.0', '1.1.0') }, 'MatrixExpired'],
    ['the other driver', { busy: { reason: 'WaitsForOtherDriver', message: 'm' } }, 'WaitsForOtherDriver'],
  ])('waits for %s', (_what, overrides, reason) => {
    const world = { matrix: matrix(2, '1.0.0', '1.1.0'), running: at('1.0.0'), history: { good, bad: [] } };
    const decision = decideRelease(input({ ...world, ...overrides }));
    expect(decision).toMatchObject({ release: { version: '1.0.0' }, available: '1.1.0', hold: { reason } });
    expect(decision.history.target).toBeUndefined();
  });

  it('waits with an expired matrix for nothing but upgrades', () => {
    const past = { matrix: expired('1.0.0', '1.1.0'), history: { good, bad: [] } };
    // The first installation, keeping and repairing what runs, and the way back.
    expect(decideRelease(input({ matrix: past.matrix })).release.version).toBe('1.1.0');
    const kept = decideRelease(input({ ...past, running: at('1.1.0', '1.1.0', waiting) }));
    expect(kept).toMatchObject({ release: { version: '1.1.0' } });
    expect(kept.hold).toBeUndefined();
    const bad = [{ distribution: 'Native' as const, version: '1.1.0', reason: 'it crashed', serial: 2, generation: 1 }];
    const back = decideRelease(input({ ...past, history: { good, bad }, running: at('1.1.0') }));
    expect(back).toMatchObject({ release: { version: '1.0.0' }, history: { target: { rollback: true } } });
    const begunBefore = { good, bad: [], target: begun('1.1.0', 99 * minute) };
    const going = decideRelease(input({ ...past, history: begunBefore, running: at('1.1.0', '1.0.0', waiting) }));
    expect(going.release.version).toBe('1.1.0');
  });

  it('does not wait for failing checks if it is a patch', () => {
    const world = { matrix: matrix(2, '1.0.0', '1.0.1'), running: at('1.0.0'), history: { good, bad: [] } };
    expect(decideRelease(input({ ...world, upgradeable: 'False' })).release.version).toBe('1.0.1');
  });

  it('is not stuck while it moves, nor before anything of it was applied', () => {
    const history = { good, bad: [], target: begun('1.1.0', 0) };
    const world = { matrix: matrix(2, '1.0.0', '1.1.0'), history };
    const moving = decideRelease(input({ ...world, running: at('1.1.0', '1.0.0', waiting) }));
    expect(moving.history).toMatchObject({ bad: [], target: { sinceMs: 100 * minute } });
    const unapplied = decideRelease(input({ ...world, running: at('1.0.0') }));
    expect(unapplied.history).toMatchObject({ bad: [], target: { version: '1.1.0' } });
  });

  it('is bad after ten minutes without a move, and the good one comes back at once', () => {
    const history = { good, bad: [], target: begun('1.1.0', 90 * minute, stuck) };
    const running = [component('csi-controller', '1.1.0', waiting), component('csi-node', '1.0.0')];
    const decision = decideRelease(input({ matrix: matrix(2, '1.0.0', '1.1.0'), running, history }));
    expect(decision).toMatchObject({
      release: { version: '1.0.0' },
      history: { bad: [{ version: '1.1.0', serial: 2, generation: 1 }], target: { version: '1.0.0', rollback: true } },
      news: [
        { reason: 'UpgradeFailed' },
        { reason: 'RollbackStarted', message: 'Rolling back CSI from Native 1.1.0 to Native 1.0.0.' },
      ],
    });
    const early = decideRelease(
      input({
        matrix: matrix(2, '1.0.0', '1.1.0'),
        running,
        history: { ...history, target: begun('1.1.0', 91 * minute, stuck) },
      }),
    );
    expect(early.history.bad).toEqual([]);
  });

  it('is not saved by pods that become ready and crash, again and again', () => {
    const at = (ready: number, left: number, sinceMs: number) => {
      const crashing = { settled: false, remaining: 4 - ready, missing: 2, count: { desired: 2, ready } };
      const running = [component('csi-controller', '1.1.0'), component('csi-node', '1.1.0', crashing)];
      const history = { good, bad: [], target: begun('1.1.0', sinceMs, left, 3) };
      return decideRelease(input({ matrix: matrix(2, '1.0.0', '1.1.0'), running, history })).history;
    };
    expect(at(2, 4, 95 * minute)).toMatchObject({ bad: [], target: { left: 3, sinceMs: 100 * minute } });
    expect(at(1, 3, 95 * minute)).toMatchObject({ bad: [], target: { left: 3, stoodMs: 5 * minute } });
    expect(at(2, 3, 90 * minute).bad).toMatchObject([{ version: '1.1.0' }]);
  });

  it('is good although pods are missing on nodes that are not ready, and not if one more is', () => {
    const at = (missing: number) => {
      const off = { settled: false, missing, count: { desired: 5, ready: 5 - missing } };
      const running = [component('csi-controller', '1.1.0'), component('csi-node', '1.1.0', off)];
      const history = { good, bad: [], target: begun('1.1.0', 0, 0, 4) };
      const world = {
        matrix: matrix(2, '1.0.0', '1.1.0'),
        running: excuseSilentNodes(running, ({ component }) => (component === 'csi-node' ? 2 : 0)),
        history,
      };
      return decideRelease(input(world)).history;
    };
    expect(at(2)).toEqual({ good: release('1.1.0'), former: [good], bad: [] });
    expect(at(3).bad).toMatchObject([{ version: '1.1.0' }]);
    // Where every node is off, nothing was shown to work.
    const none = component('csi-node', '1.1.0', { settled: false, missing: 1, count: { desired: 1, ready: 0 } });
    expect(excuseSilentNodes([none], () => 1)).toMatchObject([{ settled: false }]);
  });

  it('is not bad when a component is done at last and the next one has not had its turn', () => {
    // Its new pod was ready long ago, but the last one of the former release has only just gone.
    const ending = component('csi-controller', '1.1.0', { settled: false });
    const noted = (left: number | undefined, controller: ComponentObservation) =>
      decideRelease(
        input({
          matrix: matrix(2, '1.0.0', '1.1.0'),
          running: [controller, component('csi-node', '1.0.0')],
          history: { good, bad: [], target: begun('1.1.0', 80 * minute, left) },
        }),
      ).history;
    const left = noted(99, ending).target?.left;
    expect(noted(left, component('csi-controller', '1.1.0'))).toMatchObject({
      bad: [],
      target: { version: '1.1.0', sinceMs: 100 * minute },
    });
    expect(noted(left, ending).bad).toHaveLength(1);
  });

  it('is not bad because nodes leave, come or fall silent while it moves', () => {
    const rollOut = (desired: number, updated: number, excused = 0) => {
      const remaining = 3 * (desired - updated);
      const agents = { settled: false, missing: desired - updated, remaining, count: { desired, ready: updated } };
      return excuseSilentNodes(
        [component('csi-controller', '1.1.0'), component('csi-node', '1.1.0', agents)],
        ({ component: name }) => (name === 'csi-node' ? excused : 0),
      );
    };
    let history: DriverHistory = { good, bad: [], target: begun('1.1.0', 100 * minute, 300, 101) };
    // Each nine minutes one more pod is replaced; meanwhile nodes leave, fall silent and come.
    const course = [
      [100, 50, 0],
      [90, 45, 0],
      [90, 46, 0],
      [80, 40, 10],
      [80, 41, 10],
      [85, 42, 0],
      [85, 43, 0],
    ] as const;
    for (const [step, [desired, updated, excused]] of course.entries()) {
      const steadyMs = (105 + 5 * step) * minute;
      const running = rollOut(desired, updated, excused);
      history = decideRelease(input({ matrix: matrix(2, '1.0.0', '1.1.0'), running, history, steadyMs })).history;
    }
    expect(history).toMatchObject({ bad: [], target: { version: '1.1.0' } });
  });

  it('is bad by what was seen of it, whatever clock others had, and not before this process has looked for a while', () => {
    const running = [component('csi-controller', '1.1.0', waiting), component('csi-node', '1.0.0')];
    const judge = (watchingSinceMs: number, noted: { readonly sinceMs: number; readonly stoodMs?: number }) => {
      const target = { ...begun('1.1.0', noted.sinceMs, stuck), ...noted };
      const world = { matrix: matrix(2, '1.0.0', '1.1.0'), running, history: { good, bad: [], target } };
      return decideRelease(input({ ...world, watchingSinceMs })).history;
    };
    // Noted by a clock that was twenty minutes behind, or by a release that noted no more than that.
    expect(judge(98 * minute, { sinceMs: 78 * minute })).toMatchObject({ bad: [], target: { stoodMs: 2 * minute } });
    expect(judge(98 * minute, { sinceMs: 78 * minute, stoodMs: 8 * minute }).bad).toHaveLength(1);
    expect(judge(98 * minute, { sinceMs: 98 * minute, stoodMs: 7 * minute })).toMatchObject({
      bad: [],
      target: { sinceMs: 100 * minute, stoodMs: 9 * minute },
    });
    // It has stood for long enough, but perhaps only nobody looked.
    expect(judge(99 * minute, { sinceMs: 78 * minute, stoodMs: 20 * minute }).bad).toEqual([]);
  });

  it('has not stood for any time once it has moved', () => {
    const target = { ...begun('1.1.0', 99 * minute, stuck + 1), stoodMs: 9 * minute };
    const running = [component('csi-controller', '1.1.0', waiting), component('csi-node', '1.0.0')];
    const world = { matrix: matrix(2, '1.0.0', '1.1.0'), running, history: { good, bad: [], target } };
    const { target: noted } = decideRelease(input(world)).history;
    expect(noted).toEqual(begun('1.1.0', 100 * minute, stuck));
  });

  it('is noted for as long as that decides something', () => {
    const running = [component('csi-controller', '1.1.0', waiting), component('csi-node', '1.0.0')];
    const target = { ...begun('1.1.0', 95 * minute, stuck), rollback: true };
    const world = { matrix: matrix(2, '1.1.0'), running, history: { good: release('1.1.0'), bad: [], target } };
    expect(decideRelease(input(world)).history.target).toEqual(target);
  });

  it('is bad after as long as the spec says', () => {
    const history = { good, bad: [], target: begun('1.1.0', 99 * minute, stuck) };
    const running = [component('csi-controller', '1.1.0', waiting), component('csi-node', '1.0.0')];
    const world = { matrix: matrix(2, '1.0.0', '1.1.0'), running, history };
    expect(decideRelease(input({ ...world, spec: spec({ progressDeadline: '61s' }) })).history.bad).toEqual([]);
    const [bad] = decideRelease(input({ ...world, spec: spec({ progressDeadline: '60s' }) })).history.bad;
    expect(bad?.reason).toContain('there was no progress for 60 seconds');
  });

  it('is bad at once if Kubernetes reported ProgressDeadlineExceeded', () => {
    const history = { good, bad: [], target: begun('1.1.0', 99 * minute, stuck) };
    const running = [
      component('csi-controller', '1.1.0', { ...waiting, overdue: true }),
      component('csi-node', '1.0.0'),
    ];
    expect(decideRelease(input({ matrix: matrix(2, '1.0.0', '1.1.0'), running, history })).history.bad).toHaveLength(1);
  });

  it('is not tried again until matrix or spec change', () => {
    const bad = [{ distribution: 'Native' as const, version: '1.1.0', reason: 'r', serial: 2, generation: 1 }];
    const world = { running: at('1.0.0'), history: { good, bad } };
    const same = decideRelease(input({ ...world, matrix: matrix(2, '1.0.0', '1.1.0') }));
    expect(same.release.version).toBe('1.0.0');
    const other = decideRelease(input({ ...world, matrix: matrix(3, '1.0.0', '1.1.0') }));
    expect(other.release.version).toBe('1.1.0');
    const changed = decideRelease(input({ ...world, matrix: matrix(2, '1.0.0', '1.1.0'), generation: 2 }));
    expect(changed.release.version).toBe('1.1.0');
  });

  it('stays if nothing fits any more, and the reason is told', () => {
    const decision = decideRelease(
      input({ running: at('1.0.0'), history: { good, bad: [] }, kubernetesVersion: 'v1.99.0' }),
    );
    expect(decision).toMatchObject({ release: { version: '1.0.0' }, problem: { code: 'NoCompatibleRelease' } });
    expect(() => decideRelease(input({ kubernetesVersion: 'v1.99.0' }))).toThrow(/1\.99/);
  });

  it('of somebody else is left alone while it waits', () => {
    const running = at('3.3.1', '3.3.1', { ours: false, distribution: 'Upstream' }).map((one) => ({
      ...one,
      ours: false,
      distribution: 'Upstream' as const,
    }));
    const upstream = release('3.3.1', { distribution: 'Upstream', layout: 'upstream-csi-1' });
    const world = { ...matrix(1, '1.0.0'), releases: [release('1.0.0'), upstream] };
    const busy = { reason: 'WaitsForOtherDriver', message: 'm' };
    expect(decideRelease(input({ matrix: world, running, busy }))).toMatchObject({ leave: true });
    const turn = decideRelease(input({ matrix: world, running }));
    expect(turn.release.distribution).toBe('Native');
    expect(turn.previous).toBeUndefined();
  });

  describe('under policy Manual', () => {
    const manual = spec({ policy: 'Manual' });
    const listed = (change: Partial<Release>) => ({
      ...matrix(2, '1.0.0', '1.1.0'),
      releases: [release('1.0.0', change), release('1.1.0')],
    });
    it.each([
      ['marked bad', listed({ bad: 'it loses data' }), { good, bad: [] }],
      ['out of range', listed({ kubernetes: { min: '1.20', max: '1.25' } }), { good, bad: [] }],
      ['missing from the matrix', matrix(2, '1.1.0'), { good, bad: [] }],
      ['marked bad, without a record', listed({ bad: 'it loses data' }), { bad: [] }],
    ])('stays when it is %s, and that is told', (_why, world, history) => {
      const decision = decideRelease(input({ spec: manual, matrix: world, running: at('1.0.0'), history }));
      expect(decision).toMatchObject({
        release: { version: '1.0.0' },
        problem: { code: 'NoCompatibleRelease' },
        news: [],
      });
      expect(decision.history.target).toBeUndefined();
    });

    it('is not replaced when nobody knows it any more', () => {
      const world = { spec: manual, matrix: matrix(2, '1.1.0'), running: at('1.0.0'), history: { bad: [] } };
      expect(() => decideRelease(input(world))).toThrow(
        /neither the compatibility matrix nor the operator's records list it/,
      );
    });
  });

  describe('on its way while a newer one appears that must wait', () => {
    const history = { good, bad: [], target: begun('1.1.0', 99 * minute) };
    const running = at('1.1.0', '1.0.0', waiting);
    const busy = { reason: 'WaitsForOtherDriver', message: 'wait' };

    it('goes on', () => {
      const world = { matrix: matrix(3, '1.0.0', '1.1.0', '1.2.0'), running, history, busy };
      const decision = decideRelease(input(world));
      expect(decision).toMatchObject({ release: { version: '1.1.0' }, available: '1.2.0' });
      expect(decision.history.target).toMatchObject({ version: '1.1.0', rollback: false });
    });

    it('goes back with a record and an event if it is bad now', () => {
      const base = matrix(3, '1.0.0', '1.2.0');
      const world = { ...base, releases: [...base.releases, release('1.1.0', { bad: 'it loses data' })] };
      const decision = decideRelease(input({ matrix: world, running, history, busy }));
      expect(decision).toMatchObject({ release: { version: '1.0.0' }, news: [{ reason: 'RollbackStarted' }] });
      expect(decision.history.target).toMatchObject({ version: '1.0.0', rollback: true });
    });
  });

  it.each([
    ['no gate is closed', {}],
    ['a vCenter is away', { busy: { reason: 'VCenterUnreachable', message: 'm' } }],
    ['the window is closed', { spec: spec({ window: { start: '00:00', duration: '1m' } }) }],
    ['checks fail', { upgradeable: 'False' as const }],
  ])('goes back half-way when it is withdrawn, whatever of it runs: %s', (_gate, gate) => {
    const withdrawn = release('1.1.0', { bad: 'it loses data' });
    const world = { matrix: { ...matrix(3), releases: [good, withdrawn] }, ...gate };
    const history = { good, bad: [], target: begun('1.1.0', 99 * minute) };
    for (const running of [at('1.1.0', '1.0.0', waiting), at('1.1.0', '1.1.0', waiting)]) {
      const decision = decideRelease(input({ ...world, running, history }));
      expect(decision).toMatchObject({ release: { version: '1.0.0' }, news: [{ reason: 'RollbackStarted' }] });
      expect(decision.history.target).toMatchObject({ version: '1.0.0', rollback: true });
      const next = decideRelease(input({ ...world, running, history: decision.history }));
      expect(next).toMatchObject({ release: { version: '1.0.0' }, news: [] });
    }
  });

  it.each([
    ['no gate is closed', {}],
    ['a vCenter is away', { busy: { reason: 'VCenterUnreachable', message: 'm' } }],
    ['the window is closed', { spec: spec({ window: { start: '00:00', duration: '1m' } }) }],
    ['checks fail', { upgradeable: 'False' as const }],
  ])('goes to the one before it when it is withdrawn after it was healthy: %s', (_gate, gate) => {
    const later = release('1.1.0');
    const world = { matrix: { ...matrix(3), releases: [good, { ...later, bad: 'it loses data' }] }, ...gate };
    const history = { good: later, former: [good], bad: [] };
    const decision = decideRelease(input({ ...world, running: at('1.1.0'), history }));
    expect(decision).toMatchObject({ release: { version: '1.0.0' }, history: { target: { version: '1.0.0' } } });
    expect(decision.hold).toBeUndefined();
    const busy = { reason: 'WaitsForOtherDriver', message: 'm' };
    expect(decideRelease(input({ ...world, running: at('1.1.0'), history, busy })).hold).toEqual(busy);
  });

  describe('goes back by name', () => {
    const pinned = (version: string) => spec({ policy: 'Pinned', versions: { csi: version } });
    const later = release('1.1.0', { downgradeTo: { min: '1.0.0' } });
    const listed = { ...matrix(2), releases: [good, later] };
    const history: DriverHistory = { good: later, former: [good], bad: [] };

    it('after a completed upgrade, although checks fail and a vCenter is away', () => {
      const world = { matrix: listed, running: at('1.1.0'), history, spec: pinned('1.0.0') };
      const away = { reason: 'VCenterUnreachable', message: 'm' };
      const decision = decideRelease(input({ ...world, upgradeable: 'False', busy: away }));
      expect(decision).toMatchObject({
        release: { version: '1.0.0' },
        previous: { version: '1.1.0' },
        history: { target: { version: '1.0.0', rollback: false } },
      });
    });

    it('to a release that the matrix has forgotten', () => {
      const world = { matrix: { ...listed, releases: [later] }, running: at('1.1.0'), history, spec: pinned('1.0.0') };
      expect(decideRelease(input(world)).release).toEqual(good);
    });

    it('not where the older one may not read what the newer wrote: nothing changes, and the reason is told', () => {
      const mute = release('1.1.0');
      const world = { matrix: { ...listed, releases: [good, mute] }, running: at('1.1.0'), spec: pinned('1.0.0') };
      const decision = decideRelease(input({ ...world, history: { ...history, good: mute } }));
      expect(decision).toMatchObject({ release: { version: '1.1.0' }, problem: { code: 'NoCompatibleRelease' } });
      expect(decision.problem?.message).toContain('whose data it may not be able to read');
      expect(decision.history.target).toBeUndefined();
    });

    it('and remembers what it comes from', () => {
      const target = { ...begun('1.0.0', 99 * minute) };
      const world = { matrix: listed, running: at('1.0.0'), history: { ...history, target }, spec: pinned('1.0.0') };
      expect(decideRelease(input(world)).history).toEqual({ good, former: [later], bad: [] });
    });
  });

  it('remembers the last good ones, eight at least, each once', () => {
    const versions = Array.from({ length: 12 }, (_, minor) => `1.${minor}.0`);
    let history: DriverHistory = { bad: [] };
    for (const version of [...versions, '1.10.0', '1.11.0'])
      history = decideRelease(input({ matrix: matrix(2, version), running: at(version), history })).history;
    expect(history.good?.version).toBe('1.11.0');
    expect(history.former?.map(({ version }) => version)).toEqual(versions.toReversed().slice(1, 9));
  });
});
