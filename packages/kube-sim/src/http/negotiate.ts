import { notAcceptable } from '../api-error.ts';

/** The shape in which a client wants objects. */
export type Representation = 'object' | 'table' | 'metadata';

interface MediaType {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const parseAccept = (accept: string): readonly MediaType[] =>
  accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    return { type: type.toLowerCase(), parameters: Object.fromEntries(parameters.map((piece) => piece.split('=', 2))) };
  });

const isJson = (type: string): boolean => ['application/json', 'application/*', '*/*', ''].includes(type);

const representationOf = ({ type, parameters }: MediaType): Representation | undefined => {
  if (!isJson(type)) return undefined;
  if (parameters['g'] === 'meta.k8s.io' && parameters['as'] === 'Table') return 'table';
  if (parameters['g'] === 'meta.k8s.io' && parameters['as']?.startsWith('PartialObjectMetadata')) return 'metadata';
  return parameters['as'] === undefined ? 'object' : undefined;
};

/** Picks the first representation of an Accept header that this server has. It speaks JSON only. */
export const negotiate = (accept = ''): Representation => {
  // What all clients but kubectl ask for.
  if (accept === 'application/json') return 'object';
  const found = parseAccept(accept)
    .map(representationOf)
    .find((representation) => representation !== undefined);
  if (!found) throw notAcceptable(['application/json']);
  return found;
};

/** Whether discovery is wanted in its aggregated form (one document instead of one per group and version). */
export const wantsAggregatedDiscovery = (accept = ''): boolean => {
  const first = parseAccept(accept).find(({ type }) => isJson(type));
  return first?.parameters['as'] === 'APIGroupDiscoveryList' && first.parameters['v'] === 'v2';
};

/** The media type of a body, without parameters. */
export const mediaTypeOf = (contentType = ''): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();
