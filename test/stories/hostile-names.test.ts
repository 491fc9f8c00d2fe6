import { createLogger } from '@vdo/base/logger';
import { events, persistentVolumeClaims } from '@vdo/kube/types/core';
import { expect, it } from 'vitest';
import { provisioned } from './attach-world.ts';
import { openStory } from './story-world.ts';

// The API server does not look at the name of a data source: a tenant may write anything there, and it ends up in our messages.
it.each([
  ['spaces', `authorization${' '.repeat(4_000)}`],
  ['a megabyte', 'x'.repeat(1 << 20)],
])('a claim with %s for the name of its data source leaves the controller free for others', async (_, name) => {
  const lines: string[] = [];
  const logger = createLogger({ name: 'vdo-csi', write: (line) => lines.push(line) });
  const story = await openStory({ logger });
  story.start();
  await story.client.create(persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'hostile', namespace: 'default' },
    spec: {
      storageClassName: 'vsphere',
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name },
    },
  });
  await story.claim('data');
  await provisioned(story, 'data');
  await story.advance(60_000);
  const said = (await story.client.list(events)).items.filter(
    ({ involvedObject }) => involvedObject?.name === 'hostile',
  );
  expect(said.map(({ reason }) => reason)).toContain('ProvisioningFailed');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(100_000);
});
