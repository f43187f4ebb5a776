import type { Facts } from '../../../src/core/advice/facts';
import type { Choice } from '../../../src/core/advice/plan';
import type { ReviewScript } from '../../../src/core/script/script-set';
import type { SwitchReview } from '../../../src/monitor/server-monitor';
import type { Simulator, SimulatorOptions } from '../../../simulator';
import { choiceOf } from '../../core/script/scripts-of';
import type { QueryWindow, Shown } from '../../e2e/query-window';
import { openScriptedServer, type Where } from './scripted-server';

/** A simulated server, our monitor that writes scripts for it, and query windows in which a person runs them. */
export interface SwitchedServer {
  readonly simulator: Simulator;
  /** What our monitor reads of it now. */
  facts(): Promise<Facts>;
  review(names: readonly string[], more?: Partial<Choice>): Promise<SwitchReview>;
  /** Runs a script in a new window; its pauses pass meanwhile. With what it showed come the changes, as `during` gives them. */
  run(script: string, where?: Where): Promise<Shown & { readonly changed: readonly string[] }>;
  open(where?: Where): Promise<QueryWindow>;
  /** What became of target recovery times meanwhile, of every database of every server, by the model itself: "Sales: 0 -> 60", with its server where there are several. */
  during(act: () => Promise<unknown>): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

export async function openSwitchedServer(options: SimulatorOptions = {}, on?: string): Promise<SwitchedServer> {
  const { simulator, monitor, open, show, dispose } = await openScriptedServer(options, on, 1_000);
  const readFacts = async (): Promise<Facts> => {
    await monitor.refresh();
    const { facts, failure } = monitor.snapshot;
    if (facts === null) throw new Error(failure ?? 'no facts');
    return facts;
  };
  const allTargets = (): ReadonlyMap<string, number> =>
    new Map(
      simulator.replicas.flatMap(({ name, server }) => {
        const prefix = simulator.replicas.length > 1 ? `${name}/` : '';
        return [...server.databases.targets()].map(([database, seconds]) => [`${prefix}${database}`, seconds] as const);
      }),
    );
  const during = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
    const before = allTargets();
    await act();
    const after = allTargets();
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((name) => before.get(name) !== after.get(name))
      .map((name) => `${name}: ${before.get(name) ?? 'none'} -> ${after.get(name) ?? 'none'}`)
      .sort();
  };
  return {
    simulator,
    open,
    dispose,
    during,
    run: async (script, where) => {
      let shown: Shown = { printed: '', tables: [] };
      const changed = await during(async () => (shown = await show(script, where)));
      return { ...shown, changed };
    },
    facts: readFacts,
    review: async (names, more = {}) => {
      const { databases } = await readFacts();
      const ids = names.map((name) => databases.find((database) => database.name === name)?.databaseId ?? -1);
      return monitor.reviewSwitch(choiceOf(ids, true, more));
    },
  };
}

/** The texts of one kind in the order in which they are run. */
export function textsOf(review: SwitchReview, kind: ReviewScript['kind'] = 'change'): readonly string[] {
  return (review.scripts?.scripts ?? []).filter((script) => script.kind === kind).map(({ text }) => text);
}

/** The rows of the list of a script, without the commas between them. */
export function rowsOf(script: string): readonly string[] {
  const rows = /^INSERT @list [^\n]*\n([^]*?);$/m.exec(script)?.[1] ?? '';
  return rows.split(/,\n(?= {4}\()/).map((row) => row.trim());
}

/** The script with other rows in its list, or with statements in its place. */
export function replaceList(script: string, rows: readonly string[]): string {
  return script.replace(/^(INSERT @list [^\n]*\n)[^]*?;$/m, (_whole, insert: string) =>
    rows[0]?.startsWith('INSERT') === true ? rows.join('\n') : `${insert}    ${rows.join(',\n    ')};`,
  );
}

/** The script as if it had been written for another server. */
export function writtenFor(script: string, name: string): string {
  return script.replace(/NOT IN \(N'[^)]*'\)/, () => `NOT IN (N'${name}')`);
}
