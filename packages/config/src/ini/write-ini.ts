/** A value in double quotes with escapes; readers restore any text. */
const quoteIniValue = (value: string): string =>
  `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')}"`;

export type IniValue = string | number | boolean | undefined;

export interface IniBlock {
  readonly name: string;
  readonly subname?: string;
  /** Undefined values are left out. */
  readonly values: Readonly<Record<string, IniValue>>;
}

const formatValue = (value: string | number | boolean): string =>
  typeof value === 'string' ? quoteIniValue(value) : String(value);

/** INI text; blocks without values are left out. */
export const writeIni = (blocks: readonly IniBlock[]): string =>
  blocks
    .map(({ name, subname, values }) => {
      const lines = Object.entries(values).flatMap(([key, value]) =>
        value === undefined ? [] : [`${key} = ${formatValue(value)}`],
      );
      const title = subname === undefined ? name : `${name} "${subname.replace(/[\\"]/g, '\\$&')}"`;
      return lines.length === 0 && subname === undefined
        ? ''
        : `[${title}]\n${lines.map((line) => `${line}\n`).join('')}`;
    })
    .filter((block) => block !== '')
    .join('\n');
