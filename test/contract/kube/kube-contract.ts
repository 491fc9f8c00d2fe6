import { afterAll, beforeAll, describe } from 'vitest';
import { applierSuite } from './applier-suite.ts';
import { applyVerbSuite } from './apply-verb-suite.ts';
import { crdsSuite } from './crds-suite.ts';
import { deletionSuite } from './deletion-suite.ts';
import { type Bench, createBench, type KubeTarget, type StartTarget } from './kube-target.ts';
import { machinerySuite } from './machinery-suite.ts';
import { verbsSuite } from './verbs-suite.ts';
import { volumesSuite } from './volumes-suite.ts';
import { watchSuite } from './watch-suite.ts';

/** What the project relies on of an API server, the same for the real one and for the embedded one. */
export const kubeContract = (name: string, start: StartTarget): void => {
  describe(`${name} keeps the Kubernetes API's contract`, () => {
    let target: KubeTarget | undefined;
    let current: Bench | undefined;
    beforeAll(async () => {
      target = await start();
      current = createBench(target.client);
    });
    afterAll(() => target?.stop());
    const bench = (): Bench => {
      if (!current) throw new Error(`${name} has not started`);
      return current;
    };
    verbsSuite(bench);
    watchSuite(bench);
    applyVerbSuite(bench);
    deletionSuite(bench);
    crdsSuite(bench);
    machinerySuite(bench);
    applierSuite(bench);
    volumesSuite(bench);
  });
};
