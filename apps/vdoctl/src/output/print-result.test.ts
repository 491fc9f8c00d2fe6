import { describe, expect, it } from 'vitest';
import { type Result, resultText } from './print-result.ts';

const nodes = [
  { node: 'n1', vm: 'vm-1', addresses: ['10.0.0.1'] },
  { node: 'n2', vm: null, addresses: [] },
];
const list: Result = { data: nodes, lines: () => ['for people'], names: ['node/n1', 'node/n2'] };
const document: Result = { data: { health: 'Healthy' }, lines: () => ['for people'] };

describe('the formats of results', () => {
  it.each([
    ['table', 'for people\n'],
    ['name', 'node/n1\nnode/n2\n'],
    ['jsonpath={[*].node}', 'n1 n2\n'],
    ['jsonpath={.items[*].node}', 'n1 n2\n'],
    ['jsonpath={range [*]}{.node}{"\\n"}{end}', 'n1\nn2\n'],
    [
      'custom-columns=NODE:.node,VM:.vm,IP:.addresses[0]',
      'NODE   VM       IP\nn1     vm-1     10.0.0.1\nn2     <none>   <none>\n',
    ],
  ] as const)('%s of a list', (format, expected) => expect(resultText(format, list)).toBe(expected));

  it('refuses what only a list has, and columns without a field', () => {
    expect(() => resultText('name', document)).toThrow('-o name works only for lists of objects');
    expect(() => resultText('custom-columns=A:.a', document)).toThrow(
      '-o custom-columns works only for lists of objects',
    );
    expect(() => resultText('custom-columns=NODE', list)).toThrow('NODE has no field');
    expect(() => resultText('custom-columns=A:.a,', list)).toThrow('a column is empty');
  });
});
