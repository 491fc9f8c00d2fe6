/** Header names are lower case. A header that occurs several times has one value per line. */
export type HttpHeaders = Readonly<Record<string, string>>;

export interface HttpRequest {
  readonly method: string;
  /** Path with query, from the server's root: `/api/v1/nodes?limit=500`. */
  readonly path: string;
  readonly headers: HttpHeaders;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  /** Streamed; a consumer that stops early cancels the exchange. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The port between a client and a server. A network client implements it towards an origin; a simulator implements it
 * directly, so client and simulator can be joined in memory or over a socket without either knowing.
 */
export type HttpTransport = (request: HttpRequest) => Promise<HttpResponse>;

/** A complete body. Written by hand: most replies are complete, and a generator would cost more than everything else. */
const wholeBody = (bytes: Uint8Array): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    let isRead = bytes.length === 0;
    return {
      next: async () => {
        if (isRead) return { done: true, value: undefined };
        isRead = true;
        return { done: false, value: bytes };
      },
      return: async () => {
        isRead = true;
        return { done: true, value: undefined };
      },
    };
  },
});

/** A response with a complete body. */
export const httpResponse = (
  status: number,
  body: string | Uint8Array = '',
  headers: HttpHeaders = {},
): HttpResponse => ({
  status,
  headers,
  body: wholeBody(typeof body === 'string' ? Buffer.from(body) : body),
});

/** Reads a body to its end; throws RangeError beyond `maxBytes` (default 64 MiB). */
export const readBody = async (body: AsyncIterable<Uint8Array>, maxBytes = 64 * 1024 * 1024): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError(`body exceeds ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const [first] = chunks;
  if (first && chunks.length === 1) return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  return Buffer.concat(chunks);
};
