import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBody } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import type { AnyObject } from '@vdo/kube/types/object';

/** What means something in XML, INI, YAML, shells, URLs and formats of messages, and letters of more than one byte. */
export const awkwardEnd = `"'<&>]]>;#=[x]: - {{.}} $(id) \`id\` \${HOME} %41%s \\n\\ é ß 漢 😀!`;

/** The three ways in which a text can lie in base64 of something longer; the ends depend on what is beside it. */
const inBase64 = (text: string): readonly string[] =>
  [0, 1, 2].map((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift, 'x'), Buffer.from(text)]);
    return bytes
      .subarray(0, bytes.length - (bytes.length % 3))
      .toString('base64')
      .slice(shift === 0 ? 0 : 4);
  });

/** Whether a text holds a password, as it is or encoded. Its first part has no special characters, so that no escape hides it. */
export const reveals = (text: string, password: string): boolean => {
  const plain = password.slice(0, -awkwardEnd.length);
  const forms = [plain, plain.toUpperCase(), Buffer.from(plain).toString('hex'), ...inBase64(plain)];
  return [...forms, encodeURIComponent(awkwardEnd), awkwardEnd].some((form) => text.includes(form));
};

/** Everything that can be read below a folder. */
export const filesBelow = (folder: string): readonly { readonly path: string; readonly text: string }[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    // Longer ones are disks.
    return entry.isFile() && statSync(path).size < 64 << 20
      ? [{ path, text: readFileSync(path, 'latin1') + readFileSync(path, 'utf8') }]
      : [];
  });

interface ResourceList {
  readonly resources: readonly { readonly kind: string; readonly name: string; readonly verbs: readonly string[] }[];
}

/** Every object of every kind that can be listed. */
export const everyObject = async (server: string, token: string): Promise<readonly AnyObject[]> => {
  const { transport, close } = createHttpClient({ origin: server, tls: { insecure: true } });
  const read = async <T>(path: string): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const { status, body } = await transport({ method: 'GET', path, headers });
    const text = (await readBody(body)).toString();
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text);
  };
  const { groups } = await read<{ groups: readonly { versions: readonly { groupVersion: string }[] }[] }>('/apis');
  const paths = ['/api/v1', ...groups.flatMap(({ versions }) => versions.map((one) => `/apis/${one.groupVersion}`))];
  const objects = await Promise.all(
    paths.map(async (path) => {
      const { resources } = await read<ResourceList>(path);
      const listed = resources.filter(({ name, verbs }) => !name.includes('/') && verbs.includes('list'));
      return Promise.all(
        listed.map(async ({ name, kind }) => {
          const { items } = await read<{ items: readonly AnyObject[] }>(`${path}/${name}`);
          return items.map((item) => ({ ...item, kind }));
        }),
      );
    }),
  );
  await close();
  return objects.flat(2);
};
