import { expect, it } from 'vitest';
import { type GinkgoReport, summarize, writeSummary } from './storage-suite-report.ts';

const spec = (State: string, LeafNodeText: string, Message?: string, LeafNodeType = 'It') => ({
  ContainerHierarchyTexts: ['External Storage [Driver: d]', '[Testpattern: Dynamic PV (xfs)] volumes'],
  LeafNodeType,
  LeafNodeText,
  State,
  RunTime: 2_400_000_000,
  ...(Message === undefined ? {} : { Failure: { Message } }),
});
const report: GinkgoReport = [
  {
    SpecReports: [
      spec('passed', 'should store data'),
      spec('failed', 'should exec files', '\ntimed out\nwaiting for a pod'),
      spec('skipped', 'should be on two nodes', 'not enough nodes'),
      spec('skipped', 'should be on three nodes', 'not enough nodes'),
      // Left out by the focus.
      spec('skipped', 'of another driver'),
      spec('passed', '', undefined, 'SynchronizedBeforeSuite'),
    ],
  },
];

it('counts what was run, and says why the rest was not', () => {
  expect(summarize(report).passed).toEqual([
    { name: '[Testpattern: Dynamic PV (xfs)] volumes should store data', seconds: 2, reason: '' },
  ]);
  expect(writeSummary(summarize(report)).split('\n')).toEqual([
    '1 passed, 1 failed, 2 skipped',
    '',
    'Failed:',
    '- [Testpattern: Dynamic PV (xfs)] volumes should exec files: timed out',
    '',
    'Skipped, by reason:',
    '- 2: not enough nodes',
    '',
    'Passed:',
    '- [Testpattern: Dynamic PV (xfs)] volumes should store data (2 s)',
    '',
  ]);
});
