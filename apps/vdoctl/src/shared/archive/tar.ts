export interface TarEntry {
  readonly path: string;
  readonly content: Uint8Array;
}

const block = 512;

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

/** Long paths are split at a slash, as ustar requires: up to 155 characters before it and 100 after it. */
const splitPath = (path: string): readonly [prefix: string, name: string] => {
  if (Buffer.byteLength(path) <= 100) return ['', path];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const prefix = path.slice(0, slash);
    const name = path.slice(slash + 1);
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100) return [prefix, name];
  }
  throw new RangeError(`the path is too long for an archive: ${path}`);
};

const header = (path: string, size: number, seconds: number): Buffer => {
  const [prefix, name] = splitPath(path);
  const bytes = Buffer.alloc(block);
  bytes.write(name, 0);
  bytes.write(octal(0o644, 8), 100);
  bytes.write(octal(0, 8), 108);
  bytes.write(octal(0, 8), 116);
  bytes.write(octal(size, 12), 124);
  bytes.write(octal(seconds, 12), 136);
  bytes.write('        ', 148);
  bytes.write('0', 156);
  bytes.write('ustar\0', 257);
  bytes.write('00', 263);
  bytes.write(prefix, 345);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
};

/** A tar archive (POSIX ustar) of plain files. */
export const tar = (entries: readonly TarEntry[], options: { readonly seconds: number }): Buffer =>
  Buffer.concat([
    ...entries.flatMap(({ path, content }) => [
      header(path, content.length, options.seconds),
      Buffer.from(content),
      Buffer.alloc((block - (content.length % block)) % block),
    ]),
    Buffer.alloc(2 * block),
  ]);
