import type { Observation } from '../observation';

/** What an observation says of a fact. A fact that could not be looked at is neither right nor wrong. */
export interface Judgement {
  readonly verdict: 'holds' | 'contradicted' | 'not observable';
  /** One sentence: what was seen, or why nothing could be. */
  readonly saw: string;
}

/** Something that the product relies on, or takes into account, and that nobody of this project has seen on SQL Server. */
export interface Fact {
  /** Names it in the report. */
  readonly id: string;
  readonly statement: string;
  /** Where docs/facts.md tells it, and how well it is known there. */
  readonly source: string;
  judge(observed: Observation): Judgement;
}

export const holds = (saw: string): Judgement => ({ verdict: 'holds', saw });
export const contradicted = (saw: string): Judgement => ({ verdict: 'contradicted', saw });
export const notObservable = (saw: string): Judgement => ({ verdict: 'not observable', saw });

/** Holds or is contradicted, by what was seen. */
export function judgeBy(isSo: boolean, saw: string): Judgement {
  return isSo ? holds(saw) : contradicted(saw);
}
