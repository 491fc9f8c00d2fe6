import { sleep } from '@vdo/base/clock';
import { silentLogger } from '@vdo/base/logger';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { describe, expect, test } from 'vitest';
import { createFileConfigSource, type LoadedConfig } from './config-source.ts';
import { followConfig, nextConfig } from './follow-config.ts';

const conf = (server: string) =>
  `vcenter:\n  one:\n    server: ${server}\n    secretName: vc\n    secretNamespace: vmware-system-vdo\n`;

const setup = async () => {
  const clock = createVirtualClock();
  const file: { text: string | undefined } = { text: conf('a.example.com') };
  const errors: string[] = [];
  const source = createFileConfigSource({
    path: '/etc/cloud/vsphere.conf',
    flag: '--cloud-config',
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

  test('reports a broken one once, keeps the old one, and uses the corrected one', async () => {
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

describe('followConfig', () => {
  const setup = () => {
    const clock = createVirtualClock();
    const files = new Map([
      ['/vsphere.conf', `${conf('a.example.com')}    caFile: /ca.pem\n`],
      ['/ca.pem', 'authority 1'],
    ]);
    const source = createFileConfigSource({
      path: '/vsphere.conf',
      flag: '--cloud-config',
      unknownKeys: 'warn',
      readFile: async (path) => files.get(path) ?? Promise.reject(new Error('ENOENT')),
    });
    return { clock, files, source, stop: new AbortController() };
  };

  test('ends the work with one configuration before it starts with the next, also for a new certificate authority', async () => {
    const { clock, files, source, stop } = setup();
    const story: string[] = [];
    const work = async ({ caBundles }: LoadedConfig, signal: AbortSignal) => {
      const authority = caBundles.get('/ca.pem');
      story.push(`begin ${authority}`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await sleep(clock, 1_000);
      story.push(`end ${authority}`);
    };
    const first = await source.load({ signal: stop.signal });
    const following = followConfig({ first, source, work, clock, logger: silentLogger }, stop.signal);
    files.delete('/ca.pem');
    await clock.advance(20_000);
    expect(story).toEqual(['begin authority 1']);
    files.set('/ca.pem', 'authority 2');
    await clock.advance(20_000);
    stop.abort();
    await clock.advance(1_000);
    expect(story).toEqual(['begin authority 1', 'end authority 1', 'begin authority 2', 'end authority 2']);
    expect((await following).caBundles.get('/ca.pem')).toBe('authority 2');
  });

  test('fails with the work', async () => {
    const { clock, source, stop } = setup();
    const first = await source.load({ signal: stop.signal });
    const work = () => Promise.reject(new Error('broken'));
    const following = followConfig({ first, source, work, clock, logger: silentLogger }, stop.signal);
    await expect(following).rejects.toThrow('broken');
  });
});
