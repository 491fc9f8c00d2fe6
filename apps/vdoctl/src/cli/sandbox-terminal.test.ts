import { expect, it } from 'vitest';
import { sandboxTerminal } from './sandbox-terminal.ts';

it('prints commands for the same sandbox, and leaves sentences alone', () => {
  const printed: string[] = [];
  const terminal = {
    out: (text: string) => printed.push(text),
    err: (text: string) => printed.push(text),
    interactive: false,
    outIsTerminal: false,
    columns: undefined,
    rows: undefined,
    readInput: async () => '',
  };
  const named = sandboxTerminal(terminal, 'reader', ['status', 'sandbox']);
  named.out('  vdoctl sandbox heal bad-password\n');
  named.err('More: vdoctl status. vdoctl --sandbox other status; vdoctl changes nothing; vdoctl status-page\n');
  expect(printed).toEqual([
    '  vdoctl --sandbox reader sandbox heal bad-password\n',
    'More: vdoctl --sandbox reader status. vdoctl --sandbox other status; vdoctl changes nothing; vdoctl status-page\n',
  ]);
});
