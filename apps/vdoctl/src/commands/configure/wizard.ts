import { isVdoError, VdoError } from '@vdo/base/vdo-error';
import type { CliContext } from '../../cli/context.ts';
import { age } from '../../output/age.ts';
import type { OpenedVCenter } from '../../shared/vsphere/with-vcenter.ts';
import type { Connection } from './answers-of-flags.ts';
import { type Asker, GoBack } from './asker.ts';
import type { Answers, SpecDraft } from './draft.ts';
import { type LiveLists, readLiveLists } from './live-lists.ts';
import {
  forgetAnswers,
  readSavedAnswers,
  type SavedAnswers,
  saveAnswers,
  type WizardAnswers,
} from './saved-answers.ts';
import { joinAnswers, remarks, steps, titles } from './wizard-steps.ts';

export interface WizardOptions {
  readonly asker: Asker;
  /** The API server of the cluster; null: for a file. */
  readonly cluster: string | null;
  readonly base: SpecDraft;
  /** The vCenter given by the flags. */
  readonly server?: string;
  /** `again`: reuse the vCenter that was already chosen. */
  readonly connect: (answers: WizardAnswers, options: { readonly again: boolean }) => Promise<Connection>;
  readonly signIn: (
    connection: Connection,
    past: Pick<SavedAnswers, 'answers' | 'refusedAt'> & { onRefused(refusedAt: readonly number[]): Promise<void> },
  ) => Promise<OpenedVCenter>;
  readonly known: (connection: Connection) => Answers;
  /** The last step: shows the resource, then applies or saves it. `kept`: the answers are saved, so the wizard can be continued. */
  readonly review: (
    opened: OpenedVCenter,
    answers: Answers,
  ) => Promise<{ readonly exitCode: number; readonly kept: boolean }>;
}

interface Session extends OpenedVCenter {
  readonly connection: Connection;
  readonly lists: LiveLists;
}

const names = ['vcenter', 'account', ...steps.map(({ name }) => name), 'review'];
const atAccount = 1;
/** The steps that ask for a choice. */
const firstStep = 2;

/** Asks whether to continue an earlier run. */
const resume = async (
  { terminal, env, clock }: CliContext,
  { asker, cluster, server }: WizardOptions,
): Promise<SavedAnswers | undefined> => {
  const saved = await readSavedAnswers(env);
  const isOther = server !== undefined && saved?.answers.server !== server;
  if (!saved || saved.cluster !== cluster || isOther) return undefined;
  const at = names.indexOf(saved.step);
  if (at <= 0 || saved.answers.server === undefined) return { ...saved, step: 'vcenter', answers: {} };
  const who = saved.answers.user === undefined ? '' : ` as ${saved.answers.user}`;
  terminal.err(
    `An earlier run stopped at step ${at + 1} of ${names.length}, ${titles[at]}, ${age(saved.savedAt, clock.now())} ago: ${saved.answers.server}${who}.\n`,
  );
  const goesOn = await asker.yes('Continue from there?', true).catch((error: unknown) => {
    if (error instanceof GoBack) return true;
    throw error;
  });
  // Refused logins are still remembered, to protect the account.
  return goesOn ? saved : { ...saved, step: 'vcenter', answers: {} };
};

/** The current step and the data so far. */
interface Place {
  at: number;
  answers: WizardAnswers;
  refusedAt: readonly number[];
  connection: Connection | undefined;
  session: Session | undefined;
  /** Whether the answers could be saved. */
  isKept: boolean;
}

const heading = ({ terminal }: CliContext, step: number, more = ''): void =>
  terminal.err(`\nStep ${step + 1} of ${names.length}: ${titles[step]}${more}\n`);

const keep = async ({ env, clock }: CliContext, { cluster }: WizardOptions, place: Place): Promise<void> => {
  const { at, answers, refusedAt } = place;
  const savedAt = new Date(clock.now()).toISOString();
  const step = names[at] ?? 'vcenter';
  place.isKept = await saveAnswers(env, { version: 1, cluster, savedAt, step, answers, refusedAt: [...refusedAt] });
};

const leave = async (place: Place): Promise<void> => {
  await place.session?.close();
  place.session = undefined;
};

const connect = async (options: WizardOptions, place: Place, again: boolean): Promise<Connection> => {
  const connection = await options.connect(place.answers, { again });
  const { server, port, thumbprint } = connection;
  // Another vCenter has other datacenters, policies and networks.
  const answers = server === place.answers.server ? place.answers : {};
  place.answers = { ...answers, server, port, ...(thumbprint === undefined ? {} : { thumbprint }) };
  return connection;
};

const signIn = async (
  context: CliContext,
  options: WizardOptions,
  place: Place,
  connection: Connection,
): Promise<Session> => {
  const { terminal, signal } = context;
  const { answers, refusedAt } = place;
  const onRefused = async (times: readonly number[]): Promise<void> => {
    place.refusedAt = times;
    await keep(context, options, place);
  };
  const opened = await options.signIn(connection, { answers, refusedAt: [...refusedAt], onRefused });
  const lists = await readLiveLists(opened.vcenter, signal);
  const { username } = opened.account;
  place.answers = { ...answers, user: username };
  terminal.err(`Connected to ${connection.server} (${lists.version}) as ${username}.\n`);
  for (const remark of remarks(lists)) terminal.err(`${remark}\n`);
  return { ...opened, connection, lists };
};

const inputOf = ({ asker, base, known }: WizardOptions, { answers }: Place, { lists, connection }: Session) => ({
  asker,
  base,
  lists,
  known: known(connection),
  answers,
});

/** The previous step that asks a question. */
const before = (options: WizardOptions, place: Place): number => {
  const { at, session } = place;
  if (!session || at <= atAccount) return 0;
  const input = inputOf(options, place, session);
  const earlier = Array.from({ length: at - atAccount - 1 }, (_, index) => at - 1 - index);
  return earlier.find((step) => steps[step - firstStep]?.passed(input) === undefined) ?? atAccount;
};

/** Runs the current step and moves on. Returns the exit code after the last step. */
const doStep = async (context: CliContext, options: WizardOptions, place: Place): Promise<number | undefined> => {
  const { at } = place;
  if (at === 0) {
    heading(context, 0);
    await leave(place);
    place.connection = await connect(options, place, false);
    place.at = atAccount;
    return undefined;
  }
  if (!place.session || at === atAccount) {
    // The password is never saved: a user who continues enters it again.
    await leave(place);
    place.connection ??= await connect(options, place, true);
    heading(context, atAccount);
    place.session = await signIn(context, options, place, place.connection);
    place.at = Math.max(at, firstStep);
    return undefined;
  }
  const input = inputOf(options, place, place.session);
  const step = steps[at - firstStep];
  if (step) {
    const passed = step.passed(input);
    heading(context, at, passed === undefined ? '' : `: ${passed}`);
    if (passed === undefined) place.answers = { ...place.answers, ...(await step.ask(input)) };
    place.at = at + 1;
    return undefined;
  }
  heading(context, at);
  const { exitCode, kept } = await options.review(place.session, joinAnswers(input.known, place.answers));
  if (kept) await keep(context, options, place);
  else await forgetAnswers(context.env);
  return exitCode;
};

const goBack = ({ terminal }: CliContext, options: WizardOptions, place: Place): void => {
  if (place.at === 0) terminal.err('This is the first step.\n');
  place.at = before(options, place);
  if (place.at === 0) place.connection = undefined;
};

/** Asks step by step. The user can quit at any question, go back, and continue later. */
export const runWizard = async (context: CliContext, options: WizardOptions): Promise<number> => {
  const { terminal, signal } = context;
  terminal.err(
    `${names.length} steps. Enter accepts the value in brackets, < goes back, Ctrl-C quits. Answers are saved; passwords are not.\n`,
  );
  const saved = await resume(context, options);
  const place: Place = {
    at: Math.max(0, names.indexOf(saved?.step ?? '')),
    answers: saved?.answers ?? {},
    refusedAt: saved?.refusedAt ?? [],
    connection: undefined,
    session: undefined,
    isKept: false,
  };
  try {
    for (;;) {
      try {
        const exitCode = await doStep(context, options, place);
        if (exitCode !== undefined) return exitCode;
        await keep(context, options, place);
      } catch (error) {
        if (!(error instanceof GoBack)) throw error;
        goBack(context, options, place);
      }
    }
  } catch (error) {
    if (!signal.aborted && !isVdoError(error, 'Cancelled')) throw error;
    await keep(context, options, place);
    throw new VdoError({
      code: 'Cancelled',
      message: `stopped at step ${place.at + 1} of ${names.length}, ${titles[place.at]}`,
      remedy: place.isKept
        ? 'Nothing was changed. Your answers are saved, without the password. Run vdoctl configure to continue.'
        : 'Nothing was changed. Run vdoctl configure again.',
      cause: error,
    });
  } finally {
    await leave(place);
  }
};
