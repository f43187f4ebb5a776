/** Add Server and Edit Server, asked of a user whose answers a test has written down before. */
import { back, type ChoiceQuestion, type FormInput, type TextQuestion, type FormRules } from '../../../src/shell/servers/server-questions';
import type { SavedServer } from '../../../src/shell/servers/saved-server';
import { answersOf, newAnswers, type ServerAnswers } from '../../../src/shell/servers/server-answers';
import { askServer } from '../../../src/shell/servers/server-form';
import { nothingForbidden } from '../fake-editor';

export const leave = Symbol('leave');

/** Answers questions in order: a text, a choice by its label, `back`, or `leave`. An answer that does not pass its check is written down and the next one taken. */
export class FakeInput implements FormInput {
  readonly asked: string[] = [];
  readonly values: unknown[] = [];
  readonly complaints: string[] = [];
  readonly told: string[] = [];
  readonly steps: string[] = [];
  readonly offered: string[][] = [];
  readonly questions: TextQuestion[] = [];

  constructor(private readonly answers: unknown[]) {}

  async askText(question: TextQuestion): Promise<string | typeof back | undefined> {
    this.note(question, question.prompt);
    this.questions.push(question);
    for (;;) {
      const answer = this.answers.shift();
      if (answer === leave || answer === undefined) return undefined;
      if (answer === back) return back;
      const text = answer === 'keep' ? question.value : (answer as string);
      const complaint = question.check(text);
      if (complaint === null) return text;
      this.complaints.push(complaint);
    }
  }

  async askChoice<T>(question: ChoiceQuestion<T>): Promise<T | typeof back | undefined> {
    this.note(question, question.placeholder);
    this.offered.push(question.choices.map(({ label }) => label));
    const answer = this.answers.shift();
    if (answer === leave || answer === undefined) return undefined;
    if (answer === back) return back;
    if (answer === 'keep') return question.value;
    return question.choices.find(({ label }) => label === answer)?.value;
  }

  tell(sentence: string): void {
    this.told.push(sentence);
  }

  private note({ value, step, totalSteps }: TextQuestion | ChoiceQuestion<unknown>, question: string): void {
    this.asked.push(question.split(/[:;( ]/)[0] as string);
    this.values.push(value);
    this.steps.push(`${step}/${totalSteps}`);
  }
}

export const anything: FormRules = { checkAddress: () => null, rules: nothingForbidden };
export const onlyTcp: FormRules = { ...anything, checkAddress: (server) => (server.startsWith('np:') ? 'Only TCP.' : null) };
export const add = { title: 'Add Server', answers: newAnswers, isEdit: false };
export const saved: SavedServer = {
  id: '1',
  name: 'Prod',
  server: 'sql01',
  port: 1500,
  authentication: 'sql',
  user: 'sa',
  encrypt: 'mandatory',
  trustServerCertificate: true,
  trustedCertificate: 'AB:CD',
};
export const edit = (server: SavedServer = saved): typeof add => ({ title: 'Edit Prod', answers: answersOf(server), isEdit: true });
/** Address, kind of login, login, password, whether to keep it, database, encryption, certificate, name. */
export const plain = ['sql01', 'keep', 'dba', 'p4ss', 'keep', '', 'keep', 'keep', 'keep'];
export const keepIt = "Keep it in the editor's secret storage";

export async function ask(input: FakeInput, asked = add, rules = anything): Promise<ServerAnswers | undefined> {
  return askServer(input, asked, rules);
}
