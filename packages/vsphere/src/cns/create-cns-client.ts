import type { VimSession } from '../session/vim-session.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import type { CnsClient } from './cns-client.ts';
import { createSnapshotOperations } from './snapshot-operations.ts';
import { createVolumeChanges } from './volume-changes.ts';
import { createVolumeLifecycle } from './volume-lifecycle.ts';
import { createVolumeReader } from './volume-reader.ts';

export const createCnsClient = (session: VimSession, tasks: TaskWaiter): CnsClient => {
  const reader = createVolumeReader(session);
  const { queryVolumes, volumePages, showsAny } = reader;
  return {
    queryVolumes,
    volumePages,
    showsAny,
    ...createVolumeLifecycle(session, tasks, reader),
    ...createVolumeChanges(session, tasks),
    ...createSnapshotOperations(session, tasks),
  };
};
