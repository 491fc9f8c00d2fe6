import { Document, isScalar, Scalar, visit } from 'yaml';

const isPlainKey = (key: string): boolean => /^[A-Za-z][A-Za-z0-9_.-]*$/.test(key);

/**
 * YAML as the YAML 1.1 reader of the Go drivers understands it: every text is quoted, so that none is taken for a number
 * or a boolean, and characters that it refuses or takes for line breaks are escaped.
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
