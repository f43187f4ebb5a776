/** Where secrets come from: the environment, or a question on a terminal. Never an argument, never a file, never kept. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { OwnServer } from '../../../src/hosts/host';
import type { LoginSecrets } from '../../../src/hosts/direct/access';

const PASSWORD_VARIABLE = 'CHECKPOINT_HEALTH_PASSWORD';
const TOKEN_VARIABLE = 'CHECKPOINT_HEALTH_TOKEN';

/** One question for each account, whatever the number of servers. */
export class Credentials {
  private readonly asked = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly environment: Readonly<Record<string, string | undefined>>,
    /** null: there is no terminal, and nobody is asked. */
    private readonly ask: ((question: string) => Promise<string>) | null,
  ) {}

  secretsOf({ authentication = 'sql', user }: OwnServer): LoginSecrets {
    const variable = authentication === 'entra' ? TOKEN_VARIABLE : PASSWORD_VARIABLE;
    return {
      get: async () => {
        const given = this.environment[variable];
        if (given !== undefined && given !== '') return given;
        if (this.ask !== null && authentication !== 'entra') return this.askOnce(user, this.ask);
        throw new Error(
          authentication === 'entra'
            ? `Set ${TOKEN_VARIABLE} to an access token for https://database.windows.net/.`
            : `Set ${PASSWORD_VARIABLE}, or run this on a terminal to be asked for the password of ${user}.`,
        );
      },
    };
  }

  private askOnce(user: string, ask: (question: string) => Promise<string>): Promise<string | undefined> {
    const known = this.asked.get(user) ?? ask(`Password of ${user}: `).then((answer) => (answer === '' ? undefined : answer));
    this.asked.set(user, known);
    return known;
  }
}

/** Asks on the terminal without showing what is typed. */
export function askHidden(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  return new Promise((resolve) => {
    prompt.question('', (answer) => {
      prompt.close();
      process.stderr.write('\n');
      resolve(answer);
    });
  });
}
