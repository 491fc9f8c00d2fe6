import { type HttpTransport, readBody } from '@vdo/base/http';

/** The vSAN API version of a vCenter; undefined before `load` and if the server does not report it. */
export interface VsanVersion {
  load(options: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  current(): string | undefined;
}

// Names contain spaces: `vSAN 7.0U1`.
const versionPattern = /<name>\s*urn:vsan\s*<\/name>\s*<version>([^<]{0,64})<\/version>/;

/**
 * Reads it once from the published list. Without it calls still work, but vCenter may send results of storage tasks
 * in an older format.
 */
export const createVsanVersion = (transport: HttpTransport): VsanVersion => {
  let version: string | undefined;
  let asked: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    const reply = await transport({ method: 'GET', path: '/sdk/vsanServiceVersions.xml', headers: {} });
    const body = (await readBody(reply.body, 1 << 20)).toString('utf8');
    version = reply.status === 200 ? versionPattern.exec(body)?.[1]?.trim() || undefined : undefined;
  };
  return {
    load: async ({ signal }) => {
      signal?.throwIfAborted();
      asked ??= ask();
      await asked.catch((error: unknown) => {
        asked = undefined;
        throw error;
      });
    },
    current: () => version,
  };
};
