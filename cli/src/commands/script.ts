/** `script`: the reviewed switch of each server with the primary replicas, as files to run by hand. It runs nothing. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { matchPattern } from '../../../src/core/advice/policy';
import { describeUnreadablePolicy } from '../../../src/core/advice/rules/preflight';
import { describeShortTarget } from '../../../src/core/review/review-draft';
import { describeError } from '../../../src/monitor/queries/failure';
import { FINE } from '../../../src/lake/tables';
import { BadUsage, exitFor } from '../kit/exit';
import type { Output } from '../kit/output';
import { judgeServers, type Look, type LookOptions } from '../look/judged-servers';
import { findPolicy } from '../look/policy-file';
import { listScriptFiles, nameFolder, writeScriptFiles } from '../script/script-files';
import { chooseDatabases, createChoice, type ChoiceOptions, listElsewhere } from '../script/switch-choice';
import { reachServers, type ServerOptions } from '../servers/reaching';

export const KINDS = ['switch', 'agent-job'] as const;

export interface ScriptOptions extends ServerOptions, LookOptions, ChoiceOptions {
  readonly policy?: string;
  readonly output: string;
  readonly kind: readonly (typeof KINDS)[number][];
  readonly force: boolean;
}

/** @returns the exit code @throws BadUsage, Error with one sentence */
export async function runScript(options: ScriptOptions, output: Output): Promise<number> {
  const { targetSeconds } = createChoice([], options);
  const policy = await findPolicy(options.policy);
  const { unreadable = [] } = policy.inForce;
  if (unreadable.length > 0) throw new BadUsage(describeUnreadablePolicy(unreadable));
  const servers = await reachServers(options, output);
  const names = servers.map(({ name }) => nameFolder(name).toLowerCase());
  const twin = servers.find((_, at) => names.indexOf(names[at] ?? '') < at);
  if (twin !== undefined)
    throw new BadUsage(
      `${twin.name} has the folder of another server of the list, whose name differs in case alone.`,
    );
  const short = describeShortTarget(targetSeconds);
  if (short !== null) output.event('warning', short);
  const found = new Set<string>();
  const hash = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
  let fine = 0;
  await judgeServers(servers, options, { inForce: policy.inForce, hash }, output, async (look) => {
    const { name } = look.server;
    const say = (level: 'info' | 'warning', sentence: string): void =>
      output.event(level, `${name}: ${sentence}`, { server: name });
    try {
      for (const each of look.monitor?.snapshot.facts?.databases ?? []) found.add(each.name);
      await writeFor(look, join(options.output, nameFolder(name)), options, say);
      if (FINE.has(look.outcome)) fine++;
    } catch (error) {
      say('warning', describeError(error));
    }
  });
  for (const wanted of options.databases ?? [])
    if (![...found].some((name) => matchPattern(wanted, name)))
      output.event('warning', `No server shows a database ${wanted}.`);
  const counts = { servers: servers.length, done: fine };
  output.event('info', `${fine} of ${servers.length} servers are done. Nothing was run.`, counts);
  return exitFor(fine, servers.length);
}

/** @throws Error with one sentence */
async function writeFor(
  { outcome, reason, monitor, signal }: Look,
  folder: string,
  options: ScriptOptions,
  say: (level: 'info' | 'warning', sentence: string) => void,
): Promise<void> {
  const facts = monitor?.snapshot.facts ?? null;
  if (!FINE.has(outcome)) say('warning', `${outcome}${reason === null ? '' : `. ${reason}`}`);
  if (monitor === null || facts === null || monitor.snapshot.connection !== 'connected') return;
  if (facts.unreadDatabases > 0)
    return say('warning', 'Left out: its list of databases could not be fully read.');
  for (const sentence of listElsewhere(facts)) say('info', sentence);
  const write = async (files: ReturnType<typeof listScriptFiles>): Promise<void> => {
    const left = (await writeScriptFiles(folder, files, options.force)).join(', ');
    const gone = `Removed from ${folder} because it no longer applies: ${left}. Its rollback and change record stay.`;
    const still = `The earlier script in ${folder} no longer applies: ${left}. --force removes it.`;
    if (left !== '') say(options.force ? 'info' : 'warning', options.force ? gone : still);
  };
  const sayNothing = (sentence: string): Promise<void> => {
    say('info', sentence);
    return write([]);
  };
  const databaseIds = chooseDatabases(facts, monitor.snapshot, options.databases);
  const nothing =
    options.databases === undefined ? 'No switch is advised' : 'None of these databases can be changed';
  if (databaseIds.length === 0) return sayNothing(`${nothing} here, so no file was written.`);
  const { scripts, plan } = await monitor.reviewSwitch(createChoice(databaseIds, options), signal);
  const leftOut = plan.exclusions.map(({ name, reason: why }) => `${name}: ${why}`);
  if (scripts === null)
    return sayNothing(`None of the chosen databases can be switched. ${leftOut.join(' ')}`);
  await write(listScriptFiles(scripts, options.kind.includes('agent-job')));
  const waves = new Set(plan.steps.map(({ wave }) => wave)).size;
  const done = `${plan.steps.length} in ${waves === 1 ? '1 wave' : `${waves} waves`}, ${leftOut.length} left out`;
  say('info', `Databases: ${done}. The files are in ${folder}.`);
}
