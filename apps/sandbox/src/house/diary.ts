import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { every } from '@vdo/base/async/every';
import type { Clock } from '@vdo/base/clock';
import type { ContainerRunner } from '../process-kubelet/container-runner.ts';

const periodMs = 5_000;

/** The demo's container: writes a line onto its volume every few seconds. */
export const createDiary =
  (clock: Clock): ContainerRunner =>
  ({ pod, command }, { signal }) => {
    const file = join(command.env['VDO_MOUNT_DATA'] ?? '', 'diary.txt');
    const write = () => appendFile(file, `${new Date(clock.now()).toISOString()} ${pod.metadata.name} was here\n`);
    return every(write, { clock, periodMs }, signal);
  };
