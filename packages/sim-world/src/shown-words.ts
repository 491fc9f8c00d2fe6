import { readFileSync } from 'node:fs';
import type { HttpRequest, HttpTransport } from '@vdo/base/http';

/** What `vdoctl explain` knows of what a status shows, as it is generated for the dashboard. Programs of simulations find it from where they are. */
const wordsFile = new URL('../../../packages/dashboard/src/gen/words.json', import.meta.url);

let read: ReadonlySet<string> | undefined;
const knownWords = (): ReadonlySet<string> => {
  const entries = (): readonly { readonly code: string }[] => JSON.parse(readFileSync(wordsFile, 'utf8'));
  read ??= new Set(entries().map(({ code }) => code));
  return read;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every `reason` in it, and of conditions the type, of checks the id. */
const wordsIn = (value: unknown, words: Set<string>): void => {
  if (Array.isArray(value)) for (const one of value) wordsIn(one, words);
  if (!isRecord(value)) return;
  const { reason, type, id } = value;
  for (const word of typeof reason === 'string' && reason !== '' ? [reason, type, id] : [])
    if (typeof word === 'string') words.add(word);
  for (const one of Object.values(value)) wordsIn(one, words);
};

/** Events have a type that is Kubernetes' own. */
const shownBy = (path: string, body: unknown): unknown => {
  if (!isRecord(body)) return undefined;
  if (/\/events(?:[/?]|$)/.test(path)) return { reason: body['reason'] };
  return /\/vspheredrivers\//.test(path) ? body['status'] : undefined;
};

const bodyOf = ({ body = '' }: HttpRequest): unknown => {
  try {
    return JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Notes the words that programs write into events and into the status of the resource. */
export const createShownWords = () => {
  const words = new Set<string>();
  return {
    noted:
      (transport: HttpTransport): HttpTransport =>
      (request) => {
        const { method, path } = request;
        if (method !== 'GET' && /\/(?:events|vspheredrivers)\b/.test(path))
          wordsIn(shownBy(path, bodyOf(request)), words);
        return transport(request);
      },
    /** Those that nobody can look up. */
    unexplained: (): readonly string[] => [...words].filter((word) => !knownWords().has(word)).sort(),
  };
};
