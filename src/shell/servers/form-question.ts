/** What a form asks, and how: one question at a time. */

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
  /** Whether what stands in the box is not to be read on the screen; absent: it may. */
  readonly hides?: (text: string) => boolean;
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
  /** Says something beside the questions; nobody waits for it. */
  tell(sentence: string): void;
}
