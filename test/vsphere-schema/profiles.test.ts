import { type HttpRequest, type HttpTransport, httpResponse, readBody } from '@vdo/base/http';
import { offersFeature, type VCenterFeatureId } from '@vdo/config/vcenter-features';
import { describe, expect, it } from 'vitest';
import { oddWalk } from './odd-walk.ts';
import { type Fate, walk } from './walk.ts';

/** Each release, and what of the walk it does not offer. */
const releases: Readonly<Record<string, readonly string[]>> = {
  '6.7.3': ['share', 'access', 'snapshot', 'relocate', 'reconfigure'],
  '7.0.0': ['access', 'snapshot', 'relocate', 'reconfigure'],
  '7.0.1': ['access', 'snapshot', 'relocate', 'reconfigure'],
  '7.0.2': ['snapshot', 'relocate', 'reconfigure'],
  '7.0.3': ['relocate', 'reconfigure'],
  '8.0.0': ['reconfigure'],
  '8.0.1': [],
  '8.0.2': [],
  '8.0.3': [],
  '9.0.0': [],
  '9.1.0': [],
};

describe('a vCenter of release', () => {
  it.each(Object.entries(releases))(
    '%s takes every call of the client, and what it lacks (%j) is not sent',
    async (release, lacking) => {
      const { fates, refused, sessionsLeft, logins } = await walk(release);
      expect(refused).toEqual([]);
      const missing = [...fates]
        .filter(([, fate]: readonly [string, Fate]) => fate === 'unsupported')
        .map(([name]) => name);
      expect(missing).toEqual(lacking);
      expect({ logins, sessionsLeft }).toEqual({ logins: 1, sessionsLeft: 0 });
    },
  );
});

describe('a vCenter of release', () => {
  it.each(Object.keys(releases))('%s may do all that is rare and allowed', async (release) => {
    expect(await oddWalk(release)).toEqual([]);
  });
});

describe('the table of features', () => {
  const stepsOf: readonly (readonly [VCenterFeatureId, string])[] = [
    ['file-volumes', 'share'],
    ['share-access', 'access'],
    ['snapshots', 'snapshot'],
    ['policy-change', 'reconfigure'],
  ];

  it.each(stepsOf)('offers %s where a vCenter takes it, and nowhere else', (feature, step) => {
    const takes = Object.keys(releases).filter((release) => !releases[release]?.includes(step));
    const offers = Object.keys(releases).filter((release) => offersFeature(release, feature));
    // 7.0 has the calls of shares; they are offered since its first update (ADR 14).
    expect(offers).toEqual(feature === 'file-volumes' ? takes.filter((release) => release !== '7.0.0') : takes);
  });
});

/** A client that differs from ours in what it sends. */
const mutant =
  (change: (request: HttpRequest) => HttpRequest) =>
  (transport: HttpTransport): HttpTransport =>
  (request) =>
    transport(change(request));

const body = ({ body: text }: HttpRequest): string => String(text ?? '');
const withBody = (request: HttpRequest, text: string): HttpRequest => ({ ...request, body: text });
const replaced = (from: string | RegExp, to: string) => (request: HttpRequest) =>
  withBody(request, body(request).replace(from, to));
const withAction = (change: (action: string) => string) => (request: HttpRequest) => ({
  ...request,
  headers: { ...request.headers, soapaction: change(request.headers['soapaction'] ?? '') },
});
const cluster = '<clusterId>c-1</clusterId><vSphereUser>u</vSphereUser>';

/** A client that does not see something in replies. */
const blindTo =
  (what: RegExp) =>
  (transport: HttpTransport): HttpTransport =>
  async (request) => {
    const { status, headers, body: sent } = await transport(request);
    return httpResponse(status, (await readBody(sent)).toString('utf8').replace(what, ''), headers);
  };

/** Sends the cookie that any endpoint gave last, to every endpoint. */
const oneJar = () => {
  let cookie: string | undefined;
  return (transport: HttpTransport): HttpTransport =>
    async (request) => {
      const { cookie: _own, ...headers } = request.headers;
      const isSoap = request.path === '/sdk' || request.path === '/vsanHealth' || request.path === '/pbm';
      const sent = isSoap ? { ...request, headers: { ...headers, ...(cookie ? { cookie } : {}) } } : request;
      const reply = await transport(sent);
      cookie = isSoap ? (reply.headers['set-cookie']?.split(';')[0] ?? cookie) : cookie;
      return reply;
    };
};

describe('a client that is wrong is caught:', () => {
  it.each<[string, string, (transport: HttpTransport) => HttpTransport]>([
    ['cuts names of versions at the blank', '7.0.1', mutant(withAction((action) => action.split(' ')[0] ?? ''))],
    [
      'names a version of storage that is newer',
      '8.0.1',
      mutant(withAction((action) => action.replace('8.0.0.2', '8.0.0.4'))),
    ],
    [
      'names no version of storage calls',
      '8.0.3',
      mutant(withAction((action) => action.replace(/^urn:vsan.*/, 'urn:vsan'))),
    ],
    ['names no version of policies', '8.0.3', mutant(withAction((action) => action.replace(/^urn:pbm.*/, 'urn:pbm')))],
    ['names no version at all', '8.0.3', mutant(withAction((action) => action.split('/')[0] ?? ''))],
    [
      'sends the flavor of the cluster',
      '6.7.3',
      mutant(replaced(cluster, `${cluster}<clusterFlavor>VANILLA</clusterFlavor>`)),
    ],
    [
      'sends the distribution',
      '7.0.1',
      mutant(
        replaced(
          '<clusterFlavor>VANILLA</clusterFlavor>',
          '<clusterFlavor>VANILLA</clusterFlavor><clusterDistribution>D</clusterDistribution>',
        ),
      ),
    ],
    ['renames a field', '8.0.3', mutant(replaced(/capacityInMb/g, 'capacityInMB'))],
    ['moves a field', '8.0.3', mutant(replaced(/(<name>v<\/name>)(<volumeType>BLOCK<\/volumeType>)/, '$2$1'))],
    ['leaves a field out', '8.0.3', mutant(replaced('<volumeType>BLOCK</volumeType>', ''))],
    [
      'takes another namespace',
      '8.0.3',
      mutant(replaced('<CnsCreateVolume xmlns="urn:vsan">', '<CnsCreateVolume xmlns="urn:vim25">')),
    ],
    ['does not tell types of access entries', '8.0.3', mutant(replaced(/ xsi:type="CnsNFSAccessControlSpec"/g, ''))],
    [
      'reads tasks of storage as a vim caller',
      '8.0.3',
      mutant((request) => {
        if (request.path !== '/sdk' || !request.headers['soapaction']?.startsWith('urn:vsan')) return request;
        return withAction(() => 'urn:vim25/8.0.3.0')(replaced(/xmlns="urn:vsan"/g, 'xmlns="urn:vim25"')(request));
      }),
    ],
    ['keeps one jar of cookies', '8.0.3', oneJar()],
    [
      'takes the first place of a volume, failed or not',
      '8.0.3',
      blindTo(/<placementFaults[ >][\s\S]*?<\/placementFaults>/g),
    ],
    [
      'looks for the cluster of an entity in the entity alone',
      '6.7.3',
      blindTo(/(?<=<containerCluster>[^/]*<\/clusterType>)<clusterId>c-1<\/clusterId>/g),
    ],
    ['renames a field of a policy call', '8.0.3', mutant(replaced(/profileIds/g, 'profileIDs'))],
    [
      'moves a field of a policy call',
      '8.0.3',
      mutant(
        replaced(
          /(<hubsToSearch>.*<\/hubsToSearch>)(<placementSubjectRequirement .*<\/placementSubjectRequirement>)/s,
          '$2$1',
        ),
      ),
    ],
    ['renames a field of a disk call', '8.0.3', mutant(replaced(/<controlFlags>/g, '<flags>'))],
    ['renames a field of a tag call', '8.0.3', mutant(replaced('"associable_types"', '"types"'))],
    ['leaves a field of a tag call out', '8.0.3', mutant(replaced('"description":"",', ''))],
    ['sends a value that a tag call does not take', '8.0.3', mutant(replaced('"SINGLE"', '"ONE"'))],
    ['sends more than a tag call takes', '8.0.3', mutant(replaced('{"object_id":', '{"why":"","object_id":'))],
    ['does not name the category whose tags it wants', '8.0.3', mutant(replaced(/\{"category_id":"[^"]*"\}/, '{}'))],
    [
      'takes the newer form of an action',
      '8.0.3',
      mutant((request) => ({ ...request, path: request.path.replace('~action', 'action') })),
    ],
    [
      'logs in at the newer REST path',
      '7.0.1',
      mutant((request) => ({ ...request, path: request.path.replace('/rest/com/vmware/cis/session', '/api/session') })),
    ],
  ])('%s (on %s)', async (_name, release, between) => {
    const caught = await walk(release, between).then(
      ({ refused, fates, logins }) =>
        logins !== 1 ||
        refused.length > 0 ||
        [...fates].filter(([, fate]) => fate === 'unsupported').length > (releases[release]?.length ?? 0),
      () => true,
    );
    expect(caught).toBe(true);
  });
});
