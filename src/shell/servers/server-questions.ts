/** The questions of Add Server and Edit Server: what each asks, and which answers it accepts. */
import { isConnectionString, mayHoldPassword, readConnectionString } from '../../gate/connection-string';
import { isWindowsLogin } from '../../gate/address';
import { type ConnectionRules, explainForbidden, explainForbiddenHost } from '../../gate/connection-rules';
import { type Authentication, describeLogin, type Encryption, takesPassword } from '../../hosts/host';
import { describeAnswers, newAnswers, type QuestionName, type ServerAnswers } from './server-answers';
import { leaveOut, nameAddress, nameLoginPlace } from './saved-server';
import { joinSentences, t } from '../../core/language';

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
  /** Whether to hide the text in the box on the screen; absent: never. */
  readonly hides?: (text: string) => boolean;
  /** One sentence if the text is not accepted; null if it is. */
  readonly check: (text: string) => string | null;
}

interface Choice<T> {
  /** Absent: it only says what can be typed, and cannot be chosen. */
  readonly value?: T;
  readonly label: string;
  readonly detail: string;
}

export interface ChoiceQuestion<T> extends FormStep {
  readonly placeholder: string;
  readonly value: T;
  readonly choices: readonly Choice<T>[];
  /** What stands in the box at first, and the choices with any text in it; absent: a text in the box only filters. */
  readonly typed?: { readonly text: string; readonly list: (text: string) => readonly Choice<T>[] };
}

/** Stands for a return to the question before. */
export const back = Symbol('back');

/** How questions are asked. undefined if the user left. */
export interface FormInput {
  askText(question: TextQuestion): Promise<string | typeof back | undefined>;
  askChoice<T>(question: ChoiceQuestion<T>): Promise<T | typeof back | undefined>;
  /** Tells the user something beside the questions; nothing waits for it. */
  tell(sentence: string): void;
}

/** The server that the questions are about, and their first answers. */
export interface AskedServer {
  readonly title: string;
  /** What the questions start with: `newAnswers`, those of a kept server, or what else is known of a server. */
  readonly answers: ServerAnswers;
  /** The password of this server and this login may be known; then an empty answer keeps it. */
  readonly isEdit: boolean;
}

/** What answers have to obey. */
export interface FormRules {
  /** Why this is no server address, as one sentence; null if it is one. */
  readonly checkAddress: (server: string) => string | null;
  /** Forbidden choices are not offered. */
  readonly rules: ConnectionRules;
  /** Windows has logged its user in, so that login comes first; elsewhere it takes a ticket of Kerberos. */
  readonly isWindows: boolean;
}

export interface Form extends AskedServer, FormRules {
  readonly input: FormInput;
}
export interface Question {
  readonly name: QuestionName;
  /** Whether the question makes sense with these answers; absent: always. */
  readonly applies?: (answers: ServerAnswers, form: Form) => boolean;
  readonly ask: (
    form: Form,
    answers: ServerAnswers,
    place: FormStep,
  ) => Promise<ServerAnswers | typeof back | undefined>;
}

type Asked = Omit<TextQuestion, keyof FormStep>;

/** A question with a text as its answer. @param take adds the text to the answers */
function text(
  name: QuestionName,
  describe: (answers: ServerAnswers, form: Form) => Pick<Asked, 'prompt' | 'value'> & Partial<Asked>,
  take: (answers: ServerAnswers, text: string) => ServerAnswers,
  applies: (answers: ServerAnswers) => boolean = () => true,
): Question {
  const ask: Question['ask'] = async (form, answers, place) => {
    const asked = {
      placeholder: '',
      isPassword: false,
      check: () => null,
      ...describe(answers, form),
      ...place,
    };
    const given = await form.input.askText(asked);
    return typeof given === 'string' ? take(answers, asked.isPassword ? given : given.trim()) : given;
  };
  return { name, applies, ask };
}

/** A question with choices. @param take adds the choice to the answers */
function choice<T>(
  name: QuestionName,
  describe: (answers: ServerAnswers, form: Form) => Omit<ChoiceQuestion<T>, keyof FormStep>,
  take: (answers: ServerAnswers, chosen: T) => ServerAnswers,
  applies: (answers: ServerAnswers, form: Form) => boolean = () => true,
): Question {
  const ask: Question['ask'] = async (form, answers, place) => {
    const chosen = await form.input.askChoice<T>({ ...describe(answers, form), ...place });
    return chosen === undefined || chosen === back
      ? (chosen as typeof back | undefined)
      : take(answers, chosen as T);
  };
  return { name, applies, ask };
}

const isEntra = ({ authentication }: ServerAnswers): boolean => authentication === 'entra';

function checkServer(server: string, { checkAddress, rules }: Form): string | null {
  if (server === '') return t('Type the name or address of the server.');
  if (!isConnectionString(server)) {
    if (/^\w+:\/\//.test(server)) return t('Write the server as host,port, or paste a connection string.');
    return checkAddress(server) ?? explainForbiddenHost(server, rules);
  }
  try {
    const { answers } = readConnectionString(server);
    return (
      checkAddress(answers.server) ??
      explainForbidden(describeAnswers({ ...newAnswers, ...answers }, ''), rules)
    );
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether this is the name of a login of that kind. CREATE LOGIN accepts no SQL login with a backslash (Msg 15006). */
export function fitsLogin(authentication: Authentication, user: string): boolean {
  if (authentication === 'integrated') return user === '';
  if (authentication === 'entra') return user === '' || user.includes('@');
  if (authentication === 'windows') return isWindowsLogin(user);
  return user !== '' && !user.includes('\\');
}

/** What these answers of a new server leave nothing to ask of. */
export function listKnown(
  answers: ServerAnswers,
  { checkAddress, rules }: FormRules,
): ReadonlySet<QuestionName> {
  const { server, authentication, user } = answers;
  if (server === '' || (checkAddress(server) ?? explainForbiddenHost(server, rules)) !== null)
    return new Set();
  const isLogin = isAllowed(authentication, rules) && fitsLogin(authentication, user);
  return new Set(isLogin ? ['address', 'login'] : ['address']);
}

/** The known password fits only this login at this address. */
function keepsPassword({ isEdit, answers: before }: Form, answers: ServerAnswers): boolean {
  return isEdit && nameLoginPlace(before) === nameLoginPlace(answers);
}

/** An address as people say it, without what is the default anyway. */
export function shortenAddress(server: string): string {
  return server.replace(/^tcp:/i, '').replace(/,\s*1433$/, '');
}

/**
 * The kinds of login that are allowed, first those that fit the typed name. If none fits, each says what to type.
 * A server that is added can be trusted by the same choice, which saves the question for it.
 */
function listLogins(form: Form, answers: ServerAnswers, text: string): readonly Choice<ServerAnswers>[] {
  const { rules, isEdit, isWindows } = form;
  const user = text.trim();
  const kept = isEdit && user === answers.user ? answers.authentication : undefined;
  const first = kept ?? (user.includes('@') ? 'entra' : isWindows && user === '' ? 'integrated' : 'sql');
  const order = new Set<Authentication>([first, 'sql', 'windows', 'entra', 'integrated']);
  const allowed = [...order].filter((kind) => isAllowed(kind, rules));
  const fits = (kind: Authentication): boolean =>
    fitsLogin(kind, user) || (kind === 'entra' && kind === kept);
  const isHelpless = user === '' || !allowed.some(fits);
  const asksTrust = !isEdit && rules.allowTrustServerCertificate && answers.encrypt !== 'strict';
  const trusts = [answers.trustServerCertificate, !answers.trustServerCertificate];
  return allowed.flatMap((authentication): readonly Choice<ServerAnswers>[] => {
    const { label, detail } = KINDS[authentication];
    if (!takesPassword({ authentication })) {
      const account = fits(authentication) ? user : '';
      const value = { ...answers, authentication, user: account, password: undefined };
      return [{ value, label: nameLogin(label, account), detail }];
    }
    if (!fits(authentication)) return isHelpless ? [{ label, detail }] : [];
    const [value, named] = [{ ...answers, authentication, user }, nameLogin(label, user)];
    if (!asksTrust) return [{ value, label: named, detail }];
    return trusts.map((trustServerCertificate) => ({
      value: { ...value, trustServerCertificate },
      label: trustServerCertificate ? t('{0}, and trust the server certificate', named) : named,
      detail: trustServerCertificate ? TRUST_DETAIL : CHECK_DETAIL,
    }));
  });
}

const nameLogin = (label: string, user: string): string => (user === '' ? label : `${label}: ${user}`);

function isAllowed(authentication: Authentication, rules: ConnectionRules): boolean {
  if (authentication === 'windows') return rules.allowNtlm;
  return authentication !== 'integrated' || rules.allowIntegrated === true;
}

const NEEDS = t('VIEW SERVER STATE shows figures, ALTER ANY EVENT SESSION tracks.');

/** Each kind of login, and what is typed for it. */
export const KINDS: Readonly<Record<Authentication, Choice<never>>> = {
  sql: {
    label: t('SQL Login'),
    detail: joinSentences(t('Type its name above: a login of SQL Server itself.'), NEEDS),
  },
  windows: {
    label: t('Windows Login (NTLM)'),
    detail: joinSentences(t('Type DOMAIN\\user above: a Windows account by its password.'), NEEDS),
  },
  integrated: {
    label: t('As Yourself'),
    detail: t('Without a password: with the login of Windows, or your Kerberos ticket, which kinit gets.'),
  },
  entra: {
    label: 'Microsoft Entra',
    detail: t(
      "Sign in with the editor's own Microsoft account. No password is kept. Azure, and SQL Server 2022 and later.",
    ),
  },
};

const encryptions: ChoiceQuestion<Encryption>['choices'] = [
  {
    value: 'mandatory',
    label: t('Mandatory'),
    detail: t('Everything is encrypted. Right for most servers.'),
  },
  {
    value: 'strict',
    label: t('Strict'),
    detail: t(
      'TDS 8.0, SQL Server 2022 and later: encrypted from the first byte, and the certificate is always checked.',
    ),
  },
];

/** What becomes of a typed password. */
export const KEPT = t(
  "Kept in the editor's secret storage once the server has accepted it; Edit Server changes that.",
);

const CHECK_DETAIL = t('Connect only if an authority that this computer trusts vouches for the server.');

export const TRUST_DETAIL = t(
  'Accept and remember the certificate that the server shows first, even a self-signed one. A different one later is refused, with both fingerprints. An attacker in between at that first connection could read the password.',
);

type Trust = 'check' | 'remembered' | 'first';

function listTrusts({ trustedCertificate }: ServerAnswers): ChoiceQuestion<Trust>['choices'] {
  const all: ChoiceQuestion<Trust>['choices'] = [
    {
      value: 'check',
      label: t('Check the certificate'),
      detail: CHECK_DETAIL,
    },
    {
      value: 'remembered',
      label: t('Trust the remembered certificate'),
      detail: t('Connect only if the server shows {0}.', trustedCertificate ?? ''),
    },
    {
      value: 'first',
      label: t('Trust the server certificate'),
      detail: TRUST_DETAIL,
    },
  ];
  return all.filter(({ value }) => value !== 'remembered' || trustedCertificate !== undefined);
}

function nameTrust({ trustServerCertificate, trustedCertificate }: ServerAnswers): Trust {
  if (!trustServerCertificate) return 'check';
  return trustedCertificate === undefined ? 'first' : 'remembered';
}

/** A user who chooses to trust again accepts the certificate that the server shows next. */
function takeTrust(answers: ServerAnswers, chosen: Trust): ServerAnswers {
  return chosen === 'remembered'
    ? answers
    : { ...leaveOut(answers, 'trustedCertificate'), trustServerCertificate: chosen === 'first' };
}

export const questions: readonly Question[] = [
  text(
    'address',
    ({ server }, form) => ({
      prompt: t('Paste a connection string, or type the server: host, host,port or host\\instance.'),
      placeholder: 'sql01.example.com,1433',
      value: server,
      hides: mayHoldPassword,
      check: (given) => checkServer(given.trim(), form),
    }),
    (answers, text) => {
      const server = isConnectionString(text) ? readConnectionString(text).answers.server : text;
      if (nameAddress({ server }) === nameAddress(answers)) return { ...answers, server: text };
      // The certificate, the name in it, its trust, the SPN and the password were those of the other address.
      const rest = leaveOut(answers, 'hostNameInCertificate', 'trustedCertificate', 'serverSpn');
      return { ...rest, server: text, trustServerCertificate: false, password: undefined };
    },
  ),
  choice(
    'login',
    (answers, form) => ({
      placeholder: form.rules.allowNtlm
        ? t('Type a login such as sa or CONTOSO\\ann, or choose')
        : t('Type a login such as sa, or choose; your administrator does not allow NTLM here'),
      value: answers,
      choices: listLogins(form, answers, answers.user),
      typed: { text: answers.user, list: (text) => listLogins(form, answers, text) },
    }),
    (_, chosen) => chosen,
  ),
  text(
    'tenant',
    ({ tenant = '' }) => ({
      prompt: t('Tenant'),
      placeholder: t('example.com or an id; empty: the one of the account'),
      value: tenant,
    }),
    (answers, tenant) => ({ ...answers, tenant }),
    isEntra,
  ),
  text(
    'password',
    (answers, form) => ({
      prompt:
        form.isEdit || !form.rules.allowStoredPasswords
          ? t('Password of {0}', describeLogin(answers))
          : `${t('Password of {0}', describeLogin(answers))}. ${KEPT}`,
      placeholder: keepsPassword(form, answers) ? t('Leave empty to keep the password') : '',
      value: answers.password ?? '',
      isPassword: true,
      check: (given) =>
        given === '' && !keepsPassword(form, answers) ? t('Type the password of the login.') : null,
    }),
    (answers, password) => ({ ...answers, password: password === '' ? undefined : password }),
    takesPassword,
  ),
  choice(
    'keeping',
    ({ asksPassword = false }) => ({
      placeholder: t('Keep the password?'),
      value: asksPassword,
      choices: [
        {
          value: false,
          label: t("Keep it in the editor's secret storage"),
          detail: t('Stored once the server has accepted it.'),
        },
        {
          value: true,
          label: t('Ask in each window'),
          detail: t('Known until the window closes, and stored nowhere.'),
        },
      ],
    }),
    (answers, asksPassword) => ({ ...answers, asksPassword }),
    (answers, { rules }) => takesPassword(answers) && rules.allowStoredPasswords,
  ),
  text(
    'database',
    ({ database = '' }) => ({
      prompt: t('Database to connect to'),
      placeholder: t("Empty: the login's default"),
      value: database,
    }),
    (answers, database) => ({ ...answers, database }),
  ),
  choice(
    'encryption',
    ({ encrypt }) => ({
      placeholder: t('Encryption of the connection'),
      value: encrypt,
      choices: encryptions,
    }),
    // The certificate was accepted for the other kind of encryption.
    (answers, encrypt) =>
      encrypt === answers.encrypt ? answers : { ...leaveOut(answers, 'trustedCertificate'), encrypt },
  ),
  choice(
    'trust',
    (answers) => ({
      placeholder: t("The server's certificate"),
      value: nameTrust(answers),
      choices: listTrusts(answers),
    }),
    takeTrust,
    (answers, { rules }) =>
      answers.encrypt !== 'strict' && !isEntra(answers) && rules.allowTrustServerCertificate,
  ),
  text(
    'name',
    ({ name, server }) => ({
      prompt: t('Name shown in the pane'),
      placeholder: shortenAddress(server),
      value: name === '' ? shortenAddress(server) : name,
    }),
    (answers, name) => ({ ...answers, name: name === '' ? shortenAddress(answers.server) : name }),
  ),
];
