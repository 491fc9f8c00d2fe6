import type { TarEntry } from './tar.ts';

const blockBytes = 512;

const textAt = (block: Buffer, start: number, length: number): string => {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString('utf8');
};

interface Names {
  readonly path?: string;
  readonly linkPath?: string;
}

const plainPath = (path: string): string => path.replace(/^(\.?\/)+/, '').replace(/\/$/, '');

/** The `path` and `linkpath` of a pax header: lines of `LENGTH KEY=VALUE`. */
const paxNames = (content: Buffer): Names => {
  const text = content.toString('utf8');
  const [, path] = /^\d+ path=(.*)$/m.exec(text) ?? [];
  const [, linkPath] = /^\d+ linkpath=(.*)$/m.exec(text) ?? [];
  return { ...(path === undefined ? {} : { path }), ...(linkPath === undefined ? {} : { linkPath }) };
};

interface Block {
  readonly type: string;
  readonly head: Buffer;
  readonly content: Buffer;
}

/** Header by header, each with its content. */
function* blocksOf(archive: Buffer): Generator<Block> {
  for (let at = 0; at + blockBytes <= archive.length; ) {
    const head = archive.subarray(at, at + blockBytes);
    if (head[0] === 0) return;
    const size = Number.parseInt(textAt(head, 124, 12).trim(), 8);
    const content = archive.subarray(at + blockBytes, at + blockBytes + size);
    if (Number.isNaN(size) || content.length < size) throw new Error('the archive is cut off');
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes;
    yield { type: String.fromCharCode(head[156] ?? 0), head, content };
  }
}

/** Blocks that name what follows them, where a header is too short for it; undefined for all others. */
const namesIn = ({ type, content }: Block): Names | undefined => {
  if (type === 'L') return { path: textAt(content, 0, content.length) };
  if (type === 'K') return { linkPath: textAt(content, 0, content.length) };
  if (type === 'x') return paxNames(content);
  return type === 'g' ? {} : undefined;
};

const entryOf = ({ type, head, content }: Block, names: Names): readonly TarEntry[] => {
  const prefix = textAt(head, 257, 5) === 'ustar' && head[262] === 0 ? textAt(head, 345, 155) : '';
  const path = plainPath(names.path ?? `${prefix === '' ? '' : `${prefix}/`}${textAt(head, 0, 100)}`);
  const target = names.linkPath ?? textAt(head, 157, 100);
  const mode = Number.parseInt(textAt(head, 100, 8).trim(), 8) & 0o1777;
  if (type === '0' || type === '\0') return [{ path, content, mode }];
  if (type === '1') return [{ path, linkTo: `/${plainPath(target)}`, mode: 0o777 }];
  if (type === '2') return [{ path, linkTo: target, mode: 0o777 }];
  return type === '5' ? [{ path, mode }] : [];
};

/**
 * What a tar archive (ustar, GNU or pax) holds: files, symbolic links and folders, without owners and times, and without the bits that
 * let a program run as its owner. A hard link becomes a symbolic one; devices are left out.
 */
export const untarAll = (archive: Buffer): readonly TarEntry[] => {
  const entries: TarEntry[] = [];
  let names: Names = {};
  for (const block of blocksOf(archive)) {
    const more = namesIn(block);
    if (more) names = { ...names, ...more };
    else {
      entries.push(...entryOf(block, names));
      names = {};
    }
  }
  return entries;
};
