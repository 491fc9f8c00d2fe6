import { type HttpResponse, readBody } from '@vdo/base/http';
import { silentLogger } from '@vdo/base/logger';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock, type VirtualClock } from '@vdo/base/virtual-clock';
import type { AnyObject } from '@vdo/kube/types/object';
import { createKubeSim, type KubeSim, type KubeSimOptions } from '../kube-sim.ts';

/** An object, or a list of them. */
export interface ReplyObject extends AnyObject {
  readonly items: readonly AnyObject[];
}

export interface RawReply {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  readonly body: ReplyObject;
  readonly text: string;
}

export interface RawOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A simulator on a virtual clock, and plain requests to it. */
export interface TestServer {
  readonly sim: KubeSim;
  readonly clock: VirtualClock;
  request(method: string, path: string, options?: RawOptions): Promise<RawReply>;
  get(path: string): Promise<RawReply>;
  post(path: string, body: unknown): Promise<RawReply>;
  put(path: string, body: unknown): Promise<RawReply>;
  delete(path: string, body?: unknown): Promise<RawReply>;
  patch(path: string, type: 'json' | 'merge' | 'strategic' | 'apply', body: unknown): Promise<RawReply>;
  /** Opens a watch; `next` gives the next line, undefined at its end. */
  watch(path: string): Promise<{ next(): Promise<WatchedLine | undefined>; close(): void }>;
}

export interface WatchedLine {
  readonly type: string;
  readonly object: AnyObject;
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchedLine> {
  let rest = '';
  for await (const chunk of body) {
    rest += Buffer.from(chunk).toString();
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}

export const createTestServer = (options: Partial<KubeSimOptions> = {}): TestServer => {
  const clock = createVirtualClock();
  const sim = createKubeSim({ clock, random: createSeededRandom(7), logger: silentLogger, ...options });

  const request: TestServer['request'] = async (method, path, { body, headers = {} } = {}) => {
    const reply = await sim.handler({
      method,
      path,
      headers: { accept: 'application/json', 'user-agent': 'test/1.0', 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = (await readBody(reply.body)).toString();
    const isJson = text.startsWith('{');
    return { status: reply.status, headers: reply.headers, text, body: isJson ? JSON.parse(text) : {} };
  };
  return {
    sim,
    clock,
    request,
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, { body }),
    put: (path, body) => request('PUT', path, { body }),
    delete: (path, body) => request('DELETE', path, { body }),
    patch: (path, type, body) => request('PATCH', path, { body, headers: { 'content-type': patchTypes[type] } }),
    watch: async (path) => {
      const leaving = new AbortController();
      const reply = await sim.handler({ method: 'GET', path, headers: {}, signal: leaving.signal });
      if (reply.status !== 200) throw new Error(`watch failed: ${(await readBody(reply.body)).toString()}`);
      const lines = linesOf(reply.body);
      return {
        next: async () => (await lines.next()).value,
        close: () => leaving.abort(new Error('the test leaves')),
      };
    },
  };
};
