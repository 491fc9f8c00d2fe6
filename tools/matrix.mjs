// Builds, signs and verifies compatibility matrices. Private keys come from a file or the environment, never from here.
//   node tools/matrix.mjs build --serial 3 --out matrix.json       checks it, orders releases, sets serial and date
//   node tools/matrix.mjs sign matrix.json --key private.pem       writes matrix.json.sig
//   node tools/matrix.mjs verify matrix.json --trust public.pem    says which key signed it
//   node tools/matrix.mjs keygen --out NAME                        writes NAME.private.pem and NAME.public.pem
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadTypeScript } from './load-typescript.mjs';

const { acceptMatrix, compareReleases, forFirstOperators, keyIdOf, parseMatrix, signMatrix, verifyMatrix } =
  await loadTypeScript(fileURLToPath(new URL('matrix-parts.ts', import.meta.url)));
const embedded = fileURLToPath(new URL('../packages/releases/src/embedded-matrix.json', import.meta.url));
const keyVariable = 'VDO_MATRIX_PRIVATE_KEY';

const usage = `usage:
  matrix.mjs build --serial N --out FILE [--from FILE] [--previous FILE] [--published YYYY-MM-DD] [--not-after YYYY-MM-DD]
                  [--for-v0.1.0]                   without the keys that operators of v0.1.0 do not know
  matrix.mjs sign FILE [--key PRIVATE.pem]...      without --key the key is in ${keyVariable}
  matrix.mjs verify FILE --trust PUBLIC.pem [--trust ...]
  matrix.mjs keygen --out NAME`;

class Mistake extends Error {}
const need = (value, what) => {
  if (value === undefined) throw new Mistake(`${what} is missing\n${usage}`);
  return value;
};
const refuseToReplace = (path) => {
  if (existsSync(path)) throw new Mistake(`${path} exists; remove it first, or choose another name`);
};

const build = async ({ values }) => {
  const from = values.from ?? embedded;
  const out = need(values.out, '--out');
  const draft = JSON.parse(await readFile(from, 'utf8'));
  const serial = Number(need(values.serial, '--serial'));
  const published = values.published ?? new Date().toISOString().slice(0, 10);
  const expiry = values['not-after'] === undefined ? {} : { notAfter: values['not-after'] };
  const order = (left, right) =>
    `${left.distribution} ${left.driver}`.localeCompare(`${right.distribution} ${right.driver}`) ||
    compareReleases(right.version, left.version);
  const whole = { ...draft, serial, published, ...expiry, releases: [...draft.releases].sort(order) };
  const text = `${JSON.stringify(values['for-v0.1.0'] ? forFirstOperators(whole) : whole, null, 2)}\n`;
  const matrix = parseMatrix(text, out);
  if (values.previous) {
    const previous = parseMatrix(await readFile(values.previous, 'utf8'), values.previous);
    acceptMatrix({ ...previous, serial: previous.serial + 1 }, matrix, out);
  }
  await writeFile(out, text);
  console.log(`wrote ${out}: serial ${matrix.serial}, ${matrix.releases.length} releases`);
};

const privateKeys = async (files) => {
  if (files?.length) return Promise.all(files.map((file) => readFile(file, 'utf8')));
  return [need(process.env[keyVariable], `--key or ${keyVariable}`)];
};

const sign = async ({ values, positionals: [file] }) => {
  const text = await readFile(need(file, 'the matrix'), 'utf8');
  parseMatrix(text, file);
  const signature = signMatrix(text, await privateKeys(values.key));
  await writeFile(`${file}.sig`, signature);
  const ids = JSON.parse(signature).signatures.map(({ keyId }) => keyId);
  console.log(`wrote ${file}.sig: signed by ${ids.join(', ')}`);
};

const verify = async ({ values, positionals: [file] }) => {
  const text = await readFile(need(file, 'the matrix'), 'utf8');
  const signature = await readFile(`${file}.sig`, 'utf8').catch(() => undefined);
  const trustedKeys = await Promise.all(need(values.trust, '--trust').map((path) => readFile(path, 'utf8')));
  const keyId = verifyMatrix({ text, signature, trustedKeys, source: file });
  const { serial, releases } = parseMatrix(text, file);
  console.log(`${file} is good: serial ${serial}, ${releases.length} releases, signed by ${keyId}`);
};

const keygen = async ({ values }) => {
  const name = need(values.out, '--out');
  const files = { privateKey: `${name}.private.pem`, publicKey: `${name}.public.pem` };
  for (const file of Object.values(files)) refuseToReplace(file);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  await writeFile(files.privateKey, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(files.publicKey, pem);
  console.log(`wrote ${files.privateKey} (keep it out of any repository) and ${files.publicKey}: key ${keyIdOf(pem)}`);
};

const commands = { build, sign, verify, keygen };

try {
  const [name, ...args] = process.argv.slice(2);
  const command = commands[name];
  if (!command) throw new Mistake(usage);
  const text = { type: 'string' };
  const list = { type: 'string', multiple: true };
  const options = {
    serial: text,
    published: text,
    'not-after': text,
    'for-v0.1.0': { type: 'boolean' },
    from: text,
    previous: text,
    out: text,
    key: list,
    trust: list,
  };
  await command(parseArgs({ args, options, allowPositionals: true }));
} catch (error) {
  const expected = error instanceof Mistake || error?.remedy !== undefined || error?.code !== undefined;
  console.error(expected ? error.message : error);
  if (error?.remedy) console.error(error.remedy);
  process.exitCode = error instanceof Mistake ? 2 : 1;
}
