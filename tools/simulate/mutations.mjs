// Guards that were broken on purpose: the simulation must find each of them. A mutation whose text is not in its file any more is
// an error: write down what the guard has become.
/** What acts/ itself knows of a disk: behind the decisions of the loops. */
const ownership = 'packages/acts/src/disks/ownership.ts';
const anyPolicy = {
  file: ownership,
  from: "if (ground.policy !== 'Delete') return unknown(",
  to: "if (ground.policy === 'none') return unknown(",
};

export const mutations = [
  {
    name: 'a disk with policy Retain is deleted like any other',
    file: 'apps/csi/src/loops/provisioner/decide-volume.ts',
    from: "if (policy !== 'Delete') return { action: guarded ? 'release' : 'ignore' };",
    to: '',
    also: [anyPolicy],
  },
  {
    name: 'the cache is believed about the policy: the write that reads names no version',
    file: 'packages/acts/src/begin-attempt.ts',
    from: 'const body = { ...change, metadata: { ...change.metadata, uid, resourceVersion } };',
    to: 'const body = { ...change, metadata: { ...change.metadata, uid } };',
    also: [anyPolicy],
  },
  {
    name: 'a disk is deleted although another volume has it, too',
    file: 'apps/csi/src/loops/provisioner/decide-volume.ts',
    from: 'if (others.length > 0) throw sharedDisk(volume, others);',
    to: '',
    also: [{ file: ownership, from: 'if (other) return unknown(', to: 'if (other && false) return unknown(' }],
  },
  {
    name: 'a status of a proxy counts as not done',
    file: 'packages/base/src/error-codes.ts',
    from: "VCenterBusy: { family: 'unavailable', retry: 'backoff', effect: 'unknown' }",
    to: "VCenterBusy: { family: 'unavailable', retry: 'backoff', effect: 'none' }",
  },
  {
    name: 'a lost reply counts as not done',
    file: 'packages/base/src/error-codes.ts',
    from: "VCenterUnreachable: { family: 'unavailable', retry: 'backoff', effect: 'unknown' }",
    to: "VCenterUnreachable: { family: 'unavailable', retry: 'backoff', effect: 'none' }",
  },
  {
    name: 'a forgotten task counts as not done',
    file: 'packages/base/src/error-codes.ts',
    from: "VCenterTaskForgotten: { family: 'unavailable', retry: 'backoff', effect: 'unknown' }",
    to: "VCenterTaskForgotten: { family: 'unavailable', retry: 'backoff', effect: 'none' }",
  },
  {
    name: 'an attachment is released without checking the disk',
    file: 'apps/csi/src/loops/attacher/detach-volume.ts',
    from: 'await attempt.ask(question, () => unpublish(permit, disk, signal));',
    to: 'await attempt.ask(question, async () => undefined);',
  },
  {
    name: 'evidence never gets old',
    file: 'packages/acts/src/internal/assert-good.ts',
    from: 'if (nowMs - piece.readMs > evidenceLivesMs)',
    to: 'if (nowMs - piece.readMs > 1e9)',
  },
  {
    name: 'a copy is reported as blank',
    file: 'apps/csi/src/volumes/create-volume.ts',
    from: "blank: kind === 'file' ? undefined : !source,",
    to: "blank: kind === 'file' ? undefined : true,",
  },
  {
    name: 'nothing is noted before a disk is asked for',
    file: 'apps/csi/src/volumes/create-volume.ts',
    from: 'await intents.put(intent, { signal });',
    to: '',
  },
  {
    name: 'the temporary snapshot of a copy that nobody wants stays',
    file: 'apps/csi/src/volumes/volume-service.ts',
    from: 'if (intent.copyOf) await deps.sources.cleanUp(name, intent.copyOf, context);',
    to: '',
  },
];
