/** A file, a link or a folder of an archive. */
export interface TarEntry {
  readonly path: string;
  /** Content of a file; without it the entry is a folder, or a link if it has a target. */
  readonly content?: Uint8Array;
  readonly linkTo?: string;
  /** Default: 0o755. */
  readonly mode?: number;
}

const blockBytes = 512;
const checksumAt = 148;

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
const padding = (bytes: number): Buffer => Buffer.alloc((blockBytes - (bytes % blockBytes)) % blockBytes);

const typeOf = ({ content, linkTo }: TarEntry): string => (content ? '0' : linkTo === undefined ? '5' : '2');

/** A path of more than 100 bytes is split at a slash, as ustar asks: up to 155 bytes before it and 100 after it. */
const splitPath = (path: string): readonly [prefix: string, name: string] => {
  if (Buffer.byteLength(path) <= 100) return ['', path];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100) return [prefix, name];
  }
  throw new Error(`${path} is too long for this writer of archives`);
};

const header = (entry: TarEntry): Buffer => {
  const block = Buffer.alloc(blockBytes);
  const put = (text: string, at: number): void => void block.write(text, at, 'utf8');
  const [prefix, name] = splitPath(entry.path);
  if (Buffer.byteLength(entry.linkTo ?? '') > 100) throw new Error(`${entry.path} links to a path that is too long`);
  put(name, 0);
  put(octal(entry.mode ?? 0o755, 8), 100);
  put(octal(0, 8), 108);
  put(octal(0, 8), 116);
  put(octal(entry.content?.length ?? 0, 12), 124);
  put(octal(0, 12), 136);
  put(' '.repeat(8), checksumAt);
  put(typeOf(entry), 156);
  put(entry.linkTo ?? '', 157);
  put('ustar\x0000', 257);
  put(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, checksumAt);
  return block;
};

/** A tar archive (POSIX ustar) of these entries; everything belongs to root and is as old as time itself. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = entry.content ?? Buffer.alloc(0);
    return [header(entry), Buffer.from(content.buffer, content.byteOffset, content.length), padding(content.length)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
}
