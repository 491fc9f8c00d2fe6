// Plays what `vdoctl vsphere qualify --record FILE` kept: against the client of this tree, which must ask the same and come to the same
// results, and against the simulator, which must answer alike.
//   npm run replay -- FILE [--release 7.0.3]   the simulator of another release; differences are explained by the published types
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadTypeScript } from './load-typescript.mjs';

const { values, positionals } = parseArgs({ options: { release: { type: 'string' } }, allowPositionals: true });
const [file] = positionals;
if (file === undefined) {
  console.error('usage: npm run replay -- FILE [--release 7.0.3]');
  process.exit(2);
}
const { replay } = await loadTypeScript(join(import.meta.dirname, 'replay/replay.ts'));
const isAlike = await replay(file, values.release, console.log);
process.exitCode = isAlike ? 0 : 1;
