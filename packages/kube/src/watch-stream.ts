import { isStatus } from './api-error.ts';
import type { KubeObject, StatusReply, WatchEvent } from './types/object.ts';

const newline = 0x0a;

/** Splits a byte stream into lines of text; empty lines are dropped, and an incomplete last line does not count. */
export async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      pending.push(chunk.subarray(start, end));
      start = end + 1;
      const line = decode(pending.splice(0));
      if (line.trim() !== '') yield line;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
}

/** The content of one line of a watch: an event, or the server's reason for ending the watch. */
export const parseWatchLine = <T extends KubeObject>(
  line: string,
): { readonly event: WatchEvent<T> } | { readonly failure: StatusReply } => {
  const parsed = JSON.parse(line) as WatchEvent<T> | { readonly type: string; readonly object: unknown };
  if (parsed.type !== 'ERROR') return { event: parsed as WatchEvent<T> };
  const { object } = parsed;
  if (isStatus(object)) return { failure: object };
  return { failure: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 500, message: line.slice(0, 500) } };
};

const decode = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString('utf8');
