import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const made = /(^|\/)(node_modules|dist|gen|golden|testing)\//;

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((path) => !made.test(path));

const rooms = (folder: string): readonly string[] => readdirSync(root + folder).map((room) => `${folder}/${room}/src`);

export const exists = (path: string): boolean => existsSync(root + path);
export const read = (path: string): string => readFileSync(root + path, 'utf8');

/** Pages that people read. */
export const pages = (): readonly string[] =>
  [...readdirSync(root), ...filesBelow('docs')].filter((path) => path.endsWith('.md'));

/** Programs, whose texts users see. */
export const sources = (): readonly string[] =>
  [...rooms('apps'), ...rooms('packages')]
    .flatMap(filesBelow)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));

/** What is installed in clusters. */
export const manifests = (): readonly string[] => filesBelow('deploy').filter((path) => /\.\w+$/.test(path));
