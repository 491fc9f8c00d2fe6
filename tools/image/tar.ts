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

const header = (entry: TarEntry): Buffer => {
  const block = Buffer.alloc(blockBytes);
  const put = (text: string, at: number): void => void block.write(text, at, 'latin1');
  put(entry.path, 0);
  put(octal(entry.mode ?? 0o755, 8), 100);
  put(octal(0, 8), 108);
  put(octal(0, 8), 116);
  put(octal(entry.content?.length ?? 0, 12), 124);
  put(octal(0, 12), 136);
  put(' '.repeat(8), checksumAt);
  put(typeOf(entry), 156);
  put(entry.linkTo ?? '', 157);
  put('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, checksumAt);
  return block;
};

/** A tar archive (POSIX ustar) of these entries; everything belongs to root and is as old as time itself. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    if (Buffer.byteLength(entry.path) > 100) throw new Error(`${entry.path} is too long for this writer of archives`);
    const content = entry.content ?? Buffer.alloc(0);
    return [header(entry), Buffer.from(content), padding(content.length)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
}
