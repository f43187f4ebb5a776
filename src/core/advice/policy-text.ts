/**
 * Reads `.checkpoint-policy.json`, and names each part that cannot be read by its place.
 * media/checkpoint-policy.schema.json says the same for editors.
 */
import { formatCount } from '../format';
import { t } from '../language';
import { explainVersion } from '../schema';
import type { Policy, PolicyException, PolicyTarget } from './policy';

interface PolicyProblem {
  /** "exceptions[1].expires"; empty: the file as a whole. */
  readonly place: string;
  readonly sentence: string;
  /** An exception may be lost in it, so we do not know all that the file leaves alone. */
  readonly mayHide?: true;
}

interface PolicyReading {
  readonly policy: Policy;
  /** Empty: the whole file was understood. */
  readonly problems: readonly PolicyProblem[];
}

/** A policy that names none has version 1. */
const POLICY_VERSION = 1;
const LARGEST_TARGET_SECONDS = 3600;
/**
 * Limits, because a policy is read at every change and looked up for thousands of databases. Characters, and entries of
 * both lists together.
 */
const MOST_CHARACTERS = 1_000_000;
const MOST_ENTRIES = 5_000;
/** A policy has three. What shows a value goes into it level by level, and a few thousand would be too many. */
const MOST_LEVELS = 100;

const empty: Policy = { targets: [], exceptions: [] };

/**
 * Reads a policy. What cannot be read is named; the rest counts. If an exception can be read only in part, it applies
 * with no end date, since leaving a database alone does no harm. A target that can be read only in part is left out.
 */
export function readPolicy(text: string): PolicyReading {
  const whole = (sentence: string): PolicyReading => ({
    policy: empty,
    problems: [{ place: '', sentence, mayHide: true }],
  });
  if (text.length > MOST_CHARACTERS)
    return whole(
      t(
        'It has {0} characters. At most {1} are read.',
        formatCount(text.length),
        formatCount(MOST_CHARACTERS),
      ),
    );
  const parsed = parse(text);
  if (parsed.kind === 'broken') return whole(parsed.sentence);
  const { repeated, levels } = walk(text);
  if (levels > MOST_LEVELS)
    return whole(
      t('It is nested {0} levels deep. At most {1} are read.', formatCount(levels), formatCount(MOST_LEVELS)),
    );
  const problems: PolicyProblem[] = repeated.map((name) => ({
    place: '',
    sentence: t('"{0}" appears twice in one object, and only the last one would count.', name),
    mayHide: true,
  }));
  const root = new Entry('', parsed.value, problems);
  if (!root.isObject(['$schema', 'version', 'targets', 'exceptions'])) return { policy: empty, problems };
  const { version = 1 } = parsed.value as { readonly version?: unknown };
  const later = explainVersion(version, POLICY_VERSION);
  if (later !== null)
    return { policy: empty, problems: [{ place: 'version', sentence: `${later}.`, mayHide: true }] };
  if (root.has('$schema')) root.text('$schema', 0);
  const entries = countEntries(parsed.value);
  if (entries > MOST_ENTRIES)
    return whole(
      t('It has {0} entries. At most {1} are read.', formatCount(entries), formatCount(MOST_ENTRIES)),
    );
  const targets = root.list('targets').flatMap(readTarget);
  return { policy: { targets, exceptions: root.list('exceptions', true).flatMap(readException) }, problems };
}

/** Before they are read: hundreds of thousands take seconds. */
function countEntries(policy: unknown): number {
  const { targets, exceptions } = policy as { readonly targets?: unknown; readonly exceptions?: unknown };
  return [targets, exceptions].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    0,
  );
}

export function describeProblems(problems: readonly PolicyProblem[]): readonly string[] {
  return problems.map(({ place, sentence }) => (place === '' ? sentence : `${place}: ${sentence}`));
}

function readTarget(entry: Entry): readonly PolicyTarget[] {
  const before = entry.problems.length;
  if (!entry.isObject(['server', 'database', 'targetSeconds', 'mostMbToRedo'])) return [];
  const server = entry.has('server') ? entry.text('server') : null;
  const database = entry.text('database');
  const targetSeconds = entry.seconds('targetSeconds');
  const mostMbToRedo = entry.has('mostMbToRedo') ? entry.megabytes('mostMbToRedo') : null;
  if (entry.problems.length > before || database === null || targetSeconds === null) return [];
  return [{ server, database, targetSeconds, ...(mostMbToRedo === null ? {} : { mostMbToRedo }) }];
}

function readException(entry: Entry): readonly PolicyException[] {
  const before = entry.problems.length;
  if (!entry.isObject(['server', 'database', 'reason', 'expires'], true) && !entry.isHeld) return [];
  const server = entry.has('server') ? entry.text('server') : null;
  const database = entry.text('database', 1, null, true);
  const reason = entry.text('reason', 1, /\S/);
  const expires = entry.has('expires') ? entry.date('expires') : null;
  if (database === null) return [];
  const isWhole = entry.problems.length === before;
  return [
    {
      server,
      database,
      reason: reason ?? t('Its reason could not be read.'),
      expires: isWhole ? expires : null,
    },
  ];
}

class Entry {
  constructor(
    private readonly place: string,
    private readonly value: unknown,
    readonly problems: PolicyProblem[],
  ) {}

  /** True for an object, even if it has names that do not belong there. */
  get isHeld(): boolean {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value);
  }

  /**
   * @param mayHide whether an exception may be lost if this is no object. An unknown name at the root may be a misspelt
   * list.
   */
  isObject(names: readonly string[], mayHide = this.place === ''): boolean {
    if (!this.isHeld) {
      this.report('', t('{0} is not an object with {1}.', show(this.value), listNames(names)), mayHide);
      return false;
    }
    const unknown = Object.keys(this.value as object).filter((name) => !names.includes(name));
    for (const name of unknown)
      this.report(
        name,
        t('This name is not known here. Known names: {0}.', listNames(names)),
        this.place === '',
      );
    return unknown.length === 0 || this.place === '';
  }

  has(name: string): boolean {
    return this.isHeld && Object.prototype.hasOwnProperty.call(this.value, name);
  }

  list(name: string, mayHide = false): readonly Entry[] {
    const list = this.read(name);
    if (list === undefined) return [];
    if (Array.isArray(list))
      return list.map((one: unknown, at) => new Entry(`${this.at(name)}[${at}]`, one, this.problems));
    this.report(name, t('{0} is not a list.', show(list)), mayHide);
    return [];
  }

  text(name: string, least = 1, form: RegExp | null = null, mayHide = false): string | null {
    const text = this.read(name);
    if (typeof text === 'string' && text.length >= least && (form === null || form.test(text))) return text;
    this.report(
      name,
      text === undefined
        ? t('It is missing. It must be a string.')
        : least > 0
          ? t('{0} must be a string that is not empty.', show(text))
          : t('{0} is not a string.', show(text)),
      mayHide,
    );
    return null;
  }

  seconds(name: string): number | null {
    const seconds = this.read(name);
    if (
      typeof seconds === 'number' &&
      Number.isInteger(seconds) &&
      seconds >= 0 &&
      seconds <= LARGEST_TARGET_SECONDS
    )
      return seconds;
    this.report(
      name,
      seconds === undefined
        ? t(
            'It is missing. It must be a whole number of seconds from 0 (automatic checkpoints) to {0}.',
            LARGEST_TARGET_SECONDS,
          )
        : t(
            '{0} is not a whole number of seconds from 0 (automatic checkpoints) to {1}.',
            show(seconds),
            LARGEST_TARGET_SECONDS,
          ),
    );
    return null;
  }

  megabytes(name: string): number | null {
    const megabytes = this.read(name);
    if (typeof megabytes === 'number' && Number.isFinite(megabytes) && megabytes > 0) return megabytes;
    this.report(name, t('{0} is not a number of megabytes above 0.', show(megabytes)));
    return null;
  }

  date(name: string): string | null {
    const text = this.read(name);
    if (typeof text === 'string' && isDate(text)) return text;
    this.report(name, t('{0} is not a date of the form 2026-12-31.', show(text)));
    return null;
  }

  private read(name: string): unknown {
    return this.has(name) ? (this.value as Readonly<Record<string, unknown>>)[name] : undefined;
  }

  private at(name: string): string {
    return this.place === '' ? name : `${this.place}.${name}`;
  }

  private report(name: string, sentence: string, mayHide = false): void {
    const place = name === '' ? this.place : this.at(name);
    this.problems.push(mayHide ? { place, sentence, mayHide } : { place, sentence });
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const utcMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(utcMs) && new Date(utcMs).toISOString().startsWith(text);
}

function parse(
  text: string,
):
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'broken'; readonly sentence: string } {
  try {
    return { kind: 'value', value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown };
  } catch (error) {
    return {
      kind: 'broken',
      sentence: t('It is not JSON: {0}', error instanceof Error ? error.message : String(error)),
    };
  }
}

function listNames(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/** The value as the file has it, so that a reader finds it there; cut if long. */
function show(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * Names that stand twice in one object, in the order of the text: JSON.parse keeps the last one and says nothing. And
 * how deep lists and objects are nested. `json` must be valid. Takes time in proportion to its length.
 */
function walk(json: string): { readonly repeated: readonly string[]; readonly levels: number } {
  const repeated: string[] = [];
  let levels = 0;
  /** Names of each open object so far; null: a list. */
  const open: (Set<string> | null)[] = [];
  let mayBeName = false;
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;
  for (const [token] of json.matchAll(tokens)) {
    const names = open[open.length - 1] ?? null;
    if (token.startsWith('"')) {
      if (mayBeName && names !== null) {
        const name = JSON.parse(token) as string;
        if (names.has(name)) repeated.push(name);
        names.add(name);
      }
      mayBeName = false;
    } else if (token === '{' || token === '[') {
      levels = Math.max(levels, open.push(token === '{' ? new Set() : null));
      mayBeName = true;
    } else if (token === '}' || token === ']') {
      open.pop();
      mayBeName = false;
    } else mayBeName = token === ',';
  }
  return { repeated, levels };
}
