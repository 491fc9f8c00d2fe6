import { silentLogger } from '@vdo/base/logger';
import { VdoError } from '@vdo/base/vdo-error';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import type { KubeObject } from '@vdo/kube/types/object';
import { expect, test } from 'vitest';
import { createLoginMemory, type LoginMemoryOptions } from './login-memory.ts';

const credentials = { username: 'cpi@vsphere.local', password: 'obviously-fake', version: 'u1/7' };
const rejection = new VdoError({ code: 'VCenterLoginRejected', message: 'wrong password', remedy: 'Correct it.' });

test('the next process of the same program remembers what vCenter rejected', async () => {
  const clock = createVirtualClock();
  const held = new Map<string, KubeObject & { data: Record<string, string> }>();
  const kube = {
    find: async (_resource: unknown, { namespace, name }: { namespace?: string; name: string }) =>
      held.get(`${namespace}/${name}`),
    apply: async (_resource: unknown, object: KubeObject & { data: Record<string, string> }) => {
      const key = `${object.metadata.namespace}/${object.metadata.name}`;
      held.set(key, { ...object, data: { ...held.get(key)?.data, ...object.data } });
      return object;
    },
  } as unknown as LoginMemoryOptions['kube'];
  const start = (program: LoginMemoryOptions['program']) =>
    createLoginMemory({ kube, namespace: 'vmware-system-vdo', program, clock, logger: silentLogger });
  await start('cpi').rejected('vc.example.com', credentials, rejection);
  expect([...held.keys()]).toEqual(['vmware-system-vdo/vsphere-login-guard']);
  expect(Object.keys(held.get('vmware-system-vdo/vsphere-login-guard')?.data ?? {})).toEqual(['cpi']);
  await expect(start('cpi').check('vc.example.com', credentials)).rejects.toMatchObject({
    code: 'VCenterLoginSuspended',
    cause: { code: 'VCenterLoginRejected', message: 'wrong password', remedy: 'Correct it.' },
  });
  await start('csi').check('vc.example.com', credentials);
});
