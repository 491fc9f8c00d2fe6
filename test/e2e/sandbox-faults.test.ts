import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { faultNames } from '@vdo/sandbox/faults/fault-catalogue';
import type { StatusReport } from '@vdo/vdoctl/shared/status/status-report';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awkwardEnd, onlyWhereTheyBelong, showingsOf } from './canary-scan.ts';
import { nodeFaults, playedApart, vcenterFaults } from './fault-cases.ts';
import { createFaultTestbed, failing, oneLine } from './fault-testbed.ts';

const testbed = createFaultTestbed();
const { folder, env, passwords, record, vdoctl, scaleDiary } = testbed;
const { status, events, newEvents, until, breakIt, healIt, showing } = testbed;

describe('breaking and healing the vCenter of a running sandbox', { timeout: 240_000 }, () => {
  beforeAll(testbed.start, 400_000);
  afterAll(testbed.stop, 60_000);

  it.each(vcenterFaults)('$fault is shown with a remedy, in the status and as an event, and heals', (one) =>
    testbed.playFault(one),
  );

  it('datastore-full is shown with a remedy, and as an event of the claim that it keeps waiting', async () => {
    const before = await breakIt('datastore-full');
    const shows = (report: StatusReport) => failing(report, 'storage/free-space')?.remedy;
    const remedy = await showing('datastore-full', shows);
    expect((await status()).health).not.toBe('Healthy');
    expect(oneLine((await vdoctl('status')).stdout)).toContain(oneLine(remedy));
    await scaleDiary(4);
    const reported = await until('an event of the claim', async () =>
      (await newEvents(before)).find(({ reason }) => reason === 'ProvisioningFailed'),
    );
    expect(reported).toMatchObject({ type: 'Warning', object: 'PersistentVolumeClaim default/data-diary-3' });
    expect(reported.message).toContain('has no space left');
    await healIt('datastore-full', (report) => shows(report) === undefined);
    await until('the claim to be bound', async () => (await status()).volumes?.bound === 4);
  });

  it('slow-vcenter makes calls slower, and nothing fails', async () => {
    const timed = async (): Promise<number> => {
      const startedMs = performance.now();
      expect((await vdoctl('vsphere', 'policies', 'list')).stdout).toContain('vSAN');
      return performance.now() - startedMs;
    };
    const before = await breakIt('slow-vcenter');
    // At least a login and a query, two seconds each. How long it takes without the fault depends on the machine's load.
    expect(await timed()).toBeGreaterThan(3_900);
    expect(['Healthy', 'Attention']).toContain((await status()).health);
    await healIt('slow-vcenter', () => true);
    expect((await newEvents(before)).filter(({ type }) => type === 'Warning')).toEqual([]);
  });

  it('session-expired passes by itself without a warning: everybody logs in again', async () => {
    const before = await events();
    expect((await vdoctl('sandbox', 'break', 'session-expired')).stdout).toContain('the effect is temporary');
    const programs = async (): Promise<readonly string[]> => {
      const { hostname, port } = new URL(record().vcenter.url);
      const place = ['--server', hostname, '--port', port, '--user', 'administrator@vsphere.local', '--insecure'];
      const { stdout } = await vdoctl('vsphere', 'sessions', ...place, '-o', 'json');
      return JSON.parse(stdout).map(({ program }: { program: string }) => program.split('/')[0]);
    };
    await until('sessions of those who look all the time', async () => {
      const found = await programs();
      return found.includes('vdo-operator') && found.includes('vsphere-cpi');
    });
    // The storage driver logs in when there is something to do.
    await scaleDiary(5);
    await until('one more volume', async () => (await status()).volumes?.bound === 5);
    expect(await programs()).toContain('vsphere-csi');
    await until('health', async () => (await status()).health === 'Healthy');
    expect((await newEvents(before)).filter(({ type }) => type === 'Warning')).toEqual([]);
  });

  it('leave the passwords of the drivers where they belong, and nowhere else', async () => {
    // At the installation, while it was rejected, and after its rotation.
    expect(passwords.size).toBe(2);
    for (const one of passwords) expect(one.endsWith(awkwardEnd)).toBe(true);
    const bundle = join(folder, 'support');
    await vdoctl('support-bundle', '--out', bundle, '--since', '1h');
    await vdoctl('logs', '--tail', '100000');
    await vdoctl('logs', '--tail', '100000', '--json');
    for (const format of ['yaml', 'json']) await vdoctl('status', '-o', format);
    const { objects, found, reported, ...shown } = await showingsOf(testbed);
    expect(reported.length).toBeGreaterThan(50_000);
    expect(objects.length).toBeGreaterThan(100);
    expect(shown).toEqual(onlyWhereTheyBelong);
    const [current = ''] = [...passwords].slice(-1);
    const kept = objects.find(({ metadata }) => metadata.name === 'vsphere-credentials')?.['data'] as Record<
      string,
      string
    >;
    expect(Object.values(kept).map((text) => Buffer.from(text, 'base64').toString())).toContain(current);
    expect(found('record', readFileSync(env.VDO_SANDBOX_RECORD, 'utf8'))).toEqual(['record']);
    rmSync(bundle, { recursive: true });
  });

  it('are all of them played, here or with the nodes', () => {
    const played = [...vcenterFaults, ...nodeFaults].map(({ fault }) => fault);
    expect([...played, ...playedApart].sort()).toEqual([...faultNames].sort());
  });
});
