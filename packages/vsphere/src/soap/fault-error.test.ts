import { describe, expect, it } from 'vitest';
import { moref } from '../wire/moref.ts';
import { faultError } from './fault-error.ts';

const context = { server: 'vc.example', call: 'CnsCreateVolume' };
const translate = (
  fault: { readonly $type: string; readonly [field: string]: unknown } | undefined,
  message = 'said',
) => faultError(fault, message, context);

describe('faults of vCenter', () => {
  it.each([
    ['InvalidLogin', 'VCenterLoginRejected', 'on-change'],
    ['NotAuthenticated', 'VCenterSessionLost', 'backoff'],
    ['NoPermission', 'VCenterPermissionDenied', 'on-change'],
    ['ManagedObjectNotFound', 'VCenterObjectNotFound', 'never'],
    ['NotSupported', 'VCenterVersionUnsupported', 'on-change'],
    ['TaskInProgress', 'VCenterBusy', 'backoff'],
    ['ResourceInUse', 'VCenterBusy', 'backoff'],
    ['HostNotReachable', 'VCenterBusy', 'backoff'],
    ['ConcurrentAccess', 'VCenterBusy', 'backoff'],
    ['PasswordExpired', 'VCenterLoginRejected', 'on-change'],
    ['InvalidClientCertificate', 'VCenterLoginRejected', 'on-change'],
    ['VAppTaskInProgress', 'VCenterBusy', 'backoff'],
    ['FilterInUse', 'VCenterBusy', 'backoff'],
    ['InvalidRequest', 'VCenterFault', 'never'],
    ['InvalidArgument', 'VCenterFault', 'backoff'],
    ['FromTheFuture', 'VCenterFault', 'backoff'],
  ])('%s is %s, retry %s', ($type, code, retry) => {
    expect(translate({ $type })).toMatchObject({ code, retry });
  });

  it.each([
    ['ResourceInUse', 'none'],
    ['TaskInProgress', 'unknown'],
    ['ConcurrentAccess', 'unknown'],
    ['HostNotReachable', 'unknown'],
    ['NotAuthenticated', 'unknown'],
    ['NoPermission', 'none'],
  ])('%s leaves the effect %s', ($type, effect) => {
    expect(translate({ $type }).effect).toBe(effect);
  });

  it('without a type is told by its message', () => {
    expect(translate(undefined)).toMatchObject({ code: 'VCenterFault', message: expect.stringContaining('said') });
  });

  it('NoPermission names privilege and object, in message and remedy', () => {
    const error = translate({
      $type: 'NoPermission',
      object: moref('Datastore', 'datastore-7'),
      privilegeId: 'Datastore.FileManagement',
    });
    expect(error.message).toBe(
      'vCenter vc.example refused CnsCreateVolume: the user lacks Datastore.FileManagement on Datastore:datastore-7',
    );
    expect(error.remedy).toContain('Datastore.FileManagement on Datastore:datastore-7');
  });

  it('NoPermission lists all privileges that a newer vCenter tells', () => {
    const missing = [{ privilegeIds: ['A.B', 'C.D'] }, { privilegeIds: ['A.B'] }];
    const error = translate({ $type: 'NoPermission', missingPrivileges: missing });
    expect(error.details['privileges']).toEqual(['A.B', 'C.D']);
  });

  it('ManagedObjectNotFound names the object', () => {
    const error = translate({ $type: 'ManagedObjectNotFound', obj: moref('VirtualMachine', 'vm-1') });
    expect(error.details['object']).toBe('VirtualMachine:vm-1');
  });

  it('keep their wire type for whoever must tell them apart', () => {
    expect(translate({ $type: 'InvalidArgument' }).details['fault']).toBe('InvalidArgument');
  });
});
