import { parseSnapshotId } from './volume-id.ts';

/** What an operation is about, as far as its argument says. */
export interface OperationSubject {
  /** Of the volume or snapshot that is to be made. */
  readonly name?: string;
  readonly volumeId?: string;
  readonly nodeId?: string;
}

const textOf = (asked: Readonly<Record<string, unknown>>, field: keyof OperationSubject): OperationSubject => {
  const value = asked[field];
  return typeof value === 'string' && value !== '' ? { [field]: value } : {};
};

/** A bare string is the id of a volume or of a snapshot. */
export const operationSubjectOf = (asked: unknown): OperationSubject => {
  if (typeof asked === 'string') return { volumeId: parseSnapshotId(asked)?.volumeId ?? asked };
  if (typeof asked !== 'object' || asked === null) return {};
  const fields = asked as Readonly<Record<string, unknown>>;
  return { ...textOf(fields, 'name'), ...textOf(fields, 'volumeId'), ...textOf(fields, 'nodeId') };
};
