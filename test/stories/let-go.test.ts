import { volumeAttachments } from '@vdo/kube/types/storage';
import { describe, it } from 'vitest';
import { attachedClaim } from './attach-world.ts';
import { openStory, promise, type Story } from './story-world.ts';
import { nameOf, type Trouble } from './troubles.ts';

const second = 1_000;

/** The power is cut as the leader takes its finalizer off the VolumeAttachment; the write does not arrive. */
const cutAtFinalizer =
  (cut: () => void): Trouble =>
  (request, next) => {
    const isIt = /^PATCH .*\/volumeattachments\/[^/]+$/.test(nameOf(request)) && isWithout(request.body);
    if (!isIt) return next(request);
    cut();
    return new Promise<never>(() => {});
  };
const isWithout = (body: unknown): boolean => String(body).includes('"finalizers":[]');

const patch = ({ client }: Story, body: object, subresource?: 'status') =>
  client.patch(volumeAttachments, { name: 'a' }, { type: 'merge', body }, subresource ? { subresource } : {});

/** Detached by a leader that died before it let the VolumeAttachment go. */
const cutDetach = async () => {
  const story = await openStory();
  const first = story.start('replica-1');
  const { disk } = await attachedClaim(story, { claim: 'data', attachment: 'a', node: 1 });
  let isCut = false;
  first.onKube(
    cutAtFinalizer(() => {
      isCut = true;
      first.kill();
    }),
  );
  await story.deleteAttachment('a');
  await story.until('its power was cut', () => isCut);
  promise(story.holderOf(disk) === undefined, 'the disk is still on the VM');
  return story;
};

/** How long it takes, in seconds. */
const letGoBy = async (story: Story, name: string): Promise<number> => {
  const sinceMs = story.clock.monotonicMs();
  story.start(name);
  const isGone = async () => (await story.getAttachment('a')) === undefined;
  await story.until('it is gone', isGone, { withinMs: 600 * second });
  return (story.clock.monotonicMs() - sinceMs) / second;
};

// A Lease of 15 s runs out, a request of the dead one may arrive for 60 s; what vCenter forgot may go on for six minutes.
const soon = 100;

describe('a leader that dies as it lets a VolumeAttachment go', () => {
  it('keeps its successor no longer than any other detach', async () => {
    const story = await cutDetach();
    const took = await letGoBy(story, 'replica-2');
    promise(took < soon, `it was let go after ${took} s`);
  });

  it('has left it detached, as v0.1.0 and older upstream attachers do, and that keeps its successor no longer', async () => {
    const story = await cutDetach();
    await patch(story, { status: { attached: false, attachmentMetadata: null, detachError: null } }, 'status');
    const took = await letGoBy(story, 'replica-2');
    promise(took < soon, `it was let go after ${took} s`);
  });

  it('is believed only if it is on record that the disk was attached', async () => {
    const story = await cutDetach();
    await patch(story, { status: { attached: false, attachmentMetadata: null, detachError: null } }, 'status');
    // As a backup does that restores objects.
    await patch(story, { metadata: { managedFields: [{}] } });
    const took = await letGoBy(story, 'replica-2');
    promise(
      took > 360,
      `it was let go after ${took} s, and vCenter may have forgotten an attachment that is under way`,
    );
  });

  it('is not believed if an attach failed last', async () => {
    const story = await cutDetach();
    const attachError = { message: 'the reply was lost', time: '2026-01-01T00:00:00Z' };
    await patch(story, { status: { attached: false, attachmentMetadata: null, attachError } }, 'status');
    const took = await letGoBy(story, 'replica-2');
    promise(
      took > 360,
      `it was let go after ${took} s, and vCenter may have forgotten an attachment that is under way`,
    );
  });
});
