import { recordOf } from '@vdo/vdoctl/commands/vsphere/qualify/record/record-file';
import { createQualifyTestbed, demoSite } from '@vdo/vdoctl/testing/qualify-testbed';
import { administrator } from '@vdo/vdoctl/testing/sim-vcenter';
import { describe, expect, it } from 'vitest';
import { replayOnClient } from '../../tools/replay/replay-client.ts';
import { replayOnProfile } from '../../tools/replay/replay-profile.ts';

const recordOn = async (release: string) => {
  const { report, observer } = await createQualifyTestbed(release).run({ site: demoSite });
  // Over a file, as somebody sends it.
  const record = recordOf({ report, wish: demoSite, username: administrator.username, exchanges: observer.exchanges });
  return JSON.parse(JSON.stringify(record)) as typeof record;
};

describe('npm run replay', () => {
  it.each(['6.7.3', '7.0.1', '8.0.3', '9.0.0'])(
    'finds nothing in a record of the simulator itself, %s',
    async (release) => {
      const record = await recordOn(release);
      expect(await replayOnClient(record)).toEqual([]);
      expect(await replayOnProfile(record, release)).toEqual([]);
    },
  );

  it('explains what differs on another release', async () => {
    const differences = await replayOnProfile(await recordOn('8.0.3'), '7.0.1');
    expect(differences.filter(({ because }) => because === undefined)).toEqual([]);
    expect(differences).toContainEqual({
      what: 'the step "create a snapshot": works in the record, not offered here',
      because: 'snapshots and copies of volumes need vCenter 7.0 Update 3; this is 7.0 Update 1',
    });
  });

  it('notices a vCenter that answers otherwise, and a client that asks otherwise', async () => {
    const record = await recordOn('8.0.3');
    const odd = record.exchanges.map((exchange) =>
      exchange.call === 'CnsQueryVolume'
        ? { ...exchange, reply: exchange.reply.replaceAll('datastoreUrl>', 'storeUrl>') }
        : exchange,
    );
    const onProfile = await replayOnProfile({ ...record, exchanges: odd }, '8.0.3');
    expect(onProfile.some(({ what, because }) => what.includes('storeUrl') && because === undefined)).toBe(true);
    const changed = record.exchanges.map((exchange) =>
      exchange.call === 'CnsExtendVolume'
        ? { ...exchange, request: exchange.request.replace(/>2048</, '>4096<') }
        : exchange,
    );
    const onClient = await replayOnClient({ ...record, exchanges: changed });
    expect(onClient.join('\n')).toContain('CnsExtendVolume is sent differently');
  });
});
