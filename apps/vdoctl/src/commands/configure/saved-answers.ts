import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../../cli/context.ts';

/** A saved choice; null: "none" was chosen. */
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

/** The answers so far. The password is never saved. */
export type WizardAnswers = z.infer<typeof wizardAnswers>;

const savedAnswers = z.object({
  version: z.literal(1),
  /** The API server; null: for a file. Answers are used only for the cluster they were given for. */
  cluster: z.string().nullable(),
  savedAt: z.string(),
  /** The next step. */
  step: z.string(),
  answers: wizardAnswers,
  /** Times of refused logins, so that leaving and restarting the wizard does not lock the account. */
  refusedAt: z.array(z.number()),
});

export type SavedAnswers = z.infer<typeof savedAnswers>;

/** In the user's state folder, as defined by the XDG base directories. */
const savedAnswersPath = (env: Environment): string =>
  join(env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state'), 'vdo', 'configure.json');

/** Undefined if there are none, or none that this version of vdoctl can read. */
export const readSavedAnswers = async (env: Environment): Promise<SavedAnswers | undefined> => {
  try {
    return savedAnswers.parse(JSON.parse(await readFile(savedAnswersPath(env), 'utf8')));
  } catch {
    return undefined;
  }
};

/** False if the answers cannot be saved, for example without a home folder; the wizard still works. */
export const saveAnswers = async (env: Environment, saved: SavedAnswers): Promise<boolean> => {
  const path = savedAnswersPath(env);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // Only fields of the schema are written, so nothing else can leak into the file.
    await writeFile(path, `${JSON.stringify(savedAnswers.parse(saved), undefined, 2)}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
};

export const forgetAnswers = (env: Environment): Promise<void> => rm(savedAnswersPath(env), { force: true });
