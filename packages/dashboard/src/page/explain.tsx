import { useEffect, useState } from 'preact/hooks';
import { CopyCommand, Empty, Section } from './parts.tsx';

/** The text of `vdoctl explain` for one word. */
interface Meaning {
  readonly code: string;
  readonly kind: string;
  readonly meaning: string;
  readonly remedy: string;
  readonly commands: readonly string[];
}

/** Fetched once, when the first word is to be explained. */
let fetched: Promise<readonly Meaning[]> | undefined;
const fetchWords = async (): Promise<readonly Meaning[]> => {
  const reply = await fetch('words.json');
  if (!reply.ok) throw new Error(`${reply.status}`);
  return (await reply.json()) as readonly Meaning[];
};

const useWords = (): readonly Meaning[] | undefined => {
  const [words, setWords] = useState<readonly Meaning[]>();
  useEffect(() => {
    fetched ??= fetchWords();
    fetched.then(setWords, () => {
      fetched = undefined;
      setWords([]);
    });
  }, []);
  return words;
};

const kinds: Readonly<Record<string, string>> = {
  error: 'Error',
  check: 'Health check',
  health: 'Overall state',
  condition: 'Condition',
  reason: 'Reason',
};

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** What a word means and what to do: the same text as on the command line. */
export const Explained = ({ word }: { readonly word: string }) => {
  const found = useWords()?.filter(({ code }) => code === word);
  return (
    <Section title="What it means" wide>
      {found?.length === 0 ? <Empty>This page has no description of this word.</Empty> : ''}
      {found?.map(({ kind, meaning, remedy, commands }) => (
        <div key={kind} class="meaning">
          <p>
            <span class="tag">{kinds[kind] ?? kind}</span> {capital(meaning)}
          </p>
          <p>
            <b>What to do:</b> {remedy}
          </p>
          {commands.map((command) => (
            <CopyCommand key={command} command={command} />
          ))}
        </div>
      ))}
      <CopyCommand command={`vdoctl explain ${word}`} />
    </Section>
  );
};
