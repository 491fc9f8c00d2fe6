/**
 * How often each system call occurs in what strace wrote, in the thread that makes it most often: strace counts for each thread.
 * The main thread of a process that runs JavaScript makes none that count: it only talks to whoever started it.
 */
export const callsIn = (log: string, mainThread?: number): Readonly<Record<string, number>> => {
  const perThread = new Map<string, number>();
  for (const [, thread = '', call = ''] of log.matchAll(/^(\d+) +(\w+)\(/gm))
    if (thread !== String(mainThread))
      perThread.set(`${thread} ${call}`, (perThread.get(`${thread} ${call}`) ?? 0) + 1);
  const calls: Record<string, number> = {};
  for (const [key, count] of perThread) {
    const [, call = ''] = key.split(' ');
    calls[call] = Math.max(calls[call] ?? 0, count);
  }
  return calls;
};
