import { type HttpTransport, httpResponse } from '@vdo/base/http';
import { HttpFailure } from '@vdo/base/http-failure';
import { ssoNamespace } from '@vdo/vsphere/wire/methods/sso';
import { wireTypes } from '@vdo/vsphere/wire/wire-types';
import { cnsMethods } from './cns/cns-methods.ts';
import { createVolumeStore, type VolumeStore } from './cns/volume-store.ts';
import { createControl, type SimControl } from './control.ts';
import { createCore } from './create-core.ts';
import { createDiskFiles } from './fcd/disk-control.ts';
import { vstorageMethods } from './fcd/vstorage-methods.ts';
import { pbmMethods } from './pbm/pbm-methods.ts';
import type { Recorder } from './recorder.ts';
import { createRestEndpoint } from './rest/rest-endpoint.ts';
import type { Session } from './sessions.ts';
import type { VSphereSimOptions } from './sim-options.ts';
import { type ClientSession, createClientSession } from './soap/client-session.ts';
import type { MethodHandler } from './soap/method-handler.ts';
import { authorizationMethods } from './soap/methods/authorization-methods.ts';
import { retrieveMethods } from './soap/methods/retrieve-methods.ts';
import { searchMethods } from './soap/methods/search-methods.ts';
import { sessionMethods } from './soap/methods/session-methods.ts';
import { taskMethods } from './soap/methods/task-methods.ts';
import { updateMethods } from './soap/methods/update-methods.ts';
import { viewMethods } from './soap/methods/view-methods.ts';
import { vmMethods } from './soap/methods/vm-methods.ts';
import { vsanMethods } from './soap/methods/vsan-methods.ts';
import { serviceVersions } from './soap/service-versions.ts';
import { createSoapEndpoint } from './soap/soap-endpoint.ts';
import { ssoMethods } from './sso/sso-methods.ts';
import { createStsEndpoint, createTokens } from './sso/sts-endpoint.ts';
import { tokenLogin } from './sso/token-login.ts';

/** A simulated vCenter: state, endpoints, and control functions for tests. */
export interface VSphereSim {
  /** Connected to a client in memory, or served on a socket. */
  readonly handler: HttpTransport;
  readonly control: SimControl;
  readonly recorder: Recorder;
  /** The instance UUID, which distinguishes this vCenter from all others, also from one that is newly installed under the same name. */
  readonly instanceUuid: string;
  /** The container volumes, for tests. */
  readonly volumes: Pick<VolumeStore, 'get' | 'list' | 'disks'>;
}

const vimMethods: readonly MethodHandler[] = [
  ...sessionMethods,
  ...retrieveMethods,
  ...updateMethods,
  ...viewMethods,
  ...searchMethods,
  ...taskMethods,
  ...vmMethods,
  ...authorizationMethods,
];

export const createVSphereSim = (options: VSphereSimOptions): VSphereSim => {
  const { tags, ...built } = createCore(options);
  const { core } = built;
  const volumes = createVolumeStore();
  const files = createDiskFiles(core, volumes);
  for (const datacenter of options.model.datacenters)
    for (const { name, disks = [] } of datacenter.datastores)
      for (const disk of disks) files.addDisk(`${datacenter.folder ?? ''}/${datacenter.name}/datastore/${name}`, disk);
  const withoutFiles = new Set<string>();
  const clients = new Map<string, ClientSession>();
  let downUntilMs = 0;
  let broken: HttpFailure | undefined;
  core.sessions.onEnd((session) => {
    clients.get(session.token)?.end(broken);
    clients.delete(session.token);
  });
  const clientOf = (session: Session): ClientSession => {
    const client = clients.get(session.token) ?? createClientSession(core, session);
    clients.set(session.token, client);
    return client;
  };

  const tokens = createTokens(core);
  const soap = { core, registry: wireTypes, clientOf };
  const { profile } = core;
  const endpoints: Readonly<Record<string, HttpTransport>> = {
    '/sdk': createSoapEndpoint({
      ...soap,
      path: '/sdk',
      profile,
      namespace: 'urn:vim25',
      alsoSpeaks: 'urn:vsan',
      handlers: [...vimMethods, ...vstorageMethods(volumes), tokenLogin(tokens)],
    }),
    '/vsanHealth': createSoapEndpoint({
      ...soap,
      path: '/vsanHealth',
      profile,
      namespace: 'urn:vsan',
      alsoSpeaks: 'urn:vim25',
      handlers: [...cnsMethods(volumes), ...vsanMethods(withoutFiles)],
    }),
    '/pbm': createSoapEndpoint({
      ...soap,
      path: '/pbm',
      profile,
      namespace: 'urn:pbm',
      ownCookies: true,
      handlers: pbmMethods,
    }),
    '/sso-adminserver/sdk': createSoapEndpoint({
      ...soap,
      path: '/sso-adminserver/sdk',
      profile,
      namespace: ssoNamespace,
      handlers: ssoMethods(tokens),
      cookie: { name: 'JSESSIONID', path: '/sso-adminserver' },
    }),
    '/sts/STSService': createStsEndpoint(core, tokens),
    '/about': async () => httpResponse(200, JSON.stringify(core.about), { 'content-type': 'application/json' }),
    '/sdk/vimServiceVersions.xml': async () => serviceVersions('urn:vim25', core.profile),
    '/sdk/vsanServiceVersions.xml': async () => serviceVersions('urn:vsan', core.profile),
  };
  const rest = createRestEndpoint({ core, tags, tokens });

  const handler: HttpTransport = async (request) => {
    request.signal?.throwIfAborted();
    if (core.clock.now() < downUntilMs) throw new HttpFailure('refused', 'the vCenter is down');
    const [path = ''] = request.path.split('?');
    // The domain may be named at the end of single sign-on paths: /sts/STSService/vsphere.local.
    const endpoint = endpoints[path.replace(/\/(vsphere\.local)?$/, '')];
    if (endpoint) return endpoint(request);
    if (/^\/(rest|api)\//.test(path)) return rest(request);
    return httpResponse(404, 'Not Found', { 'content-type': 'text/plain' });
  };
  const restart = (downMs: number): void => {
    downUntilMs = core.clock.now() + downMs;
    broken = new HttpFailure('interrupted', 'the vCenter restarts');
    core.sessions.expire();
    broken = undefined;
  };
  const setVolumeHealth: SimControl['setVolumeHealth'] = (id, health) => {
    const volume = volumes.get(id);
    if (volume) volumes.put({ ...volume, health });
  };
  const setVolumeCompliance: SimControl['setVolumeCompliance'] = (id, compliance) => {
    const volume = volumes.get(id);
    if (volume) volumes.put({ ...volume, compliance });
  };
  return {
    handler,
    control: createControl({
      ...built,
      ...files,
      volumes,
      restart,
      setVolumeHealth,
      setVolumeCompliance,
      withoutFiles,
    }),
    recorder: core.recorder,
    instanceUuid: core.about.instanceUuid ?? '',
    volumes,
  };
};
