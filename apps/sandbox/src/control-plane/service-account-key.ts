import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

/** Writes the key with which an API server signs the tokens of service accounts. */
export const writeServiceAccountKey = async (path: string): Promise<string> => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(path, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  return path;
};
