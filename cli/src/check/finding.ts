/** What `check` finds, before it is written in one of its forms. */
import type { Source } from '../../../src/core/advice/finding';
import type { QueueBusy } from '../../../src/core/write-work/write-figures';
import { type CheckLevel, CHECK_LEVELS, type RuleId } from './rules';

export interface CheckFinding {
  readonly rule: RuleId;
  readonly level: CheckLevel;
  /** null: it is about the server, or about the policy. */
  readonly database: string | null;
  /** As the pane says it. */
  readonly sentence: string;
  /** The same in a few words. Databases with the same ones share a line on a terminal. */
  readonly title: string;
  /** What to do about it, where that is not the same for each finding of the rule. */
  readonly advice?: string;
  readonly figures: FindingFigures;
  readonly sources: readonly Source[];
}

/** What was measured, each name with its unit: `share_pct`. What could not be observed is not in it. */
export type FindingFigures = Readonly<Partial<Record<string, number>>>;

export interface CheckedServer {
  /** The user's name for it. */
  readonly name: string;
  /** SERVERPROPERTY('ServerName'); null: it was not read. */
  readonly serverName: string | null;
  /** Why it was not read, or not whole; null: it was. */
  readonly unread: string | null;
  /** The head of the pane: the state of the checkpoint task, and how busy it was. Both '': not known. */
  readonly state: readonly [title: string, busy: string];
  /** The user databases that were checked. */
  readonly databases: readonly string[];
  readonly findings: readonly CheckFinding[];
  /** The checkpoint task by its own waits, where nothing is tracked; null: not seen. */
  readonly byWaits: QueueBusy | null;
  /** What could not be seen, one sentence each: never taken for a pass. */
  readonly unseen: readonly string[];
}

export interface CheckReport {
  readonly checkedUtcMs: number;
  /** The policy file; null: there is none. */
  readonly policyFile: string | null;
  /** What is wrong with the policy itself. */
  readonly policyFindings: readonly CheckFinding[];
  readonly servers: readonly CheckedServer[];
}

/** All findings, each with the server that it is about; null: the policy. */
export const listFindings = ({ policyFindings, servers }: CheckReport) =>
  [{ name: null, findings: policyFindings }, ...servers].flatMap(({ name: server, findings }) =>
    findings.map((finding) => ({ server, finding })),
  );

export const isAtLeast = (level: CheckLevel, least: CheckLevel): boolean =>
  CHECK_LEVELS.indexOf(level) <= CHECK_LEVELS.indexOf(least);

/** What a finding is about, and its sentence, which may name the database itself. */
export const tell = ({ database, sentence }: CheckFinding): string =>
  database === null || sentence.startsWith(`${database} `) ? sentence : `${database}: ${sentence}`;
