/** The policy in force: what the files of the open folders say together. Which folders there are, and their files, are passed in. */
import type { PolicyInForce } from '../../core/advice/policy';
import { noPolicy } from '../../core/advice/policy-match';
import { describeProblems, readPolicy } from '../../core/advice/policy-text';

export const policyFileName = '.checkpoint-policy.json';

/** One folder's file. */
export interface PolicyFile {
  /** For people: where it lies. */
  readonly path: string;
  /** null: there is none. @throws Error where it is there and cannot be read */
  readonly read: () => Promise<string | null>;
}

export interface PolicyWorld {
  /** In the order of the folders; empty where the workspace is not trusted. */
  readonly listFiles: () => readonly PolicyFile[];
  readonly onDidChange: (listener: () => void) => { dispose(): void };
  /** One sentence that the user should see. */
  readonly warn: (sentence: string) => void;
}

/** Reads again whenever a file or folder changed. The last known policy counts until the next one was read. */
export class PolicyFiles {
  private inForce: PolicyInForce = noPolicy;
  private readonly listeners = new Set<() => void>();
  private readonly listening: { dispose(): void };
  private reading = 0;
  private told = '';

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

  /** Never throws: what cannot be read is a problem of the policy. Where readings overtake each other, the one that began last counts. */
  async read(): Promise<void> {
    const reading = ++this.reading;
    const parts = await Promise.all(this.world.listFiles().map(readFile));
    if (reading !== this.reading) return;
    const next: PolicyInForce = {
      policy: {
        targets: parts.flatMap(({ policy }) => policy.targets),
        exceptions: parts.flatMap(({ policy }) => policy.exceptions),
      },
      problems: parts.flatMap(({ problems }) => problems),
    };
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

  /** Once for the same problems, however often the file is saved with them. */
  private tellProblems(problems: readonly string[]): void {
    const all = problems.join('\n');
    if (all === this.told) return;
    this.told = all;
    const [first] = problems;
    if (first === undefined) return;
    const more = problems.length - 1;
    this.world.warn(more === 0 ? first : `${first} (and ${more} more ${more === 1 ? 'problem' : 'problems'})`);
  }
}

async function readFile({ path, read }: PolicyFile): Promise<PolicyInForce> {
  try {
    const text = await read();
    if (text === null) return noPolicy;
    const { policy, problems } = readPolicy(text);
    return { policy, problems: describeProblems(problems).map((sentence) => `Policy ${path}: ${sentence}`) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { policy: noPolicy.policy, problems: [`Policy ${path} could not be read: ${message}`] };
  }
}
