import { describe, expect, test } from 'vitest';
import { requireServerVersion } from './server-version.ts';

const server = (version: string) => ({ serverVersion: async () => version });

describe('requireServerVersion', () => {
  test.each(['v1.28.0', 'v1.34.4+rke2r1', 'v1.30.8-eks-2d5f260', '1.100.0', 'v2.0.0'])('takes %s', async (version) => {
    expect(await requireServerVersion(server(version), { major: 1, minor: 28 })).toBe(version);
  });

  test.each(['v1.27.16', 'v1.9.0', '', 'unknown'])('refuses %j with a remedy', async (version) => {
    const refused = requireServerVersion(server(version), { major: 1, minor: 28 });
    await expect(refused).rejects.toMatchObject({ code: 'KubeVersionUnsupported', details: { expected: '1.28' } });
  });
});
