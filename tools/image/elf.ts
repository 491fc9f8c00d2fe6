// Programs and libraries of 64-bit little-endian Linux (ELF): without what only debuggers read, and what they load.
const magic = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly bytes: number;
}

export const isElf = (file: Uint8Array): boolean => magic.equals(file.subarray(0, magic.length));

const segmentsOf = (file: Buffer): readonly Segment[] => {
  const at = Number(file.readBigUInt64LE(32));
  const [size, count] = [file.readUInt16LE(54), file.readUInt16LE(56)];
  return Array.from({ length: count }, (_, index) => {
    const start = at + index * size;
    return {
      type: file.readUInt32LE(start),
      offset: Number(file.readBigUInt64LE(start + 8)),
      address: Number(file.readBigUInt64LE(start + 16)),
      bytes: Number(file.readBigUInt64LE(start + 32)),
    };
  });
};

/**
 * The file up to the end of its last segment: symbols, debug information and the table of sections come after it, and nothing that runs
 * reads them. It needs no program for the architecture, and gives the same bytes everywhere.
 */
export const withoutSections = (file: Buffer): Buffer => {
  const end = Math.max(...segmentsOf(file).map(({ offset, bytes }) => offset + bytes));
  const cut = Buffer.from(file.subarray(0, end));
  cut.writeBigUInt64LE(0n, 40);
  cut.writeUInt16LE(0, 60);
  cut.writeUInt16LE(0, 62);
  return cut;
};

const kinds = { load: 1, dynamic: 2, interpreter: 3 } as const;
const tags = { needed: 1n, strings: 5n } as const;

const textAt = (file: Buffer, at: number): string => file.toString('latin1', at, file.indexOf(0, at));

const dynamicEntries = (file: Buffer, segments: readonly Segment[]): readonly (readonly [bigint, bigint])[] => {
  const dynamic = segments.find(({ type }) => type === kinds.dynamic);
  if (!dynamic) return [];
  return Array.from({ length: dynamic.bytes / 16 }, (_, index) => {
    const at = dynamic.offset + index * 16;
    return [file.readBigUInt64LE(at), file.readBigUInt64LE(at + 8)] as const;
  });
};

/** The names of the libraries that a program or library loads at its start, and the path of its loader. */
export const loadedBy = (file: Buffer): readonly string[] => {
  const segments = segmentsOf(file);
  const loader = segments.find(({ type }) => type === kinds.interpreter);
  const entries = dynamicEntries(file, segments);
  const strings = Number(entries.find(([tag]) => tag === tags.strings)?.[1] ?? 0n);
  const holder = segments.find(
    ({ type, address, bytes }) => type === kinds.load && strings >= address && strings < address + bytes,
  );
  const offset = strings - (holder?.address ?? 0) + (holder?.offset ?? 0);
  const needed = entries.filter(([tag]) => tag === tags.needed).map(([, at]) => textAt(file, offset + Number(at)));
  return [...(loader ? [textAt(file, loader.offset)] : []), ...needed];
};
