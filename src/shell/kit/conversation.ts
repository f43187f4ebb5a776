/** What commands ask and tell the user. Whoever leaves a question gets no answer but Dismissed, which ends the command without a word. */

export interface Option<T> {
  readonly value: T;
  readonly label: string;
  readonly description?: string;
  readonly isPicked?: boolean;
}

export interface Asked {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value: string;
  /** One sentence where the text will not do; null where it will. */
  readonly check?: (text: string) => string | null;
}

export interface Conversation {
  /** @throws Dismissed */
  chooseOne<T>(title: string, choices: readonly Option<T>[]): Promise<T>;
  /** @throws Dismissed */
  chooseMany<T>(title: string, choices: readonly Option<T>[]): Promise<readonly T[]>;
  /** @throws Dismissed */
  askText(asked: Asked): Promise<string>;
  /** A dialog that has to be answered. @param detail a text, or its lines @returns the button that was pressed @throws Dismissed where none was */
  confirm<Button extends string>(question: string, detail: string | readonly string[], ...buttons: readonly Button[]): Promise<Button>;
  tell(sentence: string): void;
  /** Tells, and offers one thing to do. Nobody waits for it: a notification may stay unanswered for ever. */
  offer(sentence: string, button: string, act: () => Promise<void>): void;
  /** Shows that work is going on in the pane; work that takes longer can be cancelled, which aborts the signal. */
  showWork<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Opens a text as an unsaved document. */
  showText(text: string, language: 'sql' | 'markdown'): Promise<void>;
}
