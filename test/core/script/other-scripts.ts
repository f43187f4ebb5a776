import { planCheckpoints } from '../../../src/core/advice/checkpoint-plan';
import type { DatabaseFacts, Facts } from '../../../src/core/advice/facts';
import type { ReviewOrigin } from '../../../src/core/script/review-program';
import {
  type ScriptKind,
  type ScriptRequest,
  writeOtherScript,
} from '../../../src/core/script/script-request';
import type { ReviewScript } from '../../../src/core/script/script-set';
import { reviewTemplates } from '../../../src/texts';
import { readLiteral } from './read-literal';

export const otherOrigin: ReviewOrigin = {
  serverName: "SQL'07\\*/",
  readAt: '2026-03-02 09:00:00 UTC+1',
  evidence: "it's /* not */ measured\nGO\n$(x)",
};

type AskedDatabase = Pick<DatabaseFacts, 'databaseId' | 'targetSeconds' | 'state' | 'isReadOnly'>;

interface OtherExample<Kind extends ScriptKind> {
  /** What somebody may ask for where these databases are; of all of them where the script is about databases. */
  request(databases: readonly AskedDatabase[], windows?: number): ScriptRequest<Kind>;
  /** The scripts that come of it, in two windows where it can be split. */
  readonly kinds: readonly ReviewScript['kind'][];
  /** Of its program, without heading and list. */
  readonly mostLines: number;
  /** What it says to a login that may do nothing here. */
  readonly refused: RegExp;
}

const idsOf = (databases: readonly AskedDatabase[]) => databases.map(({ databaseId }) => databaseId);

/** One of each script beside the switch: what tests of all of them ask for and expect. */
export const otherExamples: { readonly [Kind in ScriptKind]: OtherExample<Kind> } = {
  'before failover': {
    request: (databases, windows = 2) => ({
      kind: 'before failover',
      databaseIds: idsOf(databases),
      windows,
      stopAfterMinutes: 90,
    }),
    kinds: ['change', 'change'],
    mostLines: 110,
    refused: /a\]b: LEFT ALONE: this login has no access\n/,
  },
  'throttled checkpoint': {
    request: (databases) => ({ kind: 'throttled checkpoint', databaseIds: idsOf(databases), seconds: 1 }),
    kinds: ['change'],
    mostLines: 80,
    refused: /a\]b: LEFT ALONE: this login has no access\n/,
  },
  'scan cost': {
    request: (databases) => {
      const automatic = databases.find(
        ({ targetSeconds, state, isReadOnly }) => targetSeconds === 0 && state === 'ONLINE' && !isReadOnly,
      );
      return { kind: 'scan cost', databaseId: automatic?.databaseId ?? 0, times: 2 };
    },
    kinds: ['analysis'],
    mostLines: 90,
    refused: /^The size of the buffer pool cannot be seen: /,
  },
  'recovery interval': {
    request: () => ({ kind: 'recovery interval', minutes: 32_767 }),
    kinds: ['change', 'rollback'],
    mostLines: 70,
    refused: /LEFT ALONE: this login lacks ALTER SETTINGS$/,
  },
  model: {
    request: () => ({ kind: 'model', targetSeconds: 60 }),
    kinds: ['change', 'rollback'],
    mostLines: 35,
    refused: /^Msg 5011: /,
  },
};
export const otherKinds = Object.keys(otherExamples) as readonly ScriptKind[];

/** What comes of each example over these facts. */
export function listOtherScripts(facts: Facts, windows = 2, origin = otherOrigin): readonly ReviewScript[] {
  return otherKinds.flatMap((kind) => writeExample(kind, facts, windows, origin));
}

export function writeExample(
  kind: ScriptKind,
  facts: Facts,
  windows = 2,
  origin = otherOrigin,
): readonly ReviewScript[] {
  return writeOtherScript(otherExamples[kind].request(facts.databases, windows), {
    facts,
    origin,
    template: reviewTemplates[kind],
    plan: (databaseIds) =>
      planCheckpoints(databaseIds, facts, ({ databaseId, name }) => ({
        estimatedMs: databaseId % 3 === 0 ? null : databaseId * 100,
        basis: `seen: ${name}`,
      })),
  });
}

const literal = String.raw`(?:N'(?:[^']|'')*'|CONVERT\(nvarchar\(\d+\), 0x[\dA-F]+\))`;
const row = new RegExp(String.raw`^ {4}\((${literal}(?:\s+\+ ${literal})*),\s+'\d{4}-`, 'gm');

/** Names of the databases in the list of a script that runs CHECKPOINT, in its order. */
export function listNames(script: string): readonly string[] {
  return [...script.matchAll(row)].map(([, name = '']) => readLiteral(name));
}
