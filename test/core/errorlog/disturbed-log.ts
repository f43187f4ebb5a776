/**
 * Logs of FlushCache messages whose every line says which message it is of, disturbed as logs are: so a wrong group
 * shows.
 */
import { createRandom } from '../../../simulator/scenarios/random';
import type { ErrorLogRow } from '../../../src/core/errorlog/error-log-row';
import { createMessage } from './log-texts';

/** A generator of numbers from 0 to below 1, the same for the same seed. */
export type Chance = () => number;

export const createChance = (seed: number): Chance => createRandom(seed, 0).unit;

export const pick = <T>(chance: Chance, list: readonly T[]): T =>
  list[Math.floor(chance() * list.length)] as T;
const whole = (chance: Chance, from: number, to: number): number => from + Math.floor(chance() * (to - from));

const BEGIN_MS = Date.UTC(2026, 2, 2, 8);

/**
 * @param id stands in every line but those that the equations hold together: database, saturation, outstanding target
 */
function makeTrueMessage(chance: Chance, id: number, atMs: number, processInfo: string) {
  const pages = whole(chance, 1, 2_000_000);
  const writes = whole(chance, 1, pages + 1);
  const durationMs = whole(chance, 60_000, 400_000);
  const date = (shift: number): string =>
    new Date(BEGIN_MS + Math.floor((atMs + shift) / 10) * 10).toISOString().slice(0, 22).replace('T', ' ');
  const late = chance() < 0.3 ? 50 : 0;
  const split = whole(chance, 0, 5);
  const message = createMessage(pages, writes, durationMs, id, {
    avoided: id,
    saturation: id,
    switches: id,
    latency: id % 40,
  });
  // SQL Server 2012 has no second line.
  const lines = message.filter((_, at) => at !== 1 || chance() < 0.7);
  const single = lines.map((text, at) => ({ logDateLocal: date(at >= split ? late : 0), processInfo, text }));
  const [first, second, third, last] = single;
  // Some versions log the two lines between as one row.
  const isJoined = first && second && third && last && chance() < 0.3;
  const rows = isJoined ? [first, { ...second, text: `${second.text}\n${third.text}` }, last] : single;
  return { id, pages, durationMs, rows };
}

/**
 * Some messages of one to three processes, seconds or hours apart, whole or with lines lost, in any of the orders in
 * which logs come.
 */
export function disturbLog(chance: Chance) {
  const processes = ['spid25s', 'spid40s', 'spid7s'].slice(0, whole(chance, 1, 4));
  const stepMs = pick(chance, [1_000, 5_000, 65_000, 3_600_000]);
  const messages = Array.from({ length: whole(chance, 1, 9) }, (_, at) =>
    makeTrueMessage(chance, 5 + at, at * stepMs + whole(chance, 0, 500), pick(chance, processes)),
  );
  let rows: readonly ErrorLogRow[] = messages.flatMap((message) => message.rows);
  const disturbances: string[] = [];
  for (const [name, disturb] of Object.entries(DISTURBANCES)) {
    // Where messages follow each other within a second or so, nothing tells lines apart that were shuffled or lost
    // their hundredths.
    if (chance() >= 0.2 || (['shuffled', 'seconds only'].includes(name) && stepMs < 5_000)) continue;
    rows = disturb(rows, chance);
    disturbances.push(name);
  }
  return { messages, rows, disturbances };
}

type Disturb = (rows: readonly ErrorLogRow[], chance: Chance) => readonly ErrorLogRow[];

/** Keeps the order of what is equal. */
const byDate = (a: ErrorLogRow, b: ErrorLogRow): number =>
  Date.parse(a.logDateLocal) - Date.parse(b.logDateLocal);

const LOGIN = { processInfo: 'Logon', text: 'Error: 18456, Severity: 14, State: 8.' };

const DISTURBANCES: Readonly<Record<string, Disturb>> = {
  'lines lost': (rows, chance) => rows.filter(() => chance() < 0.9),
  'sorted by date, latest first': (rows) => [...rows].sort((a, b) => byDate(b, a)),
  'sorted by date': (rows) => [...rows].sort(byDate),
  'newest first': (rows) => [...rows].reverse(),
  'newest first in part': (rows, chance) => {
    const at = whole(chance, 0, rows.length + 1);
    const [head, tail] = [rows.slice(0, at), rows.slice(at)];
    return chance() < 0.5 ? [...head.reverse(), ...tail] : [...head, ...tail.reverse()];
  },
  'neighbours exchanged': (rows, chance) => {
    const mixed = [...rows];
    for (let at = 1; at < mixed.length; at++)
      if (chance() < 0.08) mixed.splice(at - 1, 2, mixed[at]!, mixed[at - 1]!);
    return mixed;
  },
  shuffled: (rows, chance) => {
    const places = new Map(rows.map((row) => [row, chance()]));
    return [...rows].sort((a, b) => places.get(a)! - places.get(b)!);
  },
  'seconds only': (rows) =>
    rows.map((row) => ({ ...row, logDateLocal: `${row.logDateLocal.slice(0, 19)}.00` })),
  'noise between': (rows, chance) =>
    rows.flatMap((row) => (chance() < 0.3 ? [row, { ...row, ...LOGIN }] : [row])),
};
