import type { Release } from './process-testbed.ts';

/** A request at which the program that sent it dies. */
export interface KillPoint {
  readonly name: string;
  readonly to: 'kube' | 'vcenter';
  readonly matches: (request: { readonly method: string; readonly path: string; readonly body: string }) => boolean;
  /** Before the server has seen it, or after it has done it and nobody heard of it. */
  readonly when: 'before' | 'after';
}

const soap = (name: string, method: string, when: KillPoint['when']): KillPoint => ({
  name,
  to: 'vcenter',
  when,
  matches: ({ body }) => body.includes(`<${method} `) || body.includes(`:${method} `) || body.includes(`<${method}>`),
});
const api = (name: string, pattern: RegExp, when: KillPoint['when']): KillPoint => ({
  name,
  to: 'kube',
  when,
  matches: ({ method, path }) => pattern.test(`${method} ${path.split('?')[0]}`),
});

/** Where a creation, an attach, a snapshot, a hand-over, a deletion and a detach are cut. */
const killPoints: readonly KillPoint[] = [
  api('the intent is noted', /^(PATCH|POST) .*\/volumeintents/, 'after'),
  soap('the disk is asked for', 'CnsCreateVolume', 'before'),
  soap('the disk is made', 'CnsCreateVolume', 'after'),
  api('the volume is to be recorded', /^POST .*\/persistentvolumes$/, 'before'),
  api('the volume is recorded', /^POST .*\/persistentvolumes$/, 'after'),
  api('the intent is to go', /^DELETE .*\/volumeintents\//, 'before'),
  soap('the disk is attached', 'CnsAttachVolume', 'after'),
  api('the attachment is to be told', /^PATCH .*\/volumeattachments\/.*\/status$/, 'before'),
  soap('the snapshot is taken', 'CnsCreateSnapshots', 'after'),
  api('the snapshot is to be told', /^PATCH .*\/volumesnapshotcontents\/.*\/status$/, 'before'),
  soap('the disk is deleted', 'CnsDeleteVolume', 'after'),
  api('the volume is to go', /^DELETE .*\/persistentvolumes\//, 'before'),
  soap('the disk is detached', 'CnsDetachVolume', 'after'),
];

export interface Crossing {
  readonly point: KillPoint;
  /** Who dies there; the other one takes over. */
  readonly dies: Release;
}

export const crossings: readonly Crossing[] = killPoints.flatMap((point) => [
  { point, dies: 'today' },
  { point, dies: 'v0.1.0' },
]);
