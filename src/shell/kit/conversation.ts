/**
 * What commands ask and tell the user. If the user leaves a question, it throws Dismissed, which ends the command
 * silently.
 */
import { Dismissed } from './command-table';

export interface Option<T> {
  readonly value: T;
  readonly label: string;
  readonly description?: string;
  /** A line of its own below. */
  readonly detail?: string;
  readonly isPicked?: boolean;
}

export interface Asked {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value: string;
  /** One sentence if the text is not accepted; null if it is. */
  readonly check?: (text: string) => string | null;
}

export interface Conversation {
  /** @throws Dismissed */
  chooseOne<T>(title: string, choices: readonly Option<T>[]): Promise<T>;
  /** @throws Dismissed */
  chooseMany<T>(title: string, choices: readonly Option<T>[]): Promise<readonly T[]>;
  /** @throws Dismissed */
  askText(asked: Asked): Promise<string>;
  /**
   * A dialog that must be answered.
   * @param detail a text, or its lines
   * @returns the button that was pressed
   * @throws Dismissed if none was
   */
  confirm<Button extends string>(
    question: string,
    detail: string | readonly string[],
    ...buttons: readonly Button[]
  ): Promise<Button>;
  tell(sentence: string): void;
  /** Tells the user something and offers one action. Not waited for, because a notification may never be answered. */
  offer(sentence: string, button: string, act: () => Promise<void>): void;
  /**
   * Shows in the pane that work is going on. Work of more than a second can be cancelled, which aborts the signal.
   * @param work may tell which share of it is done, from 0 to 1
   * @throws Dismissed if it was cancelled
   */
  showWork<T>(
    title: string,
    work: (signal: AbortSignal, tell: (share: number) => void) => Promise<T>,
  ): Promise<T>;
  /** Opens a text as an unsaved document. */
  showText(text: string, language: 'sql' | 'markdown'): Promise<void>;
}

/**
 * Waits for something that others may wait for too, so that it goes on if this user waits no longer.
 * @throws Dismissed if the signal is aborted
 */
export function waitUnless<T>(signal: AbortSignal, awaited: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new Dismissed());
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    void awaited.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
