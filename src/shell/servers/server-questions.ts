/** Each question of Add Server and Edit Server: what it asks, and what it takes for an answer. */
import { isConnectionString, readConnectionString } from './connection-string';
import type { Authentication, Encryption } from './saved-servers';
import { leaveOut, type ServerAnswers } from './server-answers';
import { back, type ChoiceQuestion, type FormInput, type FormStep, type TextQuestion } from './form-question';

/** What is to be asked, of whom. */
export interface AskedServer {
  readonly title: string;
  /** What the questions begin with: `newAnswers`, those of a kept server, or what is known of a server otherwise. */
  readonly answers: ServerAnswers;
  /** A password of this server and this login is stored: an empty answer keeps it. */
  readonly isEdit: boolean;
}

export interface Form extends AskedServer {
  readonly input: FormInput;
  /** Why this is no server address, as one sentence; null where it is one. */
  readonly checkAddress: (server: string) => string | null;
}
export type QuestionName =
  'address' | 'authentication' | 'login' | 'account' | 'tenant' | 'password' | 'database' | 'encryption' | 'trust' | 'name';

export interface Question {
  readonly name: QuestionName;
  /** Whether it makes sense with these answers; absent: always. */
  readonly applies?: (answers: ServerAnswers) => boolean;
  readonly ask: (form: Form, answers: ServerAnswers, place: FormStep) => Promise<ServerAnswers | typeof back | undefined>;
}

type Asked = Omit<TextQuestion, keyof FormStep>;

/** A question that is answered by a text. @param take the answers with that text in them */
function text(
  name: QuestionName,
  describe: (answers: ServerAnswers, form: Form) => Pick<Asked, 'prompt' | 'value'> & Partial<Asked>,
  take: (answers: ServerAnswers, text: string) => ServerAnswers,
  applies: (answers: ServerAnswers) => boolean = () => true,
): Question {
  const ask: Question['ask'] = async (form, answers, place) => {
    const asked = { placeholder: '', isPassword: false, check: () => null, ...describe(answers, form), ...place };
    const given = await form.input.askText(asked);
    return typeof given === 'string' ? take(answers, asked.isPassword ? given : given.trim()) : given;
  };
  return { name, applies, ask };
}

/** A question that is answered by a choice. */
function choice<Key extends 'authentication' | 'encrypt' | 'trustServerCertificate'>(
  name: QuestionName,
  key: Key,
  describe: (answers: ServerAnswers) => Omit<ChoiceQuestion<ServerAnswers[Key]>, keyof FormStep | 'value'>,
  applies: (answers: ServerAnswers) => boolean = () => true,
): Question {
  const ask: Question['ask'] = async ({ input }, answers, place) => {
    const chosen = await input.askChoice<ServerAnswers[Key]>({ value: answers[key], ...describe(answers), ...place });
    return chosen === undefined || chosen === back ? chosen : { ...answers, [key]: chosen };
  };
  return { name, applies, ask };
}

const isEntra = ({ authentication }: ServerAnswers): boolean => authentication === 'entra';
const hasPassword = (answers: ServerAnswers): boolean => !isEntra(answers);

function checkServer(server: string, { checkAddress }: Form): string | null {
  if (server === '') return 'Type the name or address of the server.';
  if (!isConnectionString(server))
    return /^\w+:\/\//.test(server) ? 'Write the server as host,port, or paste a connection string.' : checkAddress(server);
  try {
    return checkAddress(readConnectionString(server).answers.server);
  } catch (error) {
    return (error as Error).message;
  }
}

/** `DOMAIN\user` or `user@domain`. */
export function isWindowsLogin(user: string): boolean {
  return /^([^\\]+\\[^\\]+|[^@\\]+@[^@\\]+)$/.test(user);
}

/** Why this is no login of that kind, as one sentence; null where it is one. */
export function checkLogin(authentication: Authentication, user: string): string | null {
  if (authentication === 'windows') return isWindowsLogin(user) ? null : 'Type a Windows login as DOMAIN\\user.';
  if (user === '') return 'Type the name of a SQL login.';
  // CREATE LOGIN takes no SQL login with a backslash in its name (Msg 15006).
  return user.includes('\\') ? 'A SQL login has no domain: go back and choose Windows Login.' : null;
}

/** The stored password is that of the login which was there before. */
function keepsPassword({ isEdit, answers: before }: Form, answers: ServerAnswers): boolean {
  return isEdit && before.authentication === answers.authentication && before.user === answers.user;
}

/** An address as people say it: without what is so anyway. */
function shorten(server: string): string {
  return server.replace(/^tcp:/i, '').replace(/,\s*1433$/, '');
}

const authentications: ChoiceQuestion<Authentication>['choices'] = [
  { value: 'sql', label: 'SQL Login', detail: 'A login and password of SQL Server itself.' },
  { value: 'windows', label: 'Windows Login', detail: 'The name and password of a Windows account, by NTLM: DOMAIN\\user.' },
  {
    value: 'entra',
    label: 'Microsoft Entra',
    detail: "Sign in with the editor's own Microsoft account; no password is kept. Azure, and SQL Server 2022 and later.",
  },
];

const encryptions: ChoiceQuestion<Encryption>['choices'] = [
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
];

const trusts: ChoiceQuestion<boolean>['choices'] = [
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
];

export const questions: readonly Question[] = [
  text(
    'address',
    ({ server }, form) => ({
      prompt: 'Server: host, host,port or host\\instance; or a whole connection string, pasted',
      placeholder: 'sql01.example.com,1433',
      value: server,
      check: (given) => checkServer(given.trim(), form),
    }),
    // The name in the certificate was that of the other address.
    (answers, server) => (server === answers.server ? answers : { ...leaveOut(answers, 'hostNameInCertificate'), server }),
  ),
  choice('authentication', 'authentication', () => ({ placeholder: 'Kind of login', choices: authentications })),
  text(
    'login',
    ({ authentication, user }) => ({
      prompt: `${authentication === 'sql' ? 'SQL' : 'Windows'} login (VIEW SERVER STATE to see figures, ALTER ANY EVENT SESSION to track)`,
      placeholder: authentication === 'sql' ? 'checkpoint_health' : 'CONTOSO\\svc-monitor',
      value: user,
      check: (given) => checkLogin(authentication, given.trim()),
    }),
    (answers, user) => ({ ...answers, user }),
    hasPassword,
  ),
  text(
    'account',
    ({ user }) => ({
      prompt: 'Account to sign in with',
      placeholder: 'ann@example.com; empty: whichever you are signed in with',
      value: user,
    }),
    (answers, user) => ({ ...answers, user, password: undefined }),
    isEntra,
  ),
  text(
    'tenant',
    ({ tenant = '' }) => ({ prompt: 'Tenant', placeholder: 'example.com or an id; empty: the one of the account', value: tenant }),
    (answers, tenant) => ({ ...answers, tenant }),
    isEntra,
  ),
  text(
    'password',
    (answers, form) => ({
      prompt: `Password of ${answers.user}; kept in the editor's secret storage only`,
      placeholder: keepsPassword(form, answers) ? 'Leave empty to keep the stored password' : '',
      value: answers.password ?? '',
      isPassword: true,
      check: (given) => (given === '' && !keepsPassword(form, answers) ? 'Type the password of the login.' : null),
    }),
    (answers, password) => ({ ...answers, password: password === '' ? undefined : password }),
    hasPassword,
  ),
  text(
    'database',
    ({ database = '' }) => ({ prompt: 'Database to connect to', placeholder: "Empty: the login's default", value: database }),
    (answers, database) => ({ ...answers, database }),
  ),
  choice('encryption', 'encrypt', (answers) => ({
    placeholder: 'Encryption of the connection',
    // A token is never sent readable.
    choices: encryptions.filter(({ value }) => hasPassword(answers) || value !== 'optional'),
  })),
  choice(
    'trust',
    'trustServerCertificate',
    () => ({ placeholder: "The server's certificate", choices: trusts }),
    ({ encrypt }) => encrypt !== 'strict',
  ),
  text(
    'name',
    ({ name, server }) => ({ prompt: 'Name shown in the pane', placeholder: shorten(server), value: name === '' ? shorten(server) : name }),
    (answers, name) => ({ ...answers, name: name === '' ? shorten(answers.server) : name }),
  ),
];
