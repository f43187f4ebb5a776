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
    const answer = await this.chooseOne<unknown>(title, choices);
    return answer === 'as offered'
      ? choices.filter((choice) => choice.isPicked).map((choice) => choice.value)
      : (answer as T[]);
  }

  askText: Conversation['askText'] = async ({ prompt, check }) => {
    this.said.push(prompt);
    const answer = this.next() as string;
    const complaint = check?.(answer) ?? null;
    if (complaint !== null) throw new Error(`not accepted: ${complaint}`);
    return answer;
  };

  /** true presses the first button, a text the one that is called so. */
  confirm: Conversation['confirm'] = async (question, detail, ...buttons) => {
    this.said.push(question);
    this.details.push(typeof detail === 'string' ? detail : detail.join('\n'));
    this.buttons.push(buttons);
    const answer = this.next();
    const pressed = answer === true ? buttons[0] : buttons.find((button) => button === answer);
    if (pressed === undefined) throw new Dismissed();
    return pressed;
  };

  readonly tell = (sentence: string): void => void this.said.push(sentence);
  readonly offer: Conversation['offer'] = (sentence, _button, act) => {
    this.said.push(sentence);
    if (this.answers.shift() === true) void act();
  };
  showWork: Conversation['showWork'] = (_title, work) => work(new AbortController().signal, () => undefined);
  readonly showText = async (text: string): Promise<void> => void this.shown.push(text);

  private next(): unknown {
    if (this.answers.length === 0) throw new Dismissed();
    return this.answers.shift();
  }
}
