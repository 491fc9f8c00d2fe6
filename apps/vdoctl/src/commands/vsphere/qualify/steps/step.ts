import type { Clock } from '@vdo/base/clock';
import { toVdoError, type VdoError } from '@vdo/base/vdo-error';
import { featureLack, offersFeature, type VCenterFeatureId } from '@vdo/config/vcenter-features';

/** The feature of a step: one that depends on the version, or one that every vCenter has. */
export type Area = VCenterFeatureId | 'login' | 'inventory' | 'policies' | 'tags';

export type Verdict = 'works' | 'fails' | 'not offered' | 'not tried';

export interface StepResult {
  readonly step: string;
  readonly area: Area;
  readonly verdict: Verdict;
  readonly ms: number;
  /** Error of a failed step. */
  readonly error?: VdoError;
  /** Why a step was skipped, without any names. */
  readonly because?: string;
}

/** Runs steps one after the other. A failure is recorded, and independent steps continue. */
export interface Steps {
  /** Undefined if the step was skipped or failed. Throws only if the whole run must end. */
  try<T>(step: string, area: Area, work: () => Promise<T>): Promise<T | undefined>;
  /** Records that the step cannot run. */
  skip(step: string, area: Area, because: string): undefined;
  readonly results: readonly StepResult[];
}

const isGeneral = (area: Area): area is Exclude<Area, VCenterFeatureId> =>
  area === 'login' || area === 'inventory' || area === 'policies' || area === 'tags';

export const createSteps = (options: {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly signal: AbortSignal;
  /** Version of the vCenter, once it is known. */
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
