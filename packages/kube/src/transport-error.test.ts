import { HttpFailure, type HttpFailureKind } from '@vdo/base/http-failure';
import { describe, expect, test } from 'vitest';
import { transportError } from './transport-error.ts';

const server = 'https://k8s.test:6443';

describe('a failed exchange', () => {
  const kinds: readonly (readonly [HttpFailureKind, string])[] = [
    ['name-unresolved', 'KubeUnreachable'],
    ['refused', 'KubeUnreachable'],
    ['unreachable', 'KubeUnreachable'],
    ['timeout', 'KubeUnreachable'],
    ['not-tls', 'KubeUnreachable'],
    ['interrupted', 'KubeUnreachable'],
    ['malformed', 'KubeUnreachable'],
    ['tls-untrusted', 'KubeTlsUntrusted'],
    ['thumbprint-mismatch', 'KubeTlsUntrusted'],
  ];
  test.each(kinds)('%s is a %s that names the server', (kind, code) => {
    const cause = new HttpFailure(kind, 'because');
    expect(transportError(server, cause)).toMatchObject({
      code,
      cause,
      message: expect.stringContaining(server),
      remedy: expect.stringMatching(/\.$/),
    });
  });

  test('any other error is returned unchanged', () => {
    const error = new TypeError('defect');
    expect(transportError(server, error)).toBe(error);
  });
});
