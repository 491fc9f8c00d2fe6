import { expect } from 'vitest';
import { both, fromConfigMap } from '../matrices.ts';
import { type OperatorStory, openOperatorStory } from '../operator-world.ts';
import { type CallsRow, writeRow } from './page.ts';

/** Calls per minute that the operators of a cluster may make. */
export const atRest = 35;
export const broken = 70;

export type State = readonly [
  state: string,
  bound: number,
  reach: () => Promise<OperatorStory>,
  /** Until everything repeats itself. Default six. */
  settleMinutes?: number,
];

/** A table of what states cost, made while they are measured; docs/ promise of each state what it costs at most. */
export const createTable = () => {
  const rows: CallsRow[] = [];
  return {
    rows,
    print: () => console.log(['calls to the API server per minute', ...rows.map(writeRow)].join('\n')),
    measure: async ([state, bound, reach, settleMinutes = 6]: State): Promise<void> => {
      const story = await reach();
      await story.advance(settleMinutes * 60_000);
      const { perMinute, top } = await story.callsPerMinute(10);
      rows.push({ state, perMinute, bound });
      const most = top.map(([name, count]) => `${count} ${name}`).join(', ');
      expect(perMinute, `${state}: ${most}`).toBeLessThanOrEqual(bound);
    },
  };
};

export const installed = async (spec: object = {}, identity?: string) => {
  const story = await openOperatorStory();
  story.start(identity);
  await story.install(spec);
  return story;
};
export const installedThen = async (spec: object) => {
  const story = await installed();
  await story.describe(spec);
  return story;
};
export const followingMatrix = async (serial = 1, updates: object = {}) => {
  const story = await openOperatorStory();
  story.start();
  await story.publish(serial, both('1.0.0'));
  await story.install({ updates: { ...fromConfigMap, ...updates } });
  return story;
};
/** Something that happens each second of the measurement. */
export const eachSecond = (story: OperatorStory, happens: () => Promise<unknown>) => {
  const again = () => {
    void happens().catch(() => {});
    story.clock.schedule(again, 1_000);
  };
  again();
};
