import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../../cli/context.ts';

/** A choice that was made; null: none of them. */
const choice = z.string().nullable();

const wizardAnswers = z
  .object({
    server: z.string(),
    port: z.number(),
    thumbprint: z.string(),
    user: z.string(),
    distribution: z.enum(['Native', 'Upstream']),
    datacenters: z.array(z.string()),
    region: choice,
    zone: choice,
    storagePolicy: choice,
    datastoreUrl: choice,
    fileVolumes: z.boolean(),
    network: choice,
  })
  .partial();

/** What has been answered so far. A password is never among it. */
export type WizardAnswers = z.infer<typeof wizardAnswers>;

const savedAnswers = z.object({
  version: z.literal(1),
  /** The API server; null: for a file. Answers for one cluster are none for another. */
  cluster: z.string().nullable(),
  savedAt: z.string(),
  /** The step that comes next. */
  step: z.string(),
  answers: wizardAnswers,
  /** When logins were refused, so that leaving and coming back does not lock the account. */
  refusedAt: z.array(z.number()),
});

export type SavedAnswers = z.infer<typeof savedAnswers>;

/** Below the state folder of the user, as the XDG base directories have it. */
const savedAnswersPath = (env: Environment): string =>
  join(env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state'), 'vdo', 'configure.json');

/** Undefined if there are none, or none that this vdoctl can read. */
export const readSavedAnswers = async (env: Environment): Promise<SavedAnswers | undefined> => {
  try {
    return savedAnswers.parse(JSON.parse(await readFile(savedAnswersPath(env), 'utf8')));
  } catch {
    return undefined;
  }
};

/** False if they cannot be kept, for instance without a home: the wizard works all the same. */
export const saveAnswers = async (env: Environment, saved: SavedAnswers): Promise<boolean> => {
  const path = savedAnswersPath(env);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // What the schema does not name is not written: nothing else can slip in.
    await writeFile(path, `${JSON.stringify(savedAnswers.parse(saved), undefined, 2)}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
};

export const forgetAnswers = (env: Environment): Promise<void> => rm(savedAnswersPath(env), { force: true });
