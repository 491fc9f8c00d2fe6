/** Kubernetes quantities (`10Gi`, `1.5G`, `2e9`) as whole bytes. */

const suffixes: Readonly<Record<string, readonly [base: bigint, exponent: number]>> = {
  n: [10n, -9],
  u: [10n, -6],
  m: [10n, -3],
  '': [10n, 0],
  k: [10n, 3],
  M: [10n, 6],
  G: [10n, 9],
  T: [10n, 12],
  P: [10n, 15],
  E: [10n, 18],
  Ki: [2n, 10],
  Mi: [2n, 20],
  Gi: [2n, 30],
  Ti: [2n, 40],
  Pi: [2n, 50],
  Ei: [2n, 60],
};

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)$/;

/** Bytes, rounded up as in Kubernetes; undefined if the text is not a quantity. */
export const parseQuantity = (text: string): bigint | undefined => {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent, suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const unit = exponent === undefined ? suffixes[suffix] : ([10n, Number(exponent)] as const);
  if (!unit) return undefined;
  const [base, power] = unit;
  const scale = base ** BigInt(Math.abs(power));
  const digits = BigInt(`${whole}${fraction}` || '0');
  const numerator = digits * (power >= 0 ? scale : 1n);
  const denominator = 10n ** BigInt(fraction.length) * (power < 0 ? scale : 1n);
  const magnitude = (numerator + denominator - 1n) / denominator;
  return sign === '-' ? -magnitude : magnitude;
};

const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** The shortest exact notation with binary suffixes: `10Gi`, `1025Mi`, `7`. */
export const formatQuantity = (bytes: bigint): string => {
  let value = bytes;
  let unit = 0;
  while (value !== 0n && value % 1024n === 0n && unit < binarySuffixes.length - 1) {
    value /= 1024n;
    unit++;
  }
  return `${value}${binarySuffixes[unit]}`;
};
