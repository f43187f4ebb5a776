/** The conversation with a user whose answers a test has written down before. */
import { Dismissed } from '../../src/shell/kit/command-table';
import type { Option, Conversation } from '../../src/shell/kit/conversation';

/** Answers in the order given; a question without an answer is left. Everything said is written down. */
export class FakeConversation implements Conversation {
  readonly said: string[] = [];
  readonly offered: Option<unknown>[][] = [];
  readonly shown: string[] = [];
  /** Of the dialogs that had to be answered. */
  readonly details: string[] = [];
  readonly buttons: (readonly string[])[] = [];

  constructor(private readonly answers: unknown[] = []) {}

  async chooseOne<T>(title: string, choices: readonly Option<T>[]): Promise<T> {
    this.said.push(title);
    this.offered.push([...choices]);
    return this.next() as T;
  }

  async chooseMany<T>(title: string, choices: readonly Option<T>[]): Promise<readonly T[]> {
    this.said.push(title);
    this.offered.push([...choices]);
    const answer = this.next();
    return answer === 'as offered' ? choices.filter((choice) => choice.isPicked).map((choice) => choice.value) : (answer as T[]);
  }

  async askText(asked: Parameters<Conversation['askText']>[0]): Promise<string> {
    this.said.push(asked.prompt);
    const answer = this.next() as string;
    const complaint = asked.check?.(answer) ?? null;
    if (complaint !== null) throw new Error(`not accepted: ${complaint}`);
    return answer;
  }

  /** true presses the first button, a text the one that is called so. */
  async confirm<Button extends string>(
    question: string,
    detail: string | readonly string[],
    ...buttons: readonly Button[]
  ): Promise<Button> {
    this.said.push(question);
    this.details.push(typeof detail === 'string' ? detail : detail.join('\n'));
    this.buttons.push(buttons);
    const answer = this.next();
    const pressed = answer === true ? buttons[0] : buttons.find((button) => button === answer);
    if (pressed === undefined) throw new Dismissed();
    return pressed;
  }

  tell(sentence: string): void {
    this.said.push(sentence);
  }

  offer(sentence: string, _button: string, act: () => Promise<void>): void {
    this.said.push(sentence);
    if (this.answers.shift() === true) void act();
  }

  showWork<T>(_title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return work(new AbortController().signal);
  }

  async showText(text: string): Promise<void> {
    this.shown.push(text);
  }

  private next(): unknown {
    if (this.answers.length === 0) throw new Dismissed();
    return this.answers.shift();
  }
}
