import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@vdo/base/logger';
import { createFileConfigSource } from '@vdo/program/config-source';
import { logWarnings } from '@vdo/program/follow-config';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingsWithoutEffect } from './settings-without-effect.ts';

describe('the file of the Go driver', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csi-config-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const load = async (global: string) => {
    const path = join(folder, 'csi-vsphere.conf');
    await writeFile(path, `[Global]\ncluster-id = "c"\n${global}[VirtualCenter "vc"]\nuser = "u@d"\npassword = "p"\n`);
    const lines: string[] = [];
    const logger = createLogger({ name: 'test', level: 'info', write: (line) => void lines.push(line) });
    const source = createFileConfigSource({
      path,
      flag: '--vsphere-conf',
      unknownKeys: 'warn',
      driver: 'csi',
      alsoWarn: ({ csi }) => settingsWithoutEffect(csi),
    });
    const loaded = await source.load({ signal: new AbortController().signal });
    logWarnings(logger, loaded);
    return { config: loaded.config, warnings: lines.filter((line) => line.includes('has no effect')) };
  };

  it('is told which of its settings mean nothing here', async () => {
    const { config, warnings } = await load('query-limit = 500\ncsi-auth-check-intervalinmin = 9\n');
    expect(config.csi.queryLimit).toBe(500);
    expect(warnings).toHaveLength(2);
    expect(warnings.join('\n')).toMatch(/query-limit[\s\S]*privileges are checked/);
  });

  it('is not told of the interval at which preferred datastores are read, because it counts', async () => {
    const { config, warnings } = await load('csi-fetch-preferred-datastores-intervalinmin = 9\n');
    expect(config.csi.preferredDatastoresIntervalMinutes).toBe(9);
    expect(warnings).toEqual([]);
  });

  it('is not told of settings that say what is so anyway', async () => {
    expect((await load('query-limit = 10000\n')).warnings).toEqual([]);
  });
});
