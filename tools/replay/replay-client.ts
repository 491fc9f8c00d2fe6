import { silentLogger } from '@vdo/base/logger';
import { createMetrics } from '@vdo/base/metrics';
import { createSeededRandom } from '@vdo/base/random';
import { createVirtualClock } from '@vdo/base/virtual-clock';
import { createObserver } from '@vdo/vdoctl/commands/vsphere/qualify/exchange';
import type { QualifyRecord } from '@vdo/vdoctl/commands/vsphere/qualify/record/record-file';
import { hidden } from '@vdo/vdoctl/commands/vsphere/qualify/record/redact-exchange';
import { reportOf } from '@vdo/vdoctl/commands/vsphere/qualify/report';
import { runQualify } from '@vdo/vdoctl/commands/vsphere/qualify/run-qualify';
import { createVCenter } from '@vdo/vsphere/create-vcenter';
import { createPlayBack } from './play-back.ts';

const settled = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Lets the client of today meet what a vCenter answered then; tells in what it does otherwise. */
export const replayOnClient = async (record: QualifyRecord): Promise<readonly string[]> => {
  const clock = createVirtualClock();
  const playBack = createPlayBack(record.exchanges);
  const observer = createObserver(clock);
  const signal = new AbortController().signal;
  const vcenter = createVCenter({
    server: 'replayed',
    credentials: async () => ({ username: record.username, password: hidden, version: '1' }),
    transport: playBack.transport,
    observe: observer.observe,
    clock,
    random: createSeededRandom(1),
    logger: silentLogger,
    metrics: createMetrics(),
    userAgent: 'replay',
  });
  const random = { ...createSeededRandom(1), uuid: () => `${record.run || '00000000'}-0000-4000-8000-000000000000` };
  const verdicts: string[] = [];
  const run = async (): Promise<void> => {
    await vcenter.login({ signal });
    const deps = { vcenter, observer, clock, random, signal, onStep: () => {}, confirm: async () => true };
    const qualification = await runQualify(deps, record.wish);
    const { steps } = reportOf(qualification, { version: '', exchanges: [] });
    for (const [index, { step, verdict }] of steps.entries()) {
      const then = record.report.steps[index];
      if (then?.step !== step) verdicts.push(`the step "${step}" is done instead of "${then?.step ?? 'nothing'}"`);
      else if (then.verdict !== verdict) verdicts.push(`the step "${step}": ${then.verdict} then, ${verdict} now`);
    }
    await vcenter.close();
  };
  let over = false;
  const running = settled(run()).finally(() => {
    over = true;
  });
  while (!over) await clock.advance(100);
  const error = await running;
  const failed = error === undefined ? [] : [`the run ends: ${error instanceof Error ? error.message : String(error)}`];
  return [...playBack.differences, ...verdicts, ...failed, ...playBack.unasked()];
};
