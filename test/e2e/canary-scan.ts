import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBody } from '@vdo/base/http';
import { createHttpClient } from '@vdo/base/http-client';
import type { AnyObject } from '@vdo/kube/types/object';
import { processesOf } from './sandbox-process.ts';

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
const reveals = (text: string, password: string): boolean => {
  const plain = password.slice(0, -awkwardEnd.length);
  const forms = [plain, plain.toUpperCase(), Buffer.from(plain).toString('hex'), ...inBase64(plain)];
  return [...forms, encodeURIComponent(awkwardEnd), awkwardEnd].some((form) => text.includes(form));
};

/** Everything that can be read below a folder. */
const filesBelow = (folder: string): readonly { readonly path: string; readonly text: string }[] =>
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
const everyObject = async (server: string, token: string): Promise<readonly AnyObject[]> => {
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

/** What a running sandbox has shown and written, and where it keeps things. */
interface ScannedTestbed {
  readonly folder: string;
  readonly env: { readonly VDO_SANDBOX_RECORD: string };
  /** All that vdoctl has printed. */
  readonly printed: readonly string[];
  /** Every password that the drivers' account has had. */
  readonly passwords: ReadonlySet<string>;
  record(): { readonly kubeconfig: string; readonly vcenter: { readonly username: string } };
}

/** Where the passwords of a running sandbox can be seen: once for each that is. */
export const showingsOf = async ({ folder, env, printed, passwords, record }: ScannedTestbed) => {
  const found = (where: string, text: string) => [...passwords].filter((one) => reveals(text, one)).map(() => where);
  // The sandbox itself tells its user the account of its vCenter.
  const reported = printed.filter((text) => !text.includes(`(${record().vcenter.username} / `)).join('\n');
  const { clusters, users } = JSON.parse(readFileSync(record().kubeconfig, 'utf8'));
  const objects = await everyObject(clusters[0].cluster.server, users[0].user.token);
  return {
    objects,
    found,
    reported,
    printed: found('vdoctl', reported),
    inFiles: filesBelow(folder)
      .filter(({ path }) => path !== env.VDO_SANDBOX_RECORD)
      .flatMap(({ path, text }) => found(path, text)),
    inProcesses: processesOf(folder).flatMap(({ pid }) =>
      ['cmdline', 'environ'].flatMap((file) =>
        found(`${file} of ${pid}`, readFileSync(`/proc/${pid}/${file}`, 'utf8')),
      ),
    ),
    inObjects: objects
      .flatMap((object) => found(`${object.kind} ${object.metadata.name}`, JSON.stringify(object)))
      .sort(),
  };
};

/** The password that counts is in two Secrets, as it is, and in the record of the sandbox. */
export const onlyWhereTheyBelong = {
  printed: [],
  inFiles: [],
  inProcesses: [],
  inObjects: ['Secret vcenter', 'Secret vsphere-credentials'],
};
