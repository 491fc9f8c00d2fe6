import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { LoopDisk } from '@vdo/linux-disks/testing/loop-disk';
import { build } from 'esbuild';
import type { NodeTestbed } from './node-testbed.ts';

/** Disks that answer no read and no write while they are stopped; whoever waits for them cannot be killed. */
export interface StoppableDisks {
  attach(diskUuid: string): Promise<LoopDisk>;
  stop(): void;
  goOn(): void;
  close(): Promise<void>;
}

export const createStoppableDisks = async (testbed: NodeTestbed): Promise<StoppableDisks> => {
  const [content, target, program] = ['fuse-content', 'fuse', 'fuse-server.mjs'].map(testbed.path);
  if (!content || !target || !program) throw new Error('no paths');
  for (const path of [content, target]) mkdirSync(path);
  await build({
    entryPoints: [new URL('./fuse-server.ts', import.meta.url).pathname],
    ...{ bundle: true, platform: 'node', format: 'esm', outfile: program, logLevel: 'silent' },
  });
  // It ends with whoever started it: what is stopped for ever would keep every sync of the machine waiting.
  const args = ['--pdeathsig', 'KILL', process.execPath, program, content, target];
  const server = spawn('setpriv', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  return {
    attach: (diskUuid) => {
      closeSync(openSync(join(content, `${diskUuid}.img`), 'w'));
      return testbed.attach({ folder: target, diskUuid });
    },
    stop: () => void server.kill('SIGSTOP'),
    goOn: () => void server.kill('SIGCONT'),
    close: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      execFileSync('umount', ['-l', target]);
    },
  };
};
