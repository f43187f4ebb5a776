/** Reads the command line: `--sizes 10000,100000 --only ours,uplot --rounds 3`. */
import { Refusal } from '../../tools/fail';
import { CONTENDERS, type ContenderName } from './contenders';

export interface Asked {
  /** Numbers of checkpoints, ascending. */
  readonly sizes: readonly number[];
  readonly contenders: readonly ContenderName[];
  readonly rounds: number;
}

const ALL = Object.keys(CONTENDERS) as readonly ContenderName[];
const DEFAULTS: Asked = { sizes: [10_000, 100_000, 1_000_000, 5_000_000], contenders: ALL, rounds: 3 };

/** @throws Refusal with the word that it does not understand */
export function readArguments(args: readonly string[]): Asked {
  let asked = DEFAULTS;
  for (let i = 0; i < args.length; i += 2) asked = { ...asked, ...readOption(args[i]!, args[i + 1] ?? '') };
  return asked;
}

function readOption(option: string, value: string): Partial<Asked> {
  switch (option) {
    case '--sizes':
      return {
        sizes: value
          .split(',')
          .map(readCount)
          .sort((a, b) => a - b),
      };
    case '--only':
      return { contenders: inOrder(value.split(',')) };
    case '--rounds':
      return { rounds: readCount(value) };
    default:
      throw new Refusal(`${option} is not an option: there are --sizes, --only and --rounds.`);
  }
}

function readCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Refusal(`"${text}" is not a number above 0.`);
  return Number(text);
}

function inOrder(names: readonly string[]): readonly ContenderName[] {
  const unknown = names.find((name) => !(name in CONTENDERS));
  if (unknown !== undefined) throw new Refusal(`"${unknown}" does not take part: these do: ${ALL.join(', ')}.`);
  return ALL.filter((name) => names.includes(name));
}
