/** Add Server and Edit Server, asked of a user whose answers a test has written down before. */
import {
  back,
  type ChoiceQuestion,
  type FormInput,
  type TextQuestion,
  type FormRules,
} from '../../../src/shell/servers/server-questions';
import type { SavedServer } from '../../../src/shell/servers/saved-server';
import { answersOf, newAnswers, type ServerAnswers } from '../../../src/shell/servers/server-answers';
import { askServer } from '../../../src/shell/servers/server-form';
import { nothingForbidden, savedServer } from '../fake-editor';

export const leave = Symbol('leave');

/**
 * Answers questions in order: a text, a choice by its label, `keep`, `back`, or `leave`. An answer that does not pass
 * its check is written down and the next one taken.
 */
export class FakeInput implements FormInput {
  readonly asked: string[] = [];
  readonly values: unknown[] = [];
  readonly complaints: string[] = [];
  readonly told: string[] = [];
  readonly steps: string[] = [];
  readonly texts: TextQuestion[] = [];
  readonly choices: ChoiceQuestion<unknown>[] = [];

  constructor(private readonly answers: unknown[]) {}

  async askText(question: TextQuestion): Promise<string | typeof back | undefined> {
    this.texts.push(question);
    for (let answer = this.take(question, question.prompt); ; answer = this.answers.shift()) {
      if (answer === leave || answer === undefined) return undefined;
      if (answer === back) return back;
      const text = answer === 'keep' ? question.value : (answer as string);
      const complaint = question.check(text);
      if (complaint === null) return text;
      this.complaints.push(complaint);
    }
  }

  async askChoice<T>(question: ChoiceQuestion<T>): Promise<T | typeof back | undefined> {
    this.choices.push(question);
    const answer = this.take(question, question.placeholder);
    if (answer === back || answer === leave) return answer === back ? back : undefined;
    const { typed, choices, value } = question;
    const chosen = choices.find(({ label }) => label === answer);
    if (typed === undefined) return answer === 'keep' ? value : chosen?.value;
    // What is no label is typed; Enter takes what comes first then, if that can be taken.
    const [first] = answer === 'keep' ? choices : chosen ? [chosen] : typed.list(String(answer));
    if (first?.value !== undefined) return first.value;
    this.complaints.push(first?.detail ?? 'nothing is offered');
    return this.askChoice(question);
  }

  readonly tell = (sentence: string): void => void this.told.push(sentence);

  /** The labels of what was offered, by question. */
  get offered(): readonly (readonly string[])[] {
    return this.choices.map(({ choices }) => choices.map(({ label }) => label));
  }

  private take(asked: TextQuestion | ChoiceQuestion<unknown>, question: string): unknown {
    this.asked.push(question.split(/[:;( ]/)[0] as string);
    this.values.push('typed' in asked ? asked.typed?.text : asked.value);
    this.steps.push(`${asked.step}/${asked.totalSteps}`);
    return this.answers.shift();
  }
}

export const anything: FormRules = { checkAddress: () => null, rules: nothingForbidden, isWindows: false };
export const onlyTcp: FormRules = {
  ...anything,
  checkAddress: (server) => (server.startsWith('np:') ? 'Only TCP.' : null),
};
export const add = { title: 'Add Server', answers: newAnswers, isEdit: false };
export const saved: SavedServer = {
  ...savedServer,
  id: '1',
  name: 'Prod',
  server: 'sql01',
  port: 1500,
  user: 'sa',
  trustServerCertificate: true,
  trustedCertificate: 'AB:CD',
};
export const edit = (server: SavedServer = saved): typeof add => ({
  title: 'Edit Prod',
  answers: answersOf(server),
  isEdit: true,
});
export const keepIt = "Keep it in the editor's secret storage";
export const ask = (input: FakeInput, asked = add, rules = anything): Promise<ServerAnswers | undefined> =>
  askServer(input, asked, rules);
