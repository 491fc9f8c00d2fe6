import { createHash } from 'node:crypto';

/** A hash of all that happens. Fed in large pieces: to hash each line by itself takes longer than to write it. */
export const createTrace = () => {
  const hash = createHash('sha256');
  let pending = '';
  return {
    update: (text: string): void => {
      pending += text;
      if (pending.length < 65_536) return;
      hash.update(pending);
      pending = '';
    },
    digest: (): string => hash.update(pending).digest('hex'),
  };
};
