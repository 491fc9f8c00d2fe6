import { describe, expect, it } from 'vitest';
import { type SwitchInput, switchObstacle } from './switch-obstacle.ts';

const component = (distribution: 'Native' | 'Upstream', ours = true) =>
  ({ component: 'csi-controller', distribution, ours }) as SwitchInput['running'][number];
const missing = [{ id: 'node/vm-found', result: 'Fail' as const, object: { kind: 'Node', name: 'node-7' } }];
const vcenter = { server: 'vc.example.com' };
const judge = (input: Partial<SwitchInput> & { readonly distribution?: string; readonly vcenters?: number }) =>
  switchObstacle({
    spec: {
      distribution: input.distribution ?? 'Upstream',
      csi: {},
      vcenters: Array.from({ length: input.vcenters ?? 1 }, () => vcenter),
    } as unknown as SwitchInput['spec'],
    running: input.running ?? [component('Native')],
    count: input.count ?? { unplaceable: { total: 0, first: [] } },
    nodes: input.nodes ?? [],
  })?.message;
const volumes = { unplaceable: { total: 7, first: ['pv-1', 'pv-2', 'pv-3', 'pv-4', 'pv-5'] } };

describe('what stands against a switch to the upstream storage driver', () => {
  it('a node without a VM, by name', () => {
    expect(judge({ nodes: missing })).toContain('node-7');
  });
  it('with several vCenters, volumes that do not say where they can be reached', () => {
    expect(judge({ count: volumes, vcenters: 2 })).toContain('7 have none (pv-1, pv-2, pv-3, pv-4, pv-5 and 2 more)');
  });
  it.each([
    ['nothing is wrong', {}],
    ['there is one vCenter, and it has all volumes', { count: volumes }],
    ['the native driver is wanted', { distribution: 'Native', nodes: missing, count: volumes, vcenters: 2 }],
    ['it is the first installation', { running: [], nodes: missing }],
    ['others run the driver that is taken over', { running: [component('Upstream', false)], nodes: missing }],
    ['the switch has begun', { running: [component('Native'), component('Upstream')], nodes: missing }],
    ['another check of the node failed', { nodes: missing.map((one) => ({ ...one, id: 'node/addresses' })) }],
  ])('nothing where %s', (_why, input) => {
    expect(judge(input)).toBeUndefined();
  });
});
