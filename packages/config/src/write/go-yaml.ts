import { Document, isScalar, Scalar, visit } from 'yaml';

const isPlainKey = (key: string): boolean => /^[A-Za-z][A-Za-z0-9_.-]*$/.test(key);

/**
 * YAML for the YAML 1.1 reader of the Go drivers: every text is quoted, so that none is read as a number
 * or a boolean, and characters that it refuses or treats as line breaks are escaped.
 */
export const toGoYaml = (value: unknown): string => {
  const document = new Document(value);
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && !isPlainKey(String(key.value))) key.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({ defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 });
  const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escaped);
};
