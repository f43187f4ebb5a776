/**
 * The form of Add Server and Edit Server, one input at a time. Esc leaves everything as it was; Back keeps what was
 * typed.
 */
import { isConnectionString, readConnectionString } from '../../gate/connection-string';
import {
  back,
  type FormInput,
  type AskedServer,
  fitsLogin,
  type Form,
  type FormRules,
  listKnown,
  questions,
  type Question,
  shortenAddress,
} from './server-questions';
import type { QuestionName, ServerAnswers } from './server-answers';

export type { AskedServer } from './server-questions';

/** What Add Server asks. The rest has a usual answer, and Edit Server asks for it. */
const ASKED_AT_FIRST: ReadonlySet<QuestionName> = new Set(['address', 'login', 'password']);

/**
 * Asks what is not known. The first question also takes a whole connection string: then only the rest is asked, or
 * everything if the user goes back.
 * @returns undefined if the user left
 */
export async function askServer(
  input: FormInput,
  asked: AskedServer,
  given: FormRules,
): Promise<ServerAnswers | undefined> {
  const form: Form = { ...asked, ...given, input };
  const { rules } = given;
  // Drops an answer that the rules forbid now.
  let answers: ServerAnswers = rules.allowTrustServerCertificate
    ? asked.answers
    : { ...asked.answers, trustServerCertificate: false };
  let skipped: ReadonlySet<string> = asked.isEdit ? new Set() : listKnown(answers, given);
  for (let [at] = listLeft(answers, skipped, form); at !== undefined;) {
    const left = listLeft(answers, skipped, form);
    const answered: ServerAnswers | typeof back | undefined = await at.ask(form, answers, {
      title: form.title,
      step: left.indexOf(at) + 1,
      totalSteps: left.length,
    });
    if (answered === undefined) return undefined;
    if (answered === back) {
      skipped = new Set();
      const all = listLeft(answers, skipped, form);
      at = all[Math.max(0, all.indexOf(at) - 1)];
      continue;
    }
    answers = answered;
    if (at.name === 'address' && isConnectionString(answers.server))
      ({ answers, skipped } = takeIn(input, answers));
    const next = listLeft(answers, skipped, form);
    at = next[next.indexOf(at) + 1];
  }
  return answers.name === '' ? { ...answers, name: shortenAddress(answers.server) } : answers;
}

/** The questions that make sense with these answers and were not answered by a connection string. */
function listLeft(answers: ServerAnswers, skipped: ReadonlySet<string>, form: Form): readonly Question[] {
  const isAsked = (name: QuestionName): boolean =>
    (form.isEdit || ASKED_AT_FIRST.has(name)) && !skipped.has(name);
  return questions.filter(({ name, applies }) => isAsked(name) && (applies?.(answers, form) ?? true));
}

/**
 * The values of the string replace the earlier answers; the server's name is still asked. The string itself, with its
 * password, is forgotten.
 */
function takeIn(
  input: FormInput,
  answers: ServerAnswers,
): { readonly answers: ServerAnswers; readonly skipped: ReadonlySet<string> } {
  const pasted = readConnectionString(answers.server);
  for (const sentence of pasted.notices) input.tell(sentence);
  const { name, encrypt, trustServerCertificate } = answers;
  const merged = {
    name,
    authentication: 'sql',
    user: '',
    password: undefined,
    encrypt,
    trustServerCertificate,
    ...pasted.answers,
  } as const;
  return { answers: merged, skipped: listSkipped(merged, pasted.answered) };
}

/** If the user name does not fit the kind of login, name and password are asked. */
function listSkipped(
  { authentication, user }: ServerAnswers,
  answered: ReadonlySet<string>,
): ReadonlySet<string> {
  if (fitsLogin(authentication, user)) return answered;
  return new Set([...answered].filter((name) => name !== 'login' && name !== 'password'));
}
