// The licences of the packages that are part of the programs, as their own files tell them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Those whose terms are met by handing their text on. */
const permissive =
  /^\(?(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-2-Clause|BSD-3-Clause|CC0-1\.0|ISC|MIT|MIT-0|Python-2\.0|Unlicense)( (OR|AND) .*)?\)?$/;

/** The folder of the package that a source belongs to: `node_modules/@a/b`, also where one is within another. */
const folderOf = (path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll('\\', '/'))?.[1];

const licenceOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const kind = typeof license === 'string' ? license : license?.type;
  if (!permissive.test(kind ?? ''))
    throw new Error(`${name} ${version} is under ${kind}: may it be part of the image?`);
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  return { name, version, kind, text: file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim() };
};

/** One text with all of them. `inputs`: the sources of the programs, from the root of the repository. */
export const licencesOf = (inputs, root) => {
  const folders = new Set(inputs.map(folderOf).filter((folder) => folder !== undefined));
  const all = [...folders]
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(join(folder, 'package.json')));
  const licences = all.map(licenceOf).sort((a, b) => (a.name < b.name ? -1 : 1));
  const unique = licences.filter(
    ({ name, version }, index) => licences.findIndex((one) => one.name === name && one.version === version) === index,
  );
  return unique
    .map(({ name, version, kind, text }) => `${name} ${version} (${kind})\n\n${text}\n`)
    .join(`\n${'-'.repeat(78)}\n\n`);
};
