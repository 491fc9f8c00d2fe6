import { allChecks } from '@vdo/checks/all-checks';
import { type CheckOutcome, groupOf, remedyLine } from '@vdo/checks/check';
import { planFixes } from '@vdo/vdoctl/commands/doctor/fixes';
import { explanations } from '@vdo/vdoctl/shared/words/explanations';
import { describe, expect, it } from 'vitest';
import { applyRemedy } from './apply-remedy.ts';
import { clusterCases, csiCases } from './cases-cluster.ts';
import { connectionCases } from './cases-connection.ts';
import { modelWithSpare, nodeCases, privilegeCases, topologyCases } from './cases-inventory.ts';
import { storageCases } from './cases-storage.ts';
import { createCheckTestbed } from './check-testbed.ts';
import { homes, testbedSpec } from './testbed-model.ts';
import { textOnly } from './text-only.ts';
import { wrongWith } from './wrong-with.ts';

const cases = [
  ...connectionCases,
  ...privilegeCases,
  ...nodeCases,
  ...topologyCases,
  ...storageCases,
  ...csiCases,
  ...clusterCases,
];

const reported = (outcomes: readonly CheckOutcome[]) =>
  outcomes.map(({ result, object, message }) => [result, object.name, message]);
const isBad = ({ result }: CheckOutcome): boolean => result === 'Fail' || result === 'Warn' || result === 'Unknown';

const words = new Set(explanations().map(({ code }) => code));
const distributions = Object.keys(homes) as readonly (keyof typeof homes)[];

describe.each(distributions)('a cluster of %s drivers with which everything is right', (distribution) => {
  it('passes every check', async () => {
    const outcomes = await (await createCheckTestbed({ spec: testbedSpec(distribution) })).outcomes();
    expect(reported(outcomes.filter(isBad))).toEqual([]);
    expect(new Set(outcomes.filter(({ result }) => result === 'Skipped').map(({ id }) => id))).toEqual(
      // Certificates are trusted by authority or by thumbprint, never by both.
      new Set(['vcenter/thumbprint']),
    );
    expect(new Set(outcomes.map(({ id }) => id))).toEqual(new Set(allChecks.map(({ id }) => id)));
  });
});

describe('every check', () => {
  it('is in the list of those that have no command only if it has none', () => {
    const known = new Set(cases.map(({ check, when }) => `${check}: ${when}`));
    expect(Object.keys(textOnly).filter((name) => !known.has(name))).toEqual([]);
  });

  it('has a case here in which it fails and its remedy helps', () => {
    const tried = new Set(cases.map(({ check }) => check));
    expect(allChecks.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
  });

  it('that is shown to fail here says what follows from it', () => {
    const failing = new Set(cases.filter(({ result }) => result === 'Fail').map(({ check }) => check));
    const onlyWarning = allChecks.filter(({ action }) => action === 'None').map(({ id }) => id);
    expect(onlyWarning.filter((id) => failing.has(id))).toEqual([]);
    expect(allChecks.map(({ id }) => id).filter((id) => !failing.has(id))).toEqual(onlyWarning);
  });
});

describe.each(distributions)('with %s drivers every check', (distribution) => {
  it('that a restart of a pod repairs has it restarted where it is', async () => {
    const testbed = await createCheckTestbed({ spec: testbedSpec(distribution) });
    await csiCases.find(({ check }) => check === 'csi/node-registered')?.breaks(testbed);
    const { fixes } = planFixes(await testbed.outcomes(['csi']), await testbed.gather(['csi']), {
      fromFile: false,
      powerCycle: false,
    });
    expect(fixes).toMatchObject([{ kind: 'restart-node-driver', namespace: testbed.home.csi, node: 'node-1' }]);
  });

  it.each(cases.map((one) => [one.check, one.when, one] as const))(
    '%s: when %s, and when it is repaired',
    async (id, _when, one) => {
      const testbed = await createCheckTestbed({ model: modelWithSpare(), spec: testbedSpec(distribution) });
      const groups = [groupOf({ id })];
      const judge = async () => (await testbed.outcomes(groups)).filter((outcome) => outcome.id === id);
      expect(reported((await judge()).filter(isBad))).toEqual([]);

      await one.breaks(testbed);
      const broken = await judge();
      const found = broken.find(({ result, reason }) => result === one.result && reason === one.reason);
      expect(found, JSON.stringify(broken)).toBeDefined();
      expect(words).toContain(found?.reason);
      const remedy = found ? remedyLine(found) : '';
      const text = `${found?.message} ${remedy}`;
      for (const name of typeof one.names === 'function' ? one.names(testbed) : one.names)
        expect(text).toMatch(name instanceof RegExp ? name : new RegExp(name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
      expect(found?.action).toBe(one.result === 'Fail' ? allChecks.find((check) => check.id === id)?.action : 'None');
      expect(text).not.toContain('obviously-');
      const commands = found?.commands ?? [];
      for (const command of commands) expect(await wrongWith(command)).toBeUndefined();
      // What has no command says here why it has none.
      expect(textOnly[`${id}: ${one.when}`] === undefined, remedy).toBe(commands.length > 0);

      await (one.repair === 'run' ? applyRemedy(testbed, found?.commands ?? []) : one.repair(testbed));
      const repaired = await judge();
      expect(reported(repaired.filter(isBad))).toEqual([]);
      expect(repaired.some(({ result }) => result === 'Pass')).toBe(true);
    },
  );
});
