import { VdoError } from '@vdo/base/vdo-error';
import type { CallOptions, KubeClient } from './client.ts';

/** A Kubernetes version without what vendors add: `v1.34.4+rke2r1` is 1.34. */
export interface MinorVersion {
  readonly major: number;
  readonly minor: number;
}

const parseServerVersion = (gitVersion: string): MinorVersion | undefined => {
  const [, major, minor] = gitVersion.match(/^v?(\d+)\.(\d+)/) ?? [];
  return major === undefined || minor === undefined ? undefined : { major: Number(major), minor: Number(minor) };
};

/** The server's version; KubeVersionUnsupported if it is older than `oldest` or cannot be read. */
export const requireServerVersion = async (
  client: Pick<KubeClient, 'serverVersion'>,
  oldest: MinorVersion,
  options: CallOptions = {},
): Promise<string> => {
  const version = await client.serverVersion(options);
  const parsed = parseServerVersion(version);
  if (parsed && (parsed.major > oldest.major || (parsed.major === oldest.major && parsed.minor >= oldest.minor)))
    return version;
  const expected = `${oldest.major}.${oldest.minor}`;
  throw new VdoError({
    code: 'KubeVersionUnsupported',
    message: `the API server has version "${version}", but at least ${expected} is required`,
    remedy: `Upgrade Kubernetes to ${expected} or later, or use a release of VDO that supports "${version}".`,
    details: { version, expected },
  });
};
