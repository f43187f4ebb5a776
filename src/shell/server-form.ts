/** The questions of Add Server and Edit Server, one input at a time. Esc anywhere leaves everything as it was; Back keeps what was typed. */
import type { Encryption, SavedServer } from './saved-servers';

export interface FormStep {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

export interface TextQuestion extends FormStep {
  readonly prompt: string;
  readonly placeholder: string;
  readonly value: string;
  readonly isPassword: boolean;
  /** One sentence where the text will not do; null where it will. */
  readonly check: (text: string) => string | null;
}

export interface ChoiceQuestion<T> extends FormStep {
  readonly placeholder: string;
  readonly value: T;
  readonly choices: readonly { readonly value: T; readonly label: string; readonly detail: string }[];
}

/** Marks the way back to the question before. */
export const back = Symbol('back');

/** How questions are asked. undefined: the user left. */
export interface FormInput {
  askText(question: TextQuestion): Promise<string | typeof back | undefined>;
  askChoice<T>(question: ChoiceQuestion<T>): Promise<T | typeof back | undefined>;
}

/** What was answered. Without a password, the one that is stored stays. */
export interface ServerAnswers {
  readonly server: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly encrypt: Encryption;
  readonly trustServerCertificate: boolean;
  readonly name: string;
}

interface Form {
  readonly input: FormInput;
  readonly title: string;
  readonly isEdit: boolean;
  /** Why this is no server address, as one sentence; null where it is one. */
  readonly checkAddress: (server: string) => string | null;
}

type Ask = (
  form: Form,
  answers: ServerAnswers,
  place: { readonly step: number; readonly totalSteps: number },
) => Promise<ServerAnswers | typeof back | undefined>;

/**
 * Asks all questions.
 * @param saved the server to edit; undefined: a new one
 * @returns undefined where the user left
 */
export async function askServer(
  input: FormInput,
  saved: SavedServer | undefined,
  checkAddress: Form['checkAddress'],
): Promise<ServerAnswers | undefined> {
  const form: Form = { input, isEdit: saved !== undefined, title: saved === undefined ? 'Add Server' : `Edit ${saved.name}`, checkAddress };
  let answers: ServerAnswers = saved === undefined ? newAnswers : { ...saved, server: writeAddress(saved), password: undefined };
  for (let at = 0; at < questions.length;) {
    const ask = questions[at] as Ask;
    const answered = await ask(form, answers, { step: at + 1, totalSteps: questions.length });
    if (answered === undefined) return undefined;
    if (answered === back) {
      at = Math.max(0, at - 1);
      // Nothing was asked there: `strict` leaves no choice about the certificate.
      if (questions[at] === askTrust && answers.encrypt === 'strict') at--;
    } else {
      answers = answered;
      at++;
    }
  }
  return answers;
}

const newAnswers: ServerAnswers = {
  server: '',
  user: '',
  password: undefined,
  encrypt: 'mandatory',
  trustServerCertificate: false,
  name: '',
};

/** A port kept beside the address is shown as people write it. */
function writeAddress(server: SavedServer): string {
  return server.port === undefined ? server.server : `${server.server},${server.port}`;
}

const askAddress: Ask = async ({ input, title, checkAddress }, answers, place) => {
  const text = await input.askText({
    ...place,
    title,
    prompt: 'Server: host, host,port or host\\instance',
    placeholder: 'sql01.example.com,1433',
    value: answers.server,
    isPassword: false,
    check: (server) => (server.trim() === '' ? 'Type the name or address of the server.' : checkAddress(server.trim())),
  });
  return typeof text === 'string' ? { ...answers, server: text.trim() } : text;
};

const askLogin: Ask = async ({ input, title }, answers, place) => {
  const text = await input.askText({
    ...place,
    title,
    prompt: 'SQL login (VIEW SERVER STATE to see figures, ALTER ANY EVENT SESSION to track)',
    placeholder: 'checkpoint_health',
    value: answers.user,
    isPassword: false,
    check: (user) => (user.trim() === '' ? 'Type the name of a SQL login; Windows logins are not supported here.' : null),
  });
  return typeof text === 'string' ? { ...answers, user: text.trim() } : text;
};

const askPassword: Ask = async ({ input, title, isEdit }, answers, place) => {
  const text = await input.askText({
    ...place,
    title,
    prompt: `Password of ${answers.user}; kept in the editor's secret storage only`,
    placeholder: isEdit ? 'Leave empty to keep the stored password' : '',
    value: answers.password ?? '',
    isPassword: true,
    check: (password) => (password === '' && !isEdit ? 'Type the password of the login.' : null),
  });
  return typeof text === 'string' ? { ...answers, password: text === '' ? undefined : text } : text;
};

const askEncryption: Ask = async ({ input, title }, answers, place) => {
  const encrypt = await input.askChoice<Encryption>({
    ...place,
    title,
    placeholder: 'Encryption of the connection',
    value: answers.encrypt,
    choices: [
      { value: 'mandatory', label: 'Mandatory', detail: 'Everything is encrypted. Right for most servers.' },
      {
        value: 'strict',
        label: 'Strict',
        detail: 'TDS 8.0, SQL Server 2022 and later: encrypted from the first byte, and the certificate is always checked.',
      },
      {
        value: 'optional',
        label: 'Optional',
        detail: 'Encrypted only where the server insists: the login and the data may cross the network readable.',
      },
    ],
  });
  return encrypt === undefined || encrypt === back ? encrypt : { ...answers, encrypt };
};

const askTrust: Ask = async ({ input, title }, answers, place) => {
  if (answers.encrypt === 'strict') return { ...answers, trustServerCertificate: false };
  const trust = await input.askChoice<boolean>({
    ...place,
    title,
    placeholder: "The server's certificate",
    value: answers.trustServerCertificate,
    choices: [
      {
        value: false,
        label: 'Check the certificate',
        detail: 'Connect only where an authority that this computer trusts vouches for the server.',
      },
      {
        value: true,
        label: 'Trust the server certificate',
        detail:
          'Accept any certificate, also a self-signed one: someone in between could read the password. Only for servers on a network that you trust.',
      },
    ],
  });
  return trust === undefined || trust === back ? trust : { ...answers, trustServerCertificate: trust };
};

const askName: Ask = async ({ input, title }, answers, place) => {
  const text = await input.askText({
    ...place,
    title,
    prompt: 'Name shown in the pane',
    placeholder: answers.server,
    value: answers.name === '' ? answers.server : answers.name,
    isPassword: false,
    check: () => null,
  });
  return typeof text === 'string' ? { ...answers, name: text.trim() === '' ? answers.server : text.trim() } : text;
};

const questions: readonly Ask[] = [askAddress, askLogin, askPassword, askEncryption, askTrust, askName];
