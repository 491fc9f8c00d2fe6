import type { ClusterInformers } from './cluster-informers.ts';

const trace = (uid: string | undefined): Readonly<Record<string, string>> => (uid === undefined ? {} : { trace: uid });

/** The trace ID of a claim, which is its UID, for the log lines of the loops that work on claims. */
export const traceOfClaim =
  ({ claims }: Pick<ClusterInformers, 'claims'>) =>
  (key: string): Readonly<Record<string, string>> =>
    trace(claims.get(key)?.metadata.uid);

/** The trace ID of the volume that is attached: the UID of its claim, or its own if it never had one. */
export const traceOfAttachment =
  ({ attachments, volumes }: Pick<ClusterInformers, 'attachments' | 'volumes'>) =>
  (key: string): Readonly<Record<string, string>> => {
    const attachment = attachments.get(key);
    const volume = volumes.get(attachment?.spec.source.persistentVolumeName ?? '');
    return trace(volume?.spec.claimRef?.uid ?? volume?.metadata.uid);
  };
