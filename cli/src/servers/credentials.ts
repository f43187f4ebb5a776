/** Where secrets come from: environment, a question, or the Azure CLI. Never an argument, never a file, never kept. */
import { createHash } from 'node:crypto';
import type { OwnServer } from '../../../src/hosts/host';
import type { LoginSecrets } from '../../../src/hosts/direct/access';
import type { Ask } from '../kit/terminal';
import { askAzureCli, TOKEN_VARIABLE } from './access-token';

const PASSWORD_VARIABLE = 'CHECKPOINT_HEALTH_PASSWORD';

/** One question for each account, whatever the number of servers. */
export class Credentials {
  private readonly asked = new Map<string, Promise<string | undefined>>();
  /** Two questions at once would both take what is typed. */
  private lastAnswer: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly environment: Readonly<Record<string, string | undefined>>,
    /** Asks without showing the answer; null: there is no terminal to ask at. */
    private readonly ask: Ask | null,
  ) {}

  secretsOf({ authentication, user, tenant }: OwnServer): LoginSecrets {
    const isEntra = authentication === 'entra';
    return {
      get: async () => {
        const given = this.environment[isEntra ? TOKEN_VARIABLE : PASSWORD_VARIABLE];
        if (given !== undefined && given !== '') return given;
        if (isEntra) return this.once(`token ${tenant}`, () => askAzureCli(tenant));
        const { ask } = this;
        const how = `Set ${PASSWORD_VARIABLE}, or run this on a terminal to be asked for the password.`;
        if (ask === null) throw new Error(how);
        return this.once(`password ${user}`, async () => {
          const answer = this.lastAnswer.then(() => ask(`Password of ${user}: `));
          this.lastAnswer = answer;
          return (await answer) || undefined;
        });
      },
    };
  }

  /**
   * Tells a token from another, so that a new one is tried after a refusal. null: it is not known, or it is a password,
   * which could be guessed by a mark.
   */
  async markSecret(server: OwnServer): Promise<string | null> {
    if (server.authentication !== 'entra') return null;
    const token = await this.secretsOf(server)
      .get(false, new AbortController().signal)
      .catch(() => undefined);
    return token === undefined ? null : createHash('sha256').update(token).digest('hex').slice(0, 16);
  }

  private once(what: string, find: () => Promise<string | undefined>): Promise<string | undefined> {
    const known = this.asked.get(what) ?? find();
    this.asked.set(what, known);
    return known;
  }
}

/** What a way to log in can do and what it cannot, said before anything is tried; null: nothing to say. */
export function describeWays(servers: readonly OwnServer[]): string | null {
  if (!servers.some(({ authentication }) => authentication === 'windows')) return null;
  return 'A Windows login by its name (DOMAIN\\user) and its password goes by NTLM. To log in by Kerberos, as the account that runs this program, use --windows.';
}
