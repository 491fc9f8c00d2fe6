import { type HttpTransport, readBody } from '@vdo/base/http';

/** The vSAN API version of a vCenter; undefined before `load` and where the server does not tell. */
export interface VsanVersion {
  load(options: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  current(): string | undefined;
}

const versionPattern = /<name>\s*urn:vsan\s*<\/name>\s*<version>\s*([^<\s]+)\s*<\/version>/;

/**
 * Reads it from the published list, once. Without it calls still work; then vCenter may send results of storage tasks
 * in a form older than it could.
 */
export const createVsanVersion = (transport: HttpTransport): VsanVersion => {
  let version: string | undefined;
  let asked: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    const reply = await transport({ method: 'GET', path: '/sdk/vsanServiceVersions.xml', headers: {} });
    const body = (await readBody(reply.body, 1 << 20)).toString('utf8');
    version = reply.status === 200 ? versionPattern.exec(body)?.[1] : undefined;
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
