import type { AnyObject } from '@vdo/kube/types/object';
import { describe, expect, it } from 'vitest';
import { compareManifests } from './compare.ts';
import { reasons } from './reasons.ts';

const workload = (change: { args?: string[]; env?: object[]; image?: string; account?: string } = {}): AnyObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'controller', namespace: 'csi' },
  spec: {
    selector: { matchLabels: { app: 'controller' } },
    template: {
      spec: {
        serviceAccountName: change.account ?? 'controller',
        containers: [
          {
            name: 'main',
            image: change.image ?? 'registry.example/driver:v1',
            args: change.args ?? ['--v=4', '--address=$(ADDRESS)'],
            env: change.env ?? [{ name: 'ADDRESS', value: '/csi.sock' }],
          },
        ],
      },
    },
  },
});
const role = (verbs: readonly string[]): AnyObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'controller' },
  rules: [{ apiGroups: [''], resources: ['nodes', 'pods'], verbs }],
});
const features = (data: Readonly<Record<string, string>>): AnyObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'features' },
  data,
});
const lines = (theirs: readonly AnyObject[], ours: readonly AnyObject[]) =>
  compareManifests(theirs, ours, [], 'csi').unexplained;

describe('the comparison of manifests', () => {
  it('finds nothing where two spellings come to the same', () => {
    const spelled = workload({ args: ['-v=4', '--address=/csi.sock'] });
    expect(lines([workload()], [spelled])).toEqual([]);
    expect(
      lines(
        [features({ a: 'true' })],
        [{ ...features({ a: 'true' }), metadata: { name: 'features', namespace: 'csi' } }],
      ),
    ).toEqual([]);
  });

  it.each([
    [
      'an argument',
      [workload({ args: ['--v=4'] })],
      '- Deployment csi/controller container main arg --address=/csi.sock',
    ],
    ['a variable', [workload({ env: [] })], '- Deployment csi/controller container main env ADDRESS=/csi.sock'],
    [
      'an image',
      [workload({ image: 'registry.example/driver:v2' })],
      '+ Deployment csi/controller container main image registry.example/driver:v2',
    ],
    ['an account', [workload({ account: 'other' })], '+ Deployment csi/controller account other'],
  ])('sees %s that differs', (_what, ours, line) => {
    expect(lines([workload()], ours)).toContain(line);
  });

  it('sees a right, a switch and a whole object that differ', () => {
    expect(lines([role(['get', 'list'])], [role(['get'])])).toEqual([
      '- ClusterRole controller may list nodes',
      '- ClusterRole controller may list pods',
    ]);
    expect(lines([features({ a: 'true', b: 'true' })], [features({ a: 'false', b: 'true' })])).toEqual([
      '- ConfigMap csi/features data a=true',
      '+ ConfigMap csi/features data a=false',
    ]);
    expect(lines([role(['get']), workload()], [role(['get'])])).toContain('- Deployment csi/controller');
  });

  it('takes a reason for its own lines only', () => {
    const because = 'the volumes are not ours';
    const { explained, unexplained } = compareManifests(
      [role(['get', 'list'])],
      [role(['get'])],
      [{ line: /list nodes$/, because }],
    );
    expect(explained).toEqual([{ line: '- ClusterRole controller may list nodes', because }]);
    expect(unexplained).toEqual(['- ClusterRole controller may list pods']);
  });

  it('has a sentence for each reason, once', () => {
    const sentences = reasons.map(({ because }) => because);
    expect(new Set(sentences).size).toBe(sentences.length);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});
