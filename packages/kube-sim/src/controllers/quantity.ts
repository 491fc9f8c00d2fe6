const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal = ['k', 'M', 'G', 'T', 'P', 'E'];

/** The number behind a Kubernetes quantity such as `10Gi` or `500M`; NaN if it is none. */
export const parseQuantity = (text: unknown): number => {
  const [, number = '', suffix = ''] = /^([+-]?[0-9.]+)([A-Za-z]*)$/.exec(String(text)) ?? [];
  if (suffix === '') return number === '' ? Number.NaN : Number(number);
  if (suffix === 'm') return Number(number) / 1_000;
  if (binary.includes(suffix)) return Number(number) * 1_024 ** (binary.indexOf(suffix) + 1);
  return decimal.includes(suffix) ? Number(number) * 1_000 ** (decimal.indexOf(suffix) + 1) : Number.NaN;
};
