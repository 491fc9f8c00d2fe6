import { type HttpRequest, type HttpTransport, httpResponse } from '@vdo/base/http';
import { describe, expect, it } from 'vitest';
import { ScriptedFault, type ScriptedSdk } from '../testing/scripted-sdk.ts';
import { aboutInfo, createScriptedSession, serviceContent } from '../testing/scripted-session.ts';
import { hasPrivilegeOnEntities } from '../wire/methods/authorization.ts';
import { cnsCreateSnapshots, cnsCreateVolume, cnsQueryVolume } from '../wire/methods/cns.ts';
import { pbmRetrieveServiceContent } from '../wire/methods/pbm.ts';
import { currentTime, retrieveServiceContent } from '../wire/methods/session.ts';
import { moref } from '../wire/moref.ts';
import { make } from '../wire/schema.ts';
import { CnsBlockBackingDetails, CnsKubernetesEntityMetadata, CnsSnapshotVolumeSource } from '../wire/types/cns.ts';
import { askAsSession } from './ask-as-session.ts';

const instance = moref('ServiceInstance', 'ServiceInstance');
const policies = moref('PbmServiceInstance', 'ServiceInstance');
const manager = moref('CnsVolumeManager', 'cns-volume-manager');
const someRef = moref('Folder', 'group-d1');
const policyContent = {
  aboutInfo: { name: 'pbm', version: '2.0', instanceUuid: 'x' },
  sessionManager: someRef,
  capabilityMetadataManager: someRef,
  profileManager: someRef,
  complianceManager: someRef,
  placementSolver: someRef,
};

/** A vCenter that gives a cookie with each first reply of an endpoint, as a live one does. */
const withCookies = () => {
  const requests: HttpRequest[] = [];
  let inner: ScriptedSdk | undefined;
  const transport: HttpTransport = async (request) => {
    requests.push(request);
    const reply = await (inner as ScriptedSdk).transport(request);
    const isLogin = String(request.body).includes('<Login ');
    const given = isLogin ? 'session' : request.path === '/pbm' ? 'policies' : 'anonymous';
    const isNew = isLogin || request.headers['cookie'] === undefined;
    const { 'set-cookie': _cookie, ...headers } = reply.headers;
    return {
      ...reply,
      headers: isNew ? { ...headers, 'set-cookie': `vmware_soap_session="${given}"; Path=/` } : headers,
    };
  };
  const { session, sdk } = createScriptedSession({ transport });
  inner = sdk;
  sdk.on(currentTime, () => new Date(0)).on(pbmRetrieveServiceContent, () => policyContent);
  return { session, requests };
};

describe('cookies', () => {
  it('of the login alone are used at /sdk, and those of /pbm only there', async () => {
    const { session, requests } = withCookies();
    await session.serviceContent();
    for (let i = 0; i < 2; i++) {
      await session.vim.call(currentTime, { _this: instance });
      await session.pbm.call(pbmRetrieveServiceContent, { _this: policies });
    }
    const used = requests.map(({ path, headers }) => `${path} ${headers['cookie'] ?? 'none'}`);
    expect(used.slice(-4)).toEqual([
      '/sdk vmware_soap_session="session"',
      '/pbm none',
      '/sdk vmware_soap_session="session"',
      '/pbm vmware_soap_session="policies"',
    ]);
    expect(used.filter((one) => one.includes('anonymous'))).toEqual([]);
    const shown = requests.filter(({ path }) => path === '/pbm').map(({ body }) => String(body));
    for (const body of shown) expect(body).toContain('<vcSessionCookie>session</vcSessionCookie>');
  });
});

describe('the service content', () => {
  it('is asked again in the version that is agreed on', async () => {
    const { session, sdk } = createScriptedSession();
    const vStorageObjectManager = moref('VcenterVStorageObjectManager', 'VStorageObjectManager');
    sdk.on(retrieveServiceContent, (_args, { headers }) => {
      const { instanceUuid: _newer, ...old } = aboutInfo;
      return headers['soapaction'] === 'urn:vim25'
        ? { ...serviceContent, about: old }
        : { ...serviceContent, vStorageObjectManager };
    });
    expect((await session.serviceContent()).about.instanceUuid).toBe(aboutInfo.instanceUuid);
    expect((await session.open()).content.vStorageObjectManager).toEqual(vStorageObjectManager);
  });
});

/** A vCenter that publishes these versions of vSAN. */
const publishing = (...versions: readonly string[]) => {
  const [first = '', ...prior] = versions;
  const older = prior.map((name) => `<version>${name}</version>`).join('');
  const list = `<namespaces version="1.0"><namespace><name>urn:vsan</name><version>${first}</version><priorVersions>${older}</priorVersions></namespace></namespaces>`;
  const { session, sdk } = createScriptedSession({
    transport: async (request) =>
      request.path === '/sdk/vsanServiceVersions.xml' ? httpResponse(200, list) : sdk.transport(request),
  });
  let body = '';
  const keep = (_args: unknown, request: HttpRequest) => {
    body = String(request.body);
    return moref('Task', 'task-1');
  };
  sdk
    .on(cnsQueryVolume, () => ({}))
    .on(cnsCreateVolume, keep)
    .on(cnsCreateSnapshots, keep);
  return { session, sdk, body: () => body };
};

describe('the version of storage calls', () => {
  it.each([
    [['vSAN 7.0U1'], 'urn:vsan/vSAN 7.0U1'],
    [['8.0.0.4', '8.0.0.3'], 'urn:vsan/8.0.0.4'],
    [['9.9.0.0', '9.1.0.0'], 'urn:vsan/9.9.0.0'],
  ])('of a vCenter that publishes %j is %s', async (versions, action) => {
    const { session, sdk } = publishing(...versions);
    await session.vsan.call(cnsQueryVolume, { _this: manager, filter: {} });
    expect(sdk.calls.at(-1)?.headers['soapaction']).toBe(action);
  });

  it.each([
    ['6.7.3', 'urn:pbm/6.7.2'],
    ['7.0.1.0', 'urn:pbm/7.0.1.0'],
    ['8.0.3.0', 'urn:pbm/8.0.3.0'],
  ])('of policies goes with that of a vCenter of API %s', async (apiVersion, action) => {
    const { session, sdk } = createScriptedSession();
    sdk.on(retrieveServiceContent, () => ({ ...serviceContent, about: { ...aboutInfo, apiVersion } }));
    sdk.on(pbmRetrieveServiceContent, () => policyContent);
    await session.pbm.call(pbmRetrieveServiceContent, { _this: policies });
    expect(sdk.calls.at(-1)?.headers['soapaction']).toBe(action);
  });
});

describe('what a version does not know', () => {
  const cluster = {
    clusterType: 'KUBERNETES',
    clusterId: 'c',
    vSphereUser: 'u',
    clusterFlavor: 'VANILLA',
    clusterDistribution: 'D',
  };
  const reference = { entityType: 'PERSISTENT_VOLUME', entityName: 'pv', clusterId: 'c' };
  const entity = make(CnsKubernetesEntityMetadata, {
    entityName: 'pvc',
    clusterId: 'c',
    entityType: 'PERSISTENT_VOLUME_CLAIM',
    referredEntity: [reference],
  });
  const spec = {
    name: 'v',
    volumeType: 'BLOCK',
    metadata: { containerCluster: cluster, entityMetadata: [entity], containerClusterArray: [cluster] },
    backingObjectDetails: make(CnsBlockBackingDetails, { capacityInMb: 1n }),
  };
  const newer = ['clusterFlavor', 'clusterDistribution', 'containerClusterArray', 'referredEntity'];

  it.each([
    ['vSAN 6.7U3', []],
    ['7.0', ['clusterFlavor', 'containerClusterArray', 'referredEntity']],
    ['vSAN 7.0U1', ['clusterFlavor', 'containerClusterArray', 'referredEntity']],
    ['vSAN 7.0U2', newer],
    ['8.0.0.4', newer],
  ])('of describing a volume is left out for %s', async (version, kept) => {
    const { session, body } = publishing(version);
    await session.vsan.call(cnsCreateVolume, { _this: manager, createSpecs: [spec] });
    expect(newer.filter((name) => body().includes(`<${name}>`)).sort()).toEqual([...kept].sort());
    // Once of the cluster, and of the entity where that is known.
    expect(body().split('<clusterId>').length - 1).toBe(version === 'vSAN 6.7U3' ? 1 : 4);
  });

  it('of what is to be done is refused before anything is sent: a copy without its source would be an empty disk', async () => {
    const { session, sdk } = publishing('vSAN 6.7U3');
    const volumeSource = make(CnsSnapshotVolumeSource, { volumeId: { id: 'a' }, snapshotId: { id: 's' } });
    const copy = session.vsan.call(cnsCreateVolume, { _this: manager, createSpecs: [{ ...spec, volumeSource }] });
    await expect(copy).rejects.toMatchObject({
      code: 'VCenterVersionUnsupported',
      effect: 'none',
      message: expect.stringContaining('CnsVolumeCreateSpec.volumeSource exists since 7.0'),
    });
    const byUrl = { ...spec, backingObjectDetails: make(CnsBlockBackingDetails, { backingDiskUrlPath: 'https://x' }) };
    await expect(session.vsan.call(cnsCreateVolume, { _this: manager, createSpecs: [byUrl] })).rejects.toMatchObject({
      code: 'VCenterVersionUnsupported',
    });
    expect(sdk.count('CnsCreateVolume')).toBe(0);
  });

  it('of methods is refused before anything is sent', async () => {
    const { session, sdk } = publishing('vSAN 6.7U3');
    const snapshot = { _this: manager, snapshotSpecs: [{ volumeId: { id: 'a' }, description: 'd' }] };
    await expect(session.vsan.call(cnsCreateSnapshots, snapshot)).rejects.toMatchObject({
      code: 'VCenterVersionUnsupported',
      message: expect.stringContaining('requires API vSAN 7.0U3, but this vCenter has API vSAN 6.7U3'),
    });
    expect(sdk.count('CnsCreateSnapshots')).toBe(0);
  });
});

describe('a question of what the session may do', () => {
  it('is asked again with the new session when the old one was lost meanwhile', async () => {
    const { session, sdk } = createScriptedSession();
    const asked: string[] = [];
    const entity = moref('Folder', 'group-v1');
    sdk.on(hasPrivilegeOnEntities, ({ sessionId }) => {
      asked.push(sessionId);
      if (asked.length === 1) throw new ScriptedFault({ $type: 'NotAuthenticated' });
      // The session that it names is gone by now: vCenter answers for nobody.
      return [{ entity, privAvailability: [{ privId: 'System.Read', isGranted: asked.length > 2 }] }];
    });
    const [answer] = await askAsSession(session, ({ key }) =>
      session.vim.call(hasPrivilegeOnEntities, {
        _this: moref('AuthorizationManager', 'AuthorizationManager'),
        entity: [entity],
        sessionId: key,
        privId: ['System.Read'],
      }),
    );
    expect(answer?.privAvailability[0]?.isGranted).toBe(true);
    expect(sdk.count('Login')).toBe(2);
  });
});
