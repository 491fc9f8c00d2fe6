import { type HttpResponse, type HttpTransport, readBody } from '@vdo/base/http';
import { VdoError } from '@vdo/base/vdo-error';
import type { DocumentSource } from '@vdo/config/api/field-types';
import { names } from '@vdo/config/names';

/** Functions that read documents, by kind of source. */
export interface DocumentReaders {
  /** Returns a client for an origin such as https://example.com. */
  readonly connect: (origin: string) => HttpTransport;
  /** Data of a ConfigMap in the operator's namespace; undefined if there is none. */
  readonly readConfigMap: (
    name: string,
    call: { readonly signal: AbortSignal },
  ) => Promise<Readonly<Record<string, string>> | undefined>;
  /** Text of a file; undefined if there is none. */
  readonly readFile: (path: string, call: { readonly signal: AbortSignal }) => Promise<string | undefined>;
}

export interface ReadDocumentOptions extends DocumentReaders {
  /** The field with the source, for messages: `spec.updates.matrix`. */
  readonly field: string;
  /** The kind of document, for messages: `compatibility matrix`. */
  readonly what: string;
  readonly signal: AbortSignal;
}

export interface Document {
  readonly text: string;
  /** The document beside it with .sig appended to its name, if there is one. */
  readonly signature?: string;
}

export const signatureSuffix = '.sig';
const maxBytes = 4 * 1024 * 1024;
const maxRedirects = 5;

/** The source as shown to users: an address, `ConfigMap name` or a path. */
export const sourceName = ({ url, configMap, file }: DocumentSource): string =>
  url ?? (configMap ? `ConfigMap ${configMap.name}` : (file ?? 'nowhere'));

interface Failure {
  readonly why: string;
  readonly remedy: string;
  readonly cause?: unknown;
}

const unreadable = (source: DocumentSource, { what }: ReadDocumentOptions, { why, remedy, cause }: Failure): VdoError =>
  new VdoError({
    code: 'SourceUnreadable',
    message: `${what} from ${sourceName(source)}: ${why}`,
    remedy,
    details: { source: sourceName(source) },
    ...(cause === undefined ? {} : { cause }),
  });

const follow = async (start: URL, { connect, signal }: ReadDocumentOptions): Promise<HttpResponse> => {
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const headers = { accept: '*/*', 'user-agent': names.operator };
    const response = await connect(url.origin)({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers,
      signal,
    });
    const location = response.headers['location'];
    if (response.status < 300 || response.status >= 400 || location === undefined) return response;
    await readBody(response.body, maxBytes);
    const next = new URL(location, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      throw new Error(`redirected from https to ${next.origin}`);
    url = next;
  }
  throw new Error(`redirected more than ${maxRedirects} times`);
};

const readUrl = async (source: DocumentSource, address: string, options: ReadDocumentOptions): Promise<Document> => {
  const get = async (url: URL): Promise<{ readonly status: number; readonly text: string }> => {
    try {
      const response = await follow(url, options);
      return { status: response.status, text: (await readBody(response.body, maxBytes)).toString('utf8') };
    } catch (cause) {
      options.signal.throwIfAborted();
      const why = cause instanceof Error ? cause.message : String(cause);
      throw unreadable(source, options, {
        why,
        remedy: `Check that the operator can reach ${url.origin} (proxy, firewall, DNS), or set another source in ${options.field}.`,
        cause,
      });
    }
  };
  const document = await get(new URL(address));
  if (document.status !== 200) {
    throw unreadable(source, options, {
      why: `the server returned status ${document.status}, expected 200`,
      remedy: `Correct ${options.field}.url, or publish the document there.`,
    });
  }
  const beside = new URL(address);
  beside.pathname += signatureSuffix;
  const signature = await get(beside);
  return { text: document.text, ...(signature.status === 200 ? { signature: signature.text } : {}) };
};

const keyIn = (data: Readonly<Record<string, string>>, wanted: string | undefined): string | undefined => {
  if (wanted !== undefined) return wanted;
  const documents = Object.keys(data).filter((key) => !key.endsWith(signatureSuffix));
  return documents.length === 1 ? documents[0] : undefined;
};

const readMap = async (
  source: DocumentSource,
  { name, key: wanted }: NonNullable<DocumentSource['configMap']>,
  options: ReadDocumentOptions,
): Promise<Document> => {
  const data = await options.readConfigMap(name, { signal: options.signal });
  if (!data) {
    throw unreadable(source, options, {
      why: 'it does not exist',
      remedy: `kubectl -n vmware-system-vdo create configmap ${name} --from-file=FILE, or correct ${options.field}.`,
    });
  }
  const key = keyIn(data, wanted) ?? '';
  const text = data[key];
  if (text === undefined) {
    throw unreadable(source, options, {
      why: `expected ${wanted === undefined ? 'one key other than signatures' : `key ${wanted}`}, found ${Object.keys(data).join(', ') || 'none'}`,
      remedy: `Set ${options.field}.configMap.key to the key that contains the document.`,
    });
  }
  const signature = data[`${key}${signatureSuffix}`];
  return { text, ...(signature === undefined ? {} : { signature }) };
};

const readPath = async (source: DocumentSource, path: string, options: ReadDocumentOptions): Promise<Document> => {
  const read = (file: string) => options.readFile(file, { signal: options.signal });
  const text = await read(path);
  if (text === undefined) {
    throw unreadable(source, options, {
      why: 'the file does not exist',
      remedy: `Mount it into the operator, or correct ${options.field}.file.`,
    });
  }
  const signature = await read(`${path}${signatureSuffix}`);
  return { text, ...(signature === undefined ? {} : { signature }) };
};

/** Reads a document and the signature beside it. Throws SourceUnreadable with what to correct. */
export const readDocument = async (source: DocumentSource, options: ReadDocumentOptions): Promise<Document> => {
  const { url, configMap, file } = source;
  if (url !== undefined) return readUrl(source, url, options);
  if (configMap) return readMap(source, configMap, options);
  return readPath(source, file ?? '', options);
};
