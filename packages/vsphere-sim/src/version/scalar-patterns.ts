const integer = /^\s*[+-]?\d+\s*$/;

const patterns: Readonly<Record<string, RegExp>> = {
  string: /^/,
  anyURI: /^/,
  boolean: /^\s*(true|false|1|0)\s*$/,
  byte: integer,
  short: integer,
  int: integer,
  long: integer,
  float: /^\s*([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|NaN|-?INF)\s*$/,
  double: /^\s*([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|NaN|-?INF)\s*$/,
  dateTime: /^\s*-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?\s*$/,
  base64Binary: /^[\s\w+/=]*$/,
};

export const isScalar = (type: string): boolean => type in patterns;

/** What text of the type looks like. */
export const scalarPattern = (type: string): RegExp => patterns[type] ?? /^/;
