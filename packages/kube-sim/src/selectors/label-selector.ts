import { badRequest } from '../api-error.ts';
import { isObject, listOf, objectOf, stringOf } from '../json.ts';

export type Labels = Readonly<Record<string, string>>;
export type LabelMatcher = (labels: Labels) => boolean;

const matchAll =
  (matchers: readonly LabelMatcher[]): LabelMatcher =>
  (labels) =>
    matchers.every((matches) => matches(labels));

const matcherOf = (key: string, operator: string, values: readonly string[]): LabelMatcher | undefined => {
  switch (operator) {
    case 'In':
      return (labels) => labels[key] !== undefined && values.includes(labels[key]);
    case 'NotIn':
      return (labels) => labels[key] === undefined || !values.includes(labels[key]);
    case 'Exists':
      return (labels) => labels[key] !== undefined;
    case 'DoesNotExist':
      return (labels) => labels[key] === undefined;
    case 'Gt':
      return (labels) => Number(labels[key]) > Number(values[0]);
    case 'Lt':
      return (labels) => Number(labels[key]) < Number(values[0]);
    default:
      return undefined;
  }
};

const keyPattern = '(?:[A-Za-z0-9][A-Za-z0-9.-]*/)?[A-Za-z0-9][A-Za-z0-9_.-]*';
const setRequirement = new RegExp(`^(${keyPattern})\\s+(in|notin)\\s*\\(([^)]*)\\)$`);
const equalityRequirement = new RegExp(`^(${keyPattern})\\s*(==|=|!=)\\s*([A-Za-z0-9_.-]*)$`);
const existence = new RegExp(`^(!?)\\s*(${keyPattern})$`);

const parseRequirement = (text: string, selector: string): LabelMatcher => {
  const [, setKey = '', setOperator, values = ''] = setRequirement.exec(text) ?? [];
  const listed = values.split(',').map((value) => value.trim());
  if (setOperator) return matcherOf(setKey, setOperator === 'in' ? 'In' : 'NotIn', listed) ?? (() => false);
  const [, key = '', operator, value = ''] = equalityRequirement.exec(text) ?? [];
  if (operator) return matcherOf(key, operator === '!=' ? 'NotIn' : 'In', [value]) ?? (() => false);
  const [, negated, present] = existence.exec(text) ?? [];
  if (present !== undefined) return matcherOf(present, negated ? 'DoesNotExist' : 'Exists', []) ?? (() => false);
  throw badRequest(
    `unable to parse requirement: ${JSON.stringify(text)} in the label selector ${JSON.stringify(selector)}`,
  );
};

/** Parses the text form (`a=b,c!=d,e in (x,y),!f`); an empty text matches everything. */
export const parseLabelSelector = (text: string): LabelMatcher => {
  if (text.trim() === '') return () => true;
  const parts = text.split(/,(?![^(]*\))/).map((part) => part.trim());
  return matchAll(parts.map((part) => parseRequirement(part, text)));
};

/** A metav1.LabelSelector as a matcher; an absent one matches nothing, an empty one everything. */
export const labelSelectorMatcher = (selector: unknown): LabelMatcher => {
  if (!isObject(selector)) return () => false;
  const equal = Object.entries(objectOf(selector['matchLabels'])).map(([key, value]) =>
    matcherOf(key, 'In', [stringOf(value)]),
  );
  const expressions = listOf(selector['matchExpressions']).map((item) => expressionMatcher(item));
  return matchAll([...equal, ...expressions].map((matcher) => matcher ?? (() => false)));
};

/** One `{key, operator, values}`, of label selectors and of node selectors alike. Unknown operators match nothing. */
export const expressionMatcher = (expression: unknown): LabelMatcher => {
  const { key, operator, values } = objectOf(expression);
  return matcherOf(stringOf(key), stringOf(operator), listOf(values).map(String)) ?? (() => false);
};
