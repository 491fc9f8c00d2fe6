// Builds the real upstream parts that are missing from the cache.
//   npm run parts                   all that are not on demand
//   npm run parts -- etcd kubectl   these only
//   npm run parts -- --list         their paths, and which are built
import { buildPart } from './build-part.mjs';
import { locateParts } from './cache.mjs';

const args = process.argv.slice(2);
const listOnly = args.includes('--list');
const names = args.filter((arg) => arg !== '--list');

const select = (located) => {
  const unknown = names.filter((name) => !located.some((part) => part.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `no part is called ${unknown.join(', ')}; the parts are ${located.map(({ name }) => name).join(', ')}`,
    );
  }
  return located.filter(({ name, onDemand }) => (names.length === 0 ? listOnly || !onDemand : names.includes(name)));
};

const list = (selected) => {
  for (const { name, version, built, path } of selected) {
    console.log(`${name.padEnd(24)} ${version.padEnd(9)} ${built ? 'built  ' : 'missing'} ${path}`);
  }
};

const build = async (selected) => {
  const missing = selected.filter(({ built }) => !built);
  if (missing.length > 0)
    console.log(`${missing.length} of ${selected.length} parts to build; the first time takes minutes`);
  for (const part of missing) {
    try {
      await buildPart(part, console.log);
    } catch (error) {
      console.error(`${part.name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
  if (!process.exitCode) console.log(`${selected.length} parts ready`);
};

try {
  const selected = select(locateParts());
  if (listOnly) list(selected);
  else await build(selected);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
