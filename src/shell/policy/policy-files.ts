/** The policy in force: the files of all open folders together. The caller passes in the folders and their files. */
import { noPolicy, type Policy, type PolicyInForce } from '../../core/advice/policy';
import { describeProblems, readPolicy } from '../../core/advice/policy-text';
import { countOf } from '../../core/format';
import { joinSentences, t } from '../../core/language';

export const POLICY_FILE_NAME = '.checkpoint-policy.json';

export interface PolicyFile {
  /** Where it is, for people. */
  readonly path: string;
  /** null if there is no file. @throws Error if there is one that cannot be read */
  readonly read: () => Promise<string | null>;
}

export interface PolicyWorld {
  /** In the order of the folders; empty if the workspace is not trusted. */
  readonly listFiles: () => readonly PolicyFile[];
  /** Why no file is listed: "not read: this workspace is not trusted"; absent or null if no folder is open. */
  readonly whyNone?: () => string | null;
  readonly onDidChange: (listener: () => void) => { dispose(): void };
  /** Shows the user one sentence. */
  readonly warn: (sentence: string) => void;
}

/** Reads the files again whenever a file or folder changed. Until that is done, the last known policy counts. */
export class PolicyFiles {
  private inForce: PolicyInForce = noPolicy;
  private readonly listeners = new Set<() => void>();
  private readonly listening: { dispose(): void };
  private reading = 0;
  private told = '';
  /** By path, what each file said when all its exceptions could last be read. */
  private lastReadable = new Map<string, Policy>();

  constructor(private readonly world: PolicyWorld) {
    this.listening = world.onDidChange(() => void this.read());
  }

  get current(): PolicyInForce {
    return this.inForce;
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /**
   * Never throws: what cannot be read becomes a problem of the policy. If readings overlap, the one that began last
   * counts.
   */
  async read(): Promise<void> {
    const reading = ++this.reading;
    const read = await Promise.all(this.world.listFiles().map(readFile));
    if (reading !== this.reading) return;
    const next = this.join(read);
    const isSame = JSON.stringify(next) === JSON.stringify(this.inForce);
    this.inForce = next;
    this.tellProblems(next.problems);
    if (!isSame) for (const listener of [...this.listeners]) listener();
  }

  dispose(): void {
    this.reading++;
    this.listening.dispose();
    this.listeners.clear();
  }

  private join(read: readonly ReadFile[]): PolicyInForce {
    const parts = read.map((part) => this.holdOn(part));
    this.lastReadable = new Map(
      parts.flatMap(({ path, policy, unreadable }) =>
        policy === null || unreadable.length > 0 ? [] : [[path, policy]],
      ),
    );
    const policies = parts.flatMap(({ path, policy }) => (policy === null ? [] : [{ path, policy }]));
    const none =
      read.length === 0
        ? (this.world.whyNone?.() ?? t('none (no folder is open)'))
        : t('none (no open folder has a {0})', POLICY_FILE_NAME);
    return {
      policy: {
        targets: policies.flatMap(({ policy }) => policy.targets),
        exceptions: policies.flatMap(({ policy }) => policy.exceptions),
      },
      problems: [...parts.flatMap(({ problems }) => problems), ...findContradictions(policies)],
      unreadable: parts.flatMap(({ unreadable }) => unreadable),
      source: policies.length === 0 ? none : policies.map(({ path }) => path).join(', '),
    };
  }

  /** If the file may hide an exception now, its earlier content still counts. */
  private holdOn(part: ReadFile): ReadFile {
    const last = this.lastReadable.get(part.path);
    if (part.unreadable.length === 0 || last === undefined) return part;
    const problems = [
      ...part.problems,
      t('Policy {0}: until this is corrected, its previous content applies.', part.path),
    ];
    return { ...part, policy: last, problems, unreadable: [] };
  }

  /** Tells the user once, even if the file is saved again with the same problems. */
  private tellProblems(problems: readonly string[]): void {
    const all = problems.join('\n');
    if (all === this.told) return;
    this.told = all;
    const [first] = problems;
    if (first === undefined) return;
    const more = problems.length - 1;
    this.world.warn(
      more === 0
        ? first
        : joinSentences(
            first,
            countOf(more, t('There is {0} more problem.'), t('There are {0} more problems.')),
          ),
    );
  }
}

/** One file as it is now. */
interface ReadFile {
  readonly path: string;
  /** null if there is no file. */
  readonly policy: Policy | null;
  readonly problems: readonly string[];
  readonly unreadable: readonly string[];
}

async function readFile({ path, read }: PolicyFile): Promise<ReadFile> {
  try {
    const text = await read();
    if (text === null) return { path, policy: null, problems: [], unreadable: [] };
    const { policy, problems } = readPolicy(text);
    const describe = (some: typeof problems): readonly string[] =>
      describeProblems(some).map((sentence) => t('Policy {0}: {1}', path, sentence));
    return {
      path,
      policy,
      problems: describe(problems),
      unreadable: describe(problems.filter(({ mayHide }) => mayHide === true)),
    };
  } catch (error) {
    const problems = [
      t('Policy {0} could not be read: {1}', path, error instanceof Error ? error.message : String(error)),
    ];
    return { path, policy: noPolicy.policy, problems, unreadable: problems };
  }
}

/** Finds patterns that two files give different targets. The first folder decides, which its author may not know. */
function findContradictions(
  policies: readonly { readonly path: string; readonly policy: Policy }[],
): readonly string[] {
  const first = new Map<string, { readonly path: string; readonly targetSeconds: number }>();
  return policies.flatMap(({ path, policy }) =>
    policy.targets.flatMap(({ server, database, targetSeconds }) => {
      const key = JSON.stringify([server?.toLowerCase() ?? null, database.toLowerCase()]);
      const known = first.get(key);
      if (known === undefined) first.set(key, { path, targetSeconds });
      if (known === undefined || known.path === path || known.targetSeconds === targetSeconds) return [];
      return [
        t(
          'Policy {0} wants "{1}" at {2} seconds. {4} wants {3} seconds, and that applies.',
          path,
          database,
          targetSeconds,
          known.targetSeconds,
          known.path,
        ),
      ];
    }),
  );
}
