import { silentLogger } from '@vdo/base/logger';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import { createFileConfigSource } from './config-source.ts';
import { nextConfig } from './follow-config.ts';

const conf = (server: string) =>
  `vcenter:\n  one:\n    server: ${server}\n    secretName: vc\n    secretNamespace: vmware-system-vdo\n`;

const setup = async () => {
  const clock = createVirtualClock();
  const file: { text: string | undefined } = { text: conf('a.example.com') };
  const errors: string[] = [];
  const source = createFileConfigSource({
    path: '/etc/cloud/vsphere.conf',
    unknownKeys: 'warn',
    readFile: async () => {
      if (file.text === undefined) throw new Error('ENOENT');
      return file.text;
    },
  });
  const controller = new AbortController();
  const logger = {
    ...silentLogger,
    error: (_message: string, fields = {}) => errors.push(String(Object.values(fields)[0])),
  };
  const current = await source.load({ signal: controller.signal });
  const next = nextConfig(current, { source, clock, logger, signal: controller.signal });
  next.catch(() => {});
  return { clock, file, errors, source, controller, current, next };
};

describe('nextConfig', () => {
  test('waits for a change', async () => {
    const { clock, file, next, current } = await setup();
    await clock.advance(30_000);
    file.text = conf('b.example.com');
    await clock.advance(10_000);
    expect(current.config.vcenters[0]?.server).toBe('a.example.com');
    expect((await next).config.vcenters[0]?.server).toBe('b.example.com');
  });

  test('tells a broken one once, keeps the old one, and takes the repaired one', async () => {
    const { clock, file, errors, next } = await setup();
    file.text = 'vcenter: {}\n';
    await clock.advance(30_000);
    expect(errors).toHaveLength(1);
    file.text = undefined;
    await clock.advance(10_000);
    expect(errors[1]).toContain('cannot read /etc/cloud/vsphere.conf');
    file.text = conf('c.example.com');
    await clock.advance(10_000);
    expect((await next).config.vcenters[0]?.server).toBe('c.example.com');
  });

  test('ends with its signal', async () => {
    const { controller, next } = await setup();
    controller.abort(new Error('stop'));
    await expect(next).rejects.toThrow('stop');
  });
});

test('a missing file names the flag', async () => {
  const { source, file, controller } = await setup();
  file.text = undefined;
  await expect(source.load({ signal: controller.signal })).rejects.toMatchObject({
    code: 'ConfigMissing',
    remedy: expect.stringContaining('--cloud-config'),
  });
});
