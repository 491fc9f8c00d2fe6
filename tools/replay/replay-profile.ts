import type { Exchange } from '@vdo/vdoctl/commands/vsphere/qualify/exchange';
import type { QualifyRecord } from '@vdo/vdoctl/commands/vsphere/qualify/record/record-file';
import { redactExchange } from '@vdo/vdoctl/commands/vsphere/qualify/record/redact-exchange';
import type { Report } from '@vdo/vdoctl/commands/vsphere/qualify/report';
import { createQualifyTestbed, demoSite } from '@vdo/vdoctl/testing/qualify-testbed';
import { compareVersions } from '@vdo/vsphere/session/api-version';
import { explainPath } from './explain.ts';
import { shapeOf } from './shape.ts';

export interface Difference {
  readonly what: string;
  /** Undefined: nobody knows, and somebody should find out. */
  readonly because: string | undefined;
}

interface Answers {
  readonly call: string;
  readonly step: string;
  readonly namespace: string;
  readonly shape: ReadonlySet<string>;
}

/** Tasks are looked at as often as they take, and one look more or less says nothing. */
const isPoll = (call: string): boolean =>
  /^(WaitForUpdatesEx|CancelWaitForUpdates|CreateFilter|DestroyPropertyFilter)$/.test(call);

const answersOf = (exchanges: readonly Exchange[]): ReadonlyMap<string, Answers> => {
  const found = new Map<string, Answers>();
  for (const exchange of exchanges) {
    const { call, step, action } = exchange;
    if (isPoll(call)) continue;
    const key = `${step} ${call}`;
    const shape = new Set([...(found.get(key)?.shape ?? []), ...shapeOf(exchange)]);
    found.set(key, { call, step, namespace: action.split('/')[0] ?? '', shape });
  }
  return found;
};

const restSession = (call: string): boolean => /^(POST|DELETE) \/(api|rest\/com\/vmware\/cis)\/session$/.test(call);

const stepsThatDiffer = (then: Report, now: Report): ReadonlyMap<string, Difference> => {
  const differing = new Map<string, Difference>();
  for (const { step, verdict, because } of now.steps) {
    const recorded = then.steps.find((one) => one.step === step);
    if (recorded?.verdict === verdict) continue;
    const why = because ?? recorded?.because ?? undefined;
    differing.set(step, {
      what: `the step "${step}": ${recorded?.verdict ?? 'not done'} in the record, ${verdict} here`,
      because: why ?? undefined,
    });
  }
  for (const { step, verdict, because } of then.steps)
    if (!now.steps.some((one) => one.step === step))
      differing.set(step, {
        what: `the step "${step}": ${verdict} in the record, not reached here`,
        because: because ?? reasonOf(now),
      });
  return differing;
};

/** A step is not reached where the one that it needs was not offered. */
const reasonOf = (report: Report): string | undefined =>
  report.steps.find(({ verdict }) => verdict === 'not offered')?.because ?? undefined;

type Explain = (answers: Answers, path: string) => string | undefined;

const compareAnswers = (recorded: Answers, simulated: Answers | undefined, explain: Explain): readonly Difference[] => {
  const where = `${recorded.call}${recorded.step === '' ? '' : ` (${recorded.step})`}`;
  if (!simulated) return [{ what: `${where} is sent in the record, not here`, because: explain(recorded, '') }];
  const missing = [...recorded.shape].filter((path) => !simulated.shape.has(path));
  const added = [...simulated.shape].filter((path) => !recorded.shape.has(path));
  return [
    ...missing.map((path) => ({ what: `${where}: ${path} in the record, not here`, because: explain(recorded, path) })),
    ...added.map((path) => ({ what: `${where}: ${path} here, not in the record`, because: explain(recorded, path) })),
  ];
};

/** Does on a simulated vCenter of a release what was done in the record, and compares what both answer. */
export const replayOnProfile = async (record: QualifyRecord, release: string): Promise<readonly Difference[]> => {
  const testbed = createQualifyTestbed(release);
  const { report, observer } = await testbed.run(record.wish ? { site: demoSite } : {});
  const steps = stepsThatDiffer(record.report, report);
  const releases = [record.report.vcenter.version, release];
  const explain: Explain = ({ call, namespace }, path) =>
    restSession(call) && releases.some((one) => compareVersions(one, '7.0.2') < 0)
      ? 'sessions of REST are at /api/session since 7.0 Update 2'
      : explainPath({ method: call, namespace }, path, releases);
  const then = answersOf(record.exchanges);
  // Written as a record is: secrets are hidden there with all that holds them.
  const now = answersOf(observer.exchanges.map((exchange) => redactExchange(exchange, { text: (it) => it })));
  const onlyHere = [...now].filter(([key, { step }]) => !then.has(key) && !steps.has(step));
  return [
    ...steps.values(),
    ...[...then].flatMap(([key, recorded]) =>
      steps.has(recorded.step) ? [] : compareAnswers(recorded, now.get(key), explain),
    ),
    ...onlyHere.map(([, answers]) => ({
      what: `${answers.call} (${answers.step}) is sent here, not in the record`,
      because: explain(answers, ''),
    })),
  ];
};
