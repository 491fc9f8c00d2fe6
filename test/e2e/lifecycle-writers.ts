import { createHash } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, sleep } from '@vdo/base/clock';
import type { Pod } from '@vdo/kube/types/core';
import type { ContainerRunner } from '@vdo/sandbox/process-kubelet/container-runner';

export const writerImage = 'test/writer';
const everyMs = 50;

interface Writer {
  /** Lines that have reached the disk. */
  written: number;
  starts: number;
  file: string;
}

/** Pods that write numbered lines onto their volume and have each one flushed to the disk; a failed write ends the pod. */
export const createWriters = (clock: Clock) => {
  const writers = new Map<string, Writer>();

  const run: ContainerRunner = async ({ pod, command }, { signal }) => {
    const name = pod.metadata.name ?? '';
    const file = join(command.env['VDO_MOUNT_DATA'] ?? '', 'lines.txt');
    const writer = writers.get(name) ?? { written: 0, starts: 0, file };
    writers.set(name, writer);
    writer.starts += 1;
    writer.file = file;
    const handle = await open(file, 'a');
    try {
      while (!signal.aborted) {
        await handle.write(`${writer.written}\n`);
        await handle.sync();
        writer.written += 1;
        await sleep(clock, everyMs, { signal }).catch(() => {});
      }
    } finally {
      await handle.close();
    }
  };

  const known = (name: string): Writer => {
    const writer = writers.get(name);
    if (!writer) throw new Error(`the pod ${name} has not started to write`);
    return writer;
  };
  const keptBy = (name: string): string => join(dirname(known(name).file), 'kept.bin');
  const checksum = async (name: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(keptBy(name)))
      .digest('hex');
  return {
    run,
    checksum,
    /** Puts a file beside the lines that nobody writes again, and says what its checksum is. */
    keep: async (name: string, bytes: number): Promise<string> => {
      await writeFile(keptBy(name), Buffer.alloc(bytes, `what ${name} keeps\n`), { flush: true });
      return checksum(name);
    },
    written: (name: string): number => known(name).written,
    starts: (name: string): number => known(name).starts,
    /** What is on its disk: every line once and in order, or an error. */
    readBack: async (name: string): Promise<number> => {
      const lines = (await readFile(known(name).file, 'utf8')).split('\n').slice(0, -1);
      const wrong = lines.findIndex((line, index) => line !== String(index));
      if (wrong >= 0) throw new Error(`line ${wrong} of ${name} is ${JSON.stringify(lines[wrong])}`);
      return lines.length;
    },
  };
};

/** A pod that writes onto the volume of a claim of its own name. */
export const writerPod = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: {
    containers: [{ name: 'writer', image: writerImage, volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }],
  },
});
