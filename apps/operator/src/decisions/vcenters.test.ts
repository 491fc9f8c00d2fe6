import { VdoError } from '@vdo/base/vdo-error';
import { vsphereDriversSpec } from '@vdo/config/api/vsphere-drivers';
import { describe, expect, it } from 'vitest';
import { observedOf, withoutUnready } from './vcenters.ts';

const spec = (...servers: readonly string[]) =>
  vsphereDriversSpec.parse({
    distribution: 'Native',
    vcenters: servers.map((server) => ({ server, credentialsSecret: 's' })),
    csi: {},
  });
const away = new VdoError({ code: 'VCenterUnreachable', message: 'm', remedy: 'r' });
const answers = (server: string) => ({ server });
const isAway = (server: string) => ({ server, reachError: away });
const serversOf = ({ vcenters }: ReturnType<typeof spec>) => vcenters.map(({ server }) => server);

describe('running drivers are given', () => {
  it.each([
    ['not yet a vCenter that is new and away', [answers('a'), isAway('b')], ['a'], ['a']],
    ['a vCenter that is new and answers', [answers('a'), answers('b')], ['a'], ['a', 'b']],
    ['a vCenter that is away, if they have it already', [answers('a'), isAway('b')], ['a', 'b'], ['a', 'b']],
    ['the only one they have, though it is away', [isAway('a'), answers('b')], ['a'], ['a', 'b']],
    ['all or nothing where one takes the place of another', [answers('a'), isAway('b')], ['a', 'c'], ['a', 'b']],
    ['all if it is not known what they have', [answers('a'), isAway('b')], [], ['a', 'b']],
  ] as const)('%s', (_what, observed, inUse, given) => {
    const asked = spec('a', 'b');
    const buildable = withoutUnready(asked, observed, new Set(inUse));
    expect(serversOf(buildable)).toEqual(given);
    expect(observedOf({ spec: asked, buildable }, observed).map(({ server }) => server)).toEqual(given);
  });
});
