/** What a script beside the switch is: its name, what it asks the user for, and its text. */
import type { CheckpointPlan } from '../advice/checkpoint-plan';
import type { Facts } from '../advice/facts';
import type { ReviewOrigin } from './review-program';
import type { ReviewScript } from './script-set';
import type { ReviewTemplate } from './text';

/** The answer is the ids of databases that are picked. Those that the user pointed at are taken unasked. */
interface DatabasesQuestion {
  readonly of: 'databases';
  readonly title: string;
}

/** The answer is the id of one database with automatic checkpoints. One that the user pointed at is taken unasked. */
export interface DatabaseQuestion {
  readonly of: 'automatic database';
  readonly title: string;
  /** Said where there is none. */
  readonly none: string;
}

export interface NumberQuestion {
  readonly of: 'number';
  readonly title: string;
  readonly prompt: string;
  readonly byDefault: number;
  /** Why the number is not taken, as one sentence; null if it is. */
  check(number: number): string | null;
  /** What has to be confirmed before this number is taken; null for most. */
  warn?(number: number): { readonly question: string; readonly warning: string } | null;
}

export type ScriptQuestion = DatabasesQuestion | DatabaseQuestion | NumberQuestion;

/** What a script is written from. */
export interface ScriptBasis {
  readonly facts: Facts;
  readonly origin: ReviewOrigin;
  readonly template: ReviewTemplate;
  /**
   * @param databaseIds null: every user database with automatic checkpoints
   * @throws Error with one sentence if none of them can be checkpointed here
   */
  plan(databaseIds: readonly number[] | null): CheckpointPlan;
}

export interface OtherScript<Asked> {
  readonly label: string;
  /** One sentence. */
  readonly description: string;
  /** Asked in this order; each answer is the field of that name. */
  questions(facts: Facts | null): { readonly [Field in keyof Asked]: ScriptQuestion };
  /** @throws Error with one sentence if there is nothing to write, or nothing that could be undone */
  write(asked: Asked, basis: ScriptBasis): readonly ReviewScript[];
}
