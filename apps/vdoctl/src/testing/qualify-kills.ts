import { createQualifyTestbed, demoSite } from './qualify-testbed.ts';

/** Requests that change something: before the first of them there is nothing to clean up. */
const changes = /^Cns(?!Query)|^(?:POST|DELETE) .*\/(?:category|tag)(?:\/id:\*)?$/;

export interface Kill {
  /** The last request that vCenter carried out. */
  readonly call: string;
  /** Number of objects that the next run found and deleted. */
  readonly found: number;
  /** Differences from the state before; empty is right. */
  readonly problems: readonly string[];
}

const bigints = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** A testbed, its content, and the requests of a run at which it is interrupted. */
const prepare = async (release: string, which: 'every' | 'changes') => {
  const testbed = createQualifyTestbed(release);
  const listing = async (): Promise<string> => JSON.stringify(await testbed.listing(), bigints);
  const before = await listing();
  // Old tasks are read too, so only from the second run on does each run send the same requests.
  await testbed.run({ site: demoSite });
  const calls = (await testbed.run({ site: demoSite })).observer.exchanges.map(({ call }) => call);
  const first = calls.indexOf('CnsCreateVolume');
  const last = calls.findLastIndex((call) => changes.test(call));
  const compare = async (): Promise<readonly string[]> =>
    (await listing()) === before ? [] : ['what is there differs from what was there before'];
  // Between two changes, vCenter changes only when a task ends, which also happens after a power cut.
  const places = calls.flatMap((call, at) =>
    at >= first && at <= last + 1 && (which === 'every' || changes.test(call)) ? [{ at: at + 1, call }] : [],
  );
  return { testbed, places, compare };
};

/** Cuts the power right after requests of a run, then runs it again completely. */
export const killEverywhere = async (release: string, which: 'every' | 'changes'): Promise<readonly Kill[]> => {
  const { testbed, places, compare } = await prepare(release, which);
  const kills: Kill[] = [];
  for (const { at, call } of places) {
    if (!(await testbed.killAfter(at))) throw new Error(`a run has less than ${at} requests`);
    const { report } = await testbed.run({ site: demoSite });
    const failing = report.steps.filter(({ verdict }) => verdict === 'fails').map(({ step }) => `${step} fails`);
    const left = report.left === 0 ? [] : [`${report.left} left`];
    kills.push({ call, found: report.removedBefore, problems: [...failing, ...left, ...(await compare())] });
  }
  return kills;
};

/** Interrupts a run at requests, like Ctrl-C: it must clean up by itself. */
export const interruptEverywhere = async (release: string, which: 'every' | 'changes'): Promise<readonly Kill[]> => {
  const { testbed, places, compare } = await prepare(release, which);
  const kills: Kill[] = [];
  for (const { at, call } of places) {
    const stopping = new AbortController();
    let count = 0;
    const { qualification } = await testbed.run({
      site: demoSite,
      signal: stopping.signal,
      wire: (transport) => (request) => {
        count += 1;
        if (count === at) stopping.abort(new Error('interrupted'));
        return transport(request);
      },
    });
    const ended = qualification.writing === 'interrupted' ? [] : [`it ended as ${qualification.writing}`];
    const left = qualification.left === 0 ? [] : [`${qualification.left} left`];
    kills.push({ call, found: 0, problems: [...ended, ...left, ...(await compare())] });
  }
  return kills;
};
