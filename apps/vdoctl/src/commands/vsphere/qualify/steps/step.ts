import type { Clock } from '@vdo/base/clock';
import { toVdoError, type VdoError } from '@vdo/base/vdo-error';
import { featureLack, offersFeature, type VCenterFeatureId } from '@vdo/config/vcenter-features';

/** What a step is about: a feature that depends on the version, or something that every vCenter has. */
export type Area = VCenterFeatureId | 'login' | 'inventory' | 'policies' | 'tags';

export type Verdict = 'works' | 'fails' | 'not offered' | 'not tried';

export interface StepResult {
  readonly step: string;
  readonly area: Area;
  readonly verdict: Verdict;
  readonly ms: number;
  /** Of what fails. */
  readonly error?: VdoError;
  /** Of what was not done, in words of ours alone. */
  readonly because?: string;
}

/** Does steps one after the other. What fails is noted, and those that do not need it go on. */
export interface Steps {
  /** Undefined if it was not done or failed. Throws only if everything is to end. */
  try<T>(step: string, area: Area, work: () => Promise<T>): Promise<T | undefined>;
  /** Notes that it cannot be done. */
  skip(step: string, area: Area, because: string): undefined;
  readonly results: readonly StepResult[];
}

const isGeneral = (area: Area): area is Exclude<Area, VCenterFeatureId> =>
  area === 'login' || area === 'inventory' || area === 'policies' || area === 'tags';

export const createSteps = (options: {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly signal: AbortSignal;
  /** Of the vCenter, once it is known. */
  readonly version: () => string | undefined;
  readonly onStep: (step: string) => void;
}): Steps => {
  const { clock, signal } = options;
  const results: StepResult[] = [];
  const lackOf = (area: Area): string | undefined => {
    const version = options.version();
    if (version === undefined || isGeneral(area) || offersFeature(version, area)) return undefined;
    return featureLack(area, version);
  };
  return {
    results,
    skip: (step, area, because) => {
      const lack = lackOf(area);
      if (lack === undefined) results.push({ step, area, verdict: 'not tried', ms: 0, because });
      else results.push({ step, area, verdict: 'not offered', ms: 0, because: lack });
      return undefined;
    },
    try: async (step, area, work) => {
      signal.throwIfAborted();
      const lack = lackOf(area);
      if (lack !== undefined) {
        results.push({ step, area, verdict: 'not offered', ms: 0, because: lack });
        return undefined;
      }
      options.onStep(step);
      const startMs = clock.monotonicMs();
      const took = () => clock.monotonicMs() - startMs;
      try {
        const value = await work();
        results.push({ step, area, verdict: 'works', ms: took() });
        return value;
      } catch (error) {
        signal.throwIfAborted();
        results.push({ step, area, verdict: 'fails', ms: took(), error: toVdoError(error) });
        return undefined;
      }
    },
  };
};
