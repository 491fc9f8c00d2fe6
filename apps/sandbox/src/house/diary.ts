import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, sleep } from '@vdo/base/clock';
import type { ContainerRunner } from '../process-kubelet/container-runner.ts';

const everyMs = 5_000;

/** The demo's container: writes a line onto its volume every few seconds. */
export const createDiary =
  (clock: Clock): ContainerRunner =>
  async ({ pod, command }, { signal }) => {
    const file = join(command.env['VDO_MOUNT_DATA'] ?? '', 'diary.txt');
    while (!signal.aborted) {
      await appendFile(file, `${new Date(clock.now()).toISOString()} ${pod.metadata.name} was here\n`);
      await sleep(clock, everyMs, { signal }).catch(() => {});
    }
  };
