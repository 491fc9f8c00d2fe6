import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { every } from '@vdo/base/async/every';
import type { Clock } from '@vdo/base/clock';
import { beginLog, logFileOf } from '../logs/pod-logs.ts';
import type { ContainerRunner } from '../process-kubelet/container-runner.ts';

const periodMs = 5_000;

/** The container of the demo: writes a line to its volume every few seconds, and to its log, for `kubectl logs`. */
export const createDiary =
  (clock: Clock, logFolder: string): ContainerRunner =>
  ({ pod, container, command }, { signal }) => {
    const { name = 'pod' } = pod.metadata;
    const file = join(command.env['VDO_MOUNT_DATA'] ?? '', 'diary.txt');
    const log = logFileOf(logFolder, name, container.name);
    beginLog(log);
    const write = async (): Promise<void> => {
      const line = `${new Date(clock.now()).toISOString()} ${name} was here\n`;
      await appendFile(file, line);
      await appendFile(log, line);
    };
    return every(write, { clock, periodMs }, signal);
  };
