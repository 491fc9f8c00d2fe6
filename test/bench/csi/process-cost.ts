import { readFileSync } from 'node:fs';
import type { LoggedProcess } from '../../harness/process.ts';

const statusMb = (process: LoggedProcess, field: string): number =>
  Math.round(
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1]) / 1024,
  );

export const rssMb = (process: LoggedProcess): number => statusMb(process, 'VmRSS');
export const peakRssMb = (process: LoggedProcess): number => statusMb(process, 'VmHWM');

export const cpuSeconds = (process: LoggedProcess): number => {
  const fields = readFileSync(`/proc/${process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

export const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Runs a task for each index, so many at a time. */
export const inParallel = async (
  count: number,
  width: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
};
