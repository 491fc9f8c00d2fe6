import { httpResponse } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock, type VirtualClock } from '@vdo/base/virtual-clock';
import { createLoginGuard } from '../session/login-guard.ts';
import { createTokenService } from '../session/token-service.ts';
import { createVimSession, type VimSession, type VimSessionOptions } from '../session/vim-session.ts';
import { createCallMetrics } from '../soap/call-metrics.ts';
import { login, logout, retrieveServiceContent } from '../wire/methods/session.ts';
import { moref } from '../wire/moref.ts';
import { createScriptedSdk, ScriptedFault, type ScriptedSdk } from './scripted-sdk.ts';

export const aboutInfo = {
  name: 'VMware vCenter Server',
  fullName: 'VMware vCenter Server 8.0.3 build-1',
  vendor: 'VMware, Inc.',
  version: '8.0.3',
  build: '1',
  osType: 'linux-x64',
  productLineId: 'vpx',
  apiType: 'VirtualCenter',
  apiVersion: '8.0.3.0',
  instanceUuid: '00000000-0000-4000-8000-000000000001',
};

export const serviceContent = {
  rootFolder: moref('Folder', 'group-d1'),
  propertyCollector: moref('PropertyCollector', 'propertyCollector'),
  viewManager: moref('ViewManager', 'ViewManager'),
  about: aboutInfo,
  sessionManager: moref('SessionManager', 'SessionManager'),
  searchIndex: moref('SearchIndex', 'SearchIndex'),
};

const userSession = {
  key: 'key-1',
  userName: 'user',
  fullName: 'user',
  loginTime: new Date(0),
  lastActiveTime: new Date(0),
  locale: 'en',
  messageLocale: 'en',
  extensionSession: false,
  ipAddress: '192.0.2.1',
  userAgent: 'test',
  callCount: 0n,
};

/** A session on a scripted endpoint that accepts the password `right`. */
export const createScriptedSession = (
  overrides: Partial<VimSessionOptions> = {},
): { readonly sdk: ScriptedSdk; readonly session: VimSession; readonly clock: VirtualClock } => {
  const clock = createVirtualClock();
  const sdk = createScriptedSdk()
    .onPath('/sdk/vsanServiceVersions.xml', async () => httpResponse(404))
    .on(retrieveServiceContent, () => serviceContent)
    .on(logout, () => undefined)
    .on(login, ({ password }) => {
      if (password !== 'right') throw new ScriptedFault({ $type: 'InvalidLogin' });
      return userSession;
    });
  const session = createVimSession({
    endpoint: { server: 'vc.example', port: 443 },
    transport: sdk.transport,
    credentials: async () => ({ username: 'user@domain', password: 'right', version: '1' }),
    guard: createLoginGuard({ clock, logger: silentLogger }),
    clock,
    logger: silentLogger,
    metrics: createCallMetrics(createMetrics(), 'vc.example'),
    tokens: createTokenService({
      endpoint: { server: 'vc.example', port: 443 },
      transport: sdk.transport,
      clock,
      random: createSeededRandom(1),
      domain: 'vsphere.local',
    }),
    ...overrides,
  });
  return { sdk, session, clock };
};
