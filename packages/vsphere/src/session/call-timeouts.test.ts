import type { HttpRequest, HttpTransport } from '@vdo/base/http';
import { describe, expect, it } from 'vitest';
import { createFirstClassDisks } from '../fcd/create-first-class-disks.ts';
import type { TaskWaiter } from '../tasks/task-waiter.ts';
import type { ScriptedSdk } from '../testing/scripted-sdk.ts';
import { createScriptedSession, serviceContent } from '../testing/scripted-session.ts';
import { cnsQueryVolume } from '../wire/methods/cns.ts';
import { pbmRetrieveServiceContent } from '../wire/methods/pbm.ts';
import { currentTime, retrieveServiceContent } from '../wire/methods/session.ts';
import { moref } from '../wire/moref.ts';
import type { VimSession } from './vim-session.ts';

const asked = /<(CurrentTime|CnsQueryVolume|PbmRetrieveServiceContent|ListVStorageObject) /;

/** A vCenter that logs in and then never answers the call in question. */
const silentAfterLogin = () => {
  let inner: ScriptedSdk | undefined;
  const heard = new Set<string>();
  const transport: HttpTransport = (request: HttpRequest) => {
    const call = asked.exec(String(request.body))?.[1];
    if (call === undefined) return (inner as ScriptedSdk).transport(request);
    heard.add(call);
    return new Promise((_resolve, reject) =>
      request.signal?.addEventListener('abort', () => reject(request.signal?.reason)),
    );
  };
  const scripted = createScriptedSession({ transport });
  inner = scripted.sdk;
  const vStorageObjectManager = moref('VcenterVStorageObjectManager', 'VStorageObjectManager');
  scripted.sdk.on(retrieveServiceContent, () => ({ ...serviceContent, vStorageObjectManager }));
  return { ...scripted, heard };
};

const calls: readonly (readonly [string, number, (session: VimSession) => Promise<unknown>])[] = [
  ['CurrentTime', 60, ({ vim }) => vim.call(currentTime, { _this: moref('ServiceInstance', 'ServiceInstance') })],
  [
    'CnsQueryVolume',
    300,
    ({ vsan }) => vsan.call(cnsQueryVolume, { _this: moref('CnsVolumeManager', 'cns-volume-manager'), filter: {} }),
  ],
  [
    'PbmRetrieveServiceContent',
    300,
    ({ pbm }) => pbm.call(pbmRetrieveServiceContent, { _this: moref('PbmServiceInstance', 'ServiceInstance') }),
  ],
  [
    'ListVStorageObject',
    300,
    (session) => createFirstClassDisks(session, {} as TaskWaiter).list(moref('Datastore', 'datastore-1')),
  ],
];

describe('a vCenter that does not answer', () => {
  it.each(calls)('ends %s after %i s', async (name, seconds, call) => {
    const { session, clock, heard } = silentAfterLogin();
    let failure: unknown;
    const ended = call(session).catch((error: unknown) => {
      failure = error;
    });
    await expect.poll(() => heard.has(name)).toBe(true);
    await clock.advance((seconds - 1) * 1000);
    expect(failure).toBeUndefined();
    await clock.advance(1000);
    await ended;
    expect(failure).toMatchObject({
      code: 'DeadlineExceeded',
      message: expect.stringContaining(`within ${seconds} s`),
    });
  });
});
