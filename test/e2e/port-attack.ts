import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const gibibyte = 1 << 30;
const piece = Buffer.alloc(64 << 10, 'x');

export interface Listener {
  readonly host: string;
  readonly port: number;
}

/** As the kernel writes an address: `0100007F:1F90`, bytes of the host order. */
const listenerOf = (local: string): Listener => {
  const [address = '', port = ''] = local.split(':');
  const bytes = Buffer.from(address, 'hex').subarray(-4).reverse();
  const host = bytes.every((byte) => byte === 0) ? '127.0.0.1' : bytes.join('.');
  return { host, port: Number.parseInt(port, 16) };
};

/** Where a process listens for TCP. */
export const listenersOf = (pid: number): readonly Listener[] => {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? ''];
      } catch {
        return [];
      }
    }),
  );
  const listening = '0A';
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode = '-']) => state === listening && sockets.has(inode))
      .map(([, local = '']) => listenerOf(local)),
  );
};

const memoryLine = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** By how many bytes a process grew at most while something was done to it. */
export const growthDuring = async (pid: number, work: () => Promise<void>): Promise<number> => {
  const before = memoryLine(pid, 'VmRSS');
  // Forgets the peak until now: man proc_pid_clear_refs.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  await work();
  return memoryLine(pid, 'VmHWM') - before;
};

/** How long the main thread of a process has computed: what others do on a busy machine does not count. */
const computedMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** Asks a server again and again, fifty times at least. Tells the longest time it took to answer, by the clock and of its own computing. */
export const longestAnswers = async (
  pid: number,
  url: string,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly elapsed: number; readonly computed: number }> => {
  let [count, elapsed, computed] = [0, 0, 0];
  while (!signal.aborted || count < 50) {
    const [startedMs, before] = [performance.now(), computedMs(pid)];
    const { status } = await fetch(url);
    if (status !== 200) throw new Error(`${url} answered ${status}`);
    elapsed = Math.max(elapsed, performance.now() - startedMs);
    computed = Math.max(computed, computedMs(pid) - before);
    count += 1;
  }
  return { count, elapsed, computed };
};

const open = ({ host, port }: Listener, tls: boolean): Socket =>
  tls ? connectTls({ host, port, rejectUnauthorized: false }) : connect(port, host);

export interface Flood {
  /** Bytes that the other side, or the buffers before it, took. */
  readonly sent: number;
  /** The status line of what was answered; empty if the connection was dropped. */
  readonly answer: string;
}

/** Sends a head and then a body without an end, whatever is answered, until 1 GiB is gone or the connection is. */
const flood = (target: Listener, tls: boolean, head: string): Promise<Flood> =>
  new Promise((resolve) => {
    const socket = open(target, tls);
    let [sent, answer] = [0, ''];
    const end = () => {
      socket.destroy();
      resolve({ sent, answer: answer.split('\r\n')[0] ?? '' });
    };
    socket.setTimeout(20_000, end);
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    // What was refused is known by the answer, or by the lack of one.
    socket.on('error', () => {});
    socket.on('close', end);
    const pour = () => {
      while (sent < gibibyte && !socket.destroyed) {
        sent += piece.length;
        if (!socket.write(piece)) return;
      }
      if (sent >= gibibyte) socket.end();
    };
    socket.on('drain', pour);
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      socket.write(head);
      pour();
    });
  });

/** The status line of an ordinary question. */
export const askPort = (target: Listener, tls: boolean): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = open(target, tls);
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''));
    socket.write(head('GET /healthz', 'Connection: close'));
  });

const head = (first: string, ...headers: readonly string[]): string =>
  [`${first} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

/** Every way to hand a server more than it asked for. */
const heads: readonly string[] = [
  head('POST /metrics', `Content-Length: ${gibibyte}`),
  head('POST /', 'Transfer-Encoding: chunked').concat('40000000\r\n'),
  head('GET /healthz', `Content-Length: ${gibibyte}`),
  head('PUT /dashboard/model', 'Expect: 100-continue', `Content-Length: ${gibibyte}`),
  // A header that has no end, and no request at all.
  'GET / HTTP/1.1\r\nX-Long: ',
  '',
];

/** Pours 1 GiB into a port in every way at once. */
export const floodPort = (target: Listener, tls: boolean): Promise<readonly Flood[]> =>
  Promise.all(heads.map((one) => flood(target, tls, one)));
