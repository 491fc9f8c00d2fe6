import { expect, it } from 'vitest';
import { causeLines } from './cause-lines.ts';

const view = { paint: (_colour: string, text: string) => text, width: 200, more: '--all' };
const finding = (id: string, name: string, message: string) => ({
  id,
  result: 'Unknown',
  reason: 'DependsOnFailure',
  message,
  remedy: 'See credentials/login.',
  object: { kind: 'Node', name },
});

it('names each node once for a message that several checks share, and says how many checks there are', () => {
  const nodes = ['node-1', 'node-2', 'node-3', 'node-4', 'node-5', 'node-6'];
  const [first, ...rest] = nodes.flatMap((node) => [
    finding('node/addresses', node, 'the VM of the node is unknown'),
    finding('node/disk-slots', node, 'the VM of the node is unknown'),
    finding('node/vm-found', node, 'not every vCenter could be searched'),
  ]);
  if (!first) throw new Error('nothing found');
  expect(causeLines({ key: 'k', findings: [first, ...rest], hidden: 0 }, view)).toEqual([
    'Unknown node/addresses and 2 more checks  6 Nodes',
    '        Node node-1, Node node-2, Node node-3, Node node-4, Node node-5 and 1 more: the VM of the node is unknown',
    '        Node node-1, Node node-2, Node node-3, Node node-4, Node node-5 and 1 more: not every vCenter could be searched',
    '        Remedy: (for node-1; the same applies to the others) See credentials/login.',
  ]);
});
