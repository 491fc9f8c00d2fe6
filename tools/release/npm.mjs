// Writes the npm package of vdoctl.
//   npm run package:npm                      into dist/npm
//   npm run package:npm -- --out FOLDER      elsewhere
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { commitEpoch } from '../image/commit-epoch.mjs';
import { loadTypeScript } from '../load-typescript.mjs';
import { npmPackage } from './npm-package.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { out = join(root, 'dist/npm') } = parseArgs({ options: { out: { type: 'string' } } }).values;
const parts = await loadTypeScript(join(root, 'tools/release/parts.ts'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const settings = parts.loadReleaseSettings();
const { name, archive } = await npmPackage({ root, version, settings, epoch: commitEpoch(root), parts });
mkdirSync(out, { recursive: true });
writeFileSync(join(out, name), archive);
process.stdout.write(`${join(out, name)}\n`);
