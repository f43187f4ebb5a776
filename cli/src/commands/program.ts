/** The commands and their options. */
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { version } from '../../package.json';
import { DEFAULT_TARGET_SECONDS, defaultWaves } from '../../../src/core/advice/plan';
import { explainWhole, readNumber } from '../../../src/core/bounds';
import { SESSION_DAYS } from '../../../src/core/script/session';
import { explainRule, CHECK_LEVELS } from '../check/rules';
import { BadUsage, EXIT } from '../kit/exit';
import { createOutput, type Output } from '../kit/output';
import { findTerminal } from '../kit/terminal';
import { FORGETTABLE } from '../../../src/lake/forgetting';
import { AUTHENTICATIONS, refuseSecret } from '../servers/server-file';
import { type CheckOptions, FORMATS, runCheck } from './check';
import { runCollect } from './collect';
import { runCompact } from './compact';
import { SHELLS, writeCompletion } from './completion';
import { type ForgetOptions, runForget } from './forget';
import { runDoctor } from './doctor';
import { REPORT_FORMATS, type ReportOptions, runReport } from './report';
import { KINDS, runScript, type ScriptOptions } from './script';
import { type TrackingDeed, runTracking } from './tracking';

const HELP = `
Exit codes:
  0  done
  1  check found something
  2  the command line, or a file that it names, is wrong
  3  some servers were not reached or not fully read; the reasons are in the table runs
  4  nothing could be done, or its results could not be written
  5  no server was read whole; what was read is in the lake, and the next run goes on from there
  6  another run of collect is reading these servers; this one ended at once
  7  all servers were read, but too late: events were overwritten before. Run collect more often

Secrets come from the environment (CHECKPOINT_HEALTH_PASSWORD, CHECKPOINT_HEALTH_TOKEN) or are asked for on a terminal. No argument takes one.

Completion of commands and options:
  $ source <(checkpoint-health completion bash)

First steps:
  $ checkpoint-health doctor --server sql01.corp.example --user monitor
  $ checkpoint-health start --server sql01.corp.example --user dba --show-sql
  $ checkpoint-health collect --lake ./lake --server sql01.corp.example --user monitor`;

const whole =
  (least: number, most: number) =>
  (text: string): number => {
    const complaint = explainWhole(readNumber(text), { least, most });
    if (complaint !== null) throw new InvalidArgumentError(complaint);
    return Number(text);
  };

/** Sessions that one computer may hold at once; a day; ten years; a year. */
const AT_ONCE = whole(1, 1_000);
const SECONDS = whole(1, 86_400);
const DAYS = whole(1, 3_650);
const OLD_DAYS = (text: string): number => DAYS(text.replace(/d$/, ''));
const HOURS = whole(0, 8_760);
const SESSION_LIMIT = whole(SESSION_DAYS.least, SESSION_DAYS.most);
const HOUR_SECONDS = whole(0, 3_600);

const POLICY = new Option(
  '--policy <file>',
  'the policy; default: .checkpoint-policy.json in the working directory, if it exists',
);

const lakeOption = (description: string, folder = '<folder>'): Option =>
  new Option(`--lake ${folder}`, description).env('CHECKPOINT_HEALTH_LAKE');

/** @param choices the first is taken if none is given */
const choice = (flags: string, description: string, choices: readonly string[]): Option =>
  new Option(flags, description).choices(choices).default(choices[0]);

function describeServers(command: Command): Command {
  return command
    .option(
      '--server <address...>',
      'servers: host, host,port, host\\instance, or a connection string without its password',
    )
    .option(
      '--servers <file>',
      'a file with servers: JSON, one address or connection string a line, or .regsrvr of SSMS',
    )
    .option(
      '--cms <address>',
      'the servers that are registered on a central management server; it is only read',
    )
    .option(
      '--group <name>',
      'only this group of registered servers and the groups below it; write outer/inner if the name is not unique',
    )
    .option('--user <name>', 'the login', '')
    .addOption(choice('--authentication <way>', 'how to log in', AUTHENTICATIONS))
    .addOption(
      new Option('--windows', 'log in as yourself: your Windows login, or your Kerberos ticket').conflicts([
        'authentication',
        'user',
      ]),
    )
    .option('--token-host <host...>', 'with Microsoft Entra: hosts outside Azure that may get your token')
    .option('--trust-server-certificate', 'accept any certificate; not with Microsoft Entra', false);
}

/** @param end is told the exit code of a command */
export function createProgram(end: (code: number) => void): Command {
  const program = new Command('checkpoint-health')
    .description('Collects what checkpoints do to your SQL Servers. It changes no database.')
    .addOption(choice('--log <form>', 'form of the messages', ['auto', 'text', 'json']))
    .option('--quiet', 'print only problems and results', false)
    .version(version, '--version', 'print the version')
    .addHelpText('after', HELP)
    .helpCommand(false)
    .showHelpAfterError('Run with --help to see the options.')
    .exitOverride();
  program.hook('preAction', (_, command) => {
    for (const option of command.options)
      refuseSecret(option.long ?? '', command.getOptionValue(option.attributeName()));
  });
  program.configureOutput({
    writeErr: (text) => outputOf(program).usage(text),
    outputError: (text, write) => write(hideGiven(text)),
  });
  describeServers(program.command('collect'))
    .description('Reads what is new on each server into the lake. It only reads: it starts no session.')
    .addOption(lakeOption('the folder of the lake; created if it does not exist').makeOptionMandatory())
    .option('--concurrency <number>', 'servers read at the same time', AT_ONCE, 16)
    .option('--server-seconds <number>', 'seconds that one server may take', SECONDS, 120)
    .option('--no-samples', 'do not sample write counters')
    .option(
      '--error-log-hours <number>',
      'hours between two readings of the error log, which costs the server some work; 0: never',
      HOURS,
      1,
    )
    .option('--log-in-again', 'retry logins that were refused in an earlier run', false)
    .option('--try-all', 'also retry unreached servers that are not due yet', false)
    .action(async (options, command: Command) => end(await runCollect(options, outputOf(command))));
  addUpkeep(program, end);
  describeServers(program.command('doctor'))
    .description('Says for each server what works, what does not, and what to do next. It changes nothing.')
    .addOption(lakeOption('a lake to test as well'))
    .action(async (options, command: Command) => end(await runDoctor(options, outputOf(command))));
  addCheck(program, end);
  addReport(program, end);
  addScript(program, end);
  for (const deed of ['start', 'stop', 'remove'] as const) addTracking(program, deed, end);
  addCompletion(program, end);
  addHelp(program, end);
  return program;
}

function addUpkeep(program: Command, end: (code: number) => void): void {
  program
    .command('compact')
    .description(
      'Joins small files of past days, sums the days up, and deletes files that left the tables a week ago. Run it once a day.',
    )
    .addOption(lakeOption('the folder of the lake').makeOptionMandatory())
    .action(async (options, command: Command) => end(await runCompact(options, outputOf(command))));
  program
    .command('forget')
    .description(
      'Deletes old days of a lake, and keeps what later days rest on. Without --yes it only says what would go.',
    )
    .addOption(lakeOption('the folder of the lake').makeOptionMandatory())
    .option('--older-than <days>', 'the days that stay, such as 90d', OLD_DAYS)
    .option('--lost-files', 'take files that are gone out of their tables', false)
    .addOption(
      new Option(
        '--table <name...>',
        'only these; checkpoints takes gaps, runs, facts and answers along; sums, what compact added up, stay unless named',
      )
        .choices(Object.keys(FORGETTABLE))
        .default(['checkpoints', 'samples', 'log_messages']),
    )
    .option('--yes', 'delete', false)
    .action(async (options: ForgetOptions, command: Command) =>
      end(await runForget(options, outputOf(command))),
    );
}

function addCheck(program: Command, end: (code: number) => void): void {
  describeLook(describeServers(program.command('check')))
    .description(
      'Says what is wrong: databases outside the policy, a checkpoint task without pauses, databases to switch. It only reads.',
    )
    .addOption(POLICY)
    .addOption(choice('--format <form>', 'form of the findings', FORMATS))
    .option('--all', 'on a terminal, list each database on its own line', false)
    .option('--output <file>', 'the file for them; default: standard output')
    .addOption(choice('--fail-on <level>', 'exit with 1 at this level or above', CHECK_LEVELS))
    .option(
      '--waits-seconds <number>',
      'between two readings of the waits where nothing is tracked; 0: one reading',
      HOUR_SECONDS,
      15,
    )
    .action(async (options: CheckOptions, self: Command) => end(await runCheck(options, outputOf(self))));
}

function addReport(program: Command, end: (code: number) => void): void {
  describeLook(describeServers(program.command('report')))
    .description(
      'Writes a report on all servers into one file. With --lake and no server, from the lake alone. It only reads.',
    )
    .requiredOption('--output <file>', 'the file, or a folder for it; an existing report is overwritten')
    .addOption(POLICY)
    .addOption(choice('--format <form>', 'one self-contained HTML file, or Markdown', REPORT_FORMATS))
    .action(async (options: ReportOptions, self: Command) => end(await runReport(options, outputOf(self))));
}

function addScript(program: Command, end: (code: number) => void): void {
  describeLook(describeServers(program.command('script')))
    .description(
      'Writes the switch to indirect checkpoints of each server into files, with its rollback and change record. It runs nothing.',
    )
    .requiredOption('--output <folder>', 'where to write; each server gets a folder in it')
    .option(
      '--databases <name...>',
      'these databases, * and ? as in the policy; default: those advised or different from the policy',
    )
    .addOption(POLICY)
    .addOption(
      new Option('--kind <kind...>', 'what to write; agent-job adds a job')
        .choices(KINDS)
        .default(['switch']),
    )
    .option('--target <seconds>', 'the target recovery time', String(DEFAULT_TARGET_SECONDS))
    .option('--reason <text>', 'why this target; 0 needs one', '')
    .option('--canary <number>', 'databases of the first wave', String(defaultWaves.canary))
    .option('--batch <number>', 'databases of each wave after it', String(defaultWaves.batch))
    .option(
      '--pause-minutes <number>',
      'let the script go on by itself after this pause; default: you run each wave',
    )
    .option(
      '--stop-above-write-ms <number>',
      'with a pause: stop if data writes take longer; default: twice their time in the first pause',
      '',
    )
    .option('--force', 'replace all files of an earlier set', false)
    .action(async (options: ScriptOptions, self: Command) => end(await runScript(options, outputOf(self))));
}

function describeLook(command: Command): Command {
  return command
    .addOption(
      lakeOption('also use what the lake has on the servers; several are read as one', '<folder...>'),
    )
    .option('--days <number>', 'use only this many days of the lake; fewer are faster', DAYS, 7)
    .option('--concurrency <number>', 'servers read at the same time', AT_ONCE, 16)
    .option('--server-seconds <number>', 'seconds that one server may take', SECONDS, 120);
}

function addCompletion(program: Command, end: (code: number) => void): void {
  program
    .command('completion')
    .description(
      'Prints a script that completes commands and options. Save it where your shell looks for such scripts, or source it.',
    )
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number], _options, self: Command) => {
      outputOf(self).result(writeCompletion(shell, program));
      end(EXIT.done);
    });
}

function addHelp(program: Command, end: (code: number) => void): void {
  program
    .command('help')
    .description('Shows the options of a command, or what a rule of check means.')
    .argument('[name]', 'a command, or a rule')
    .action((name: string | undefined, _options, self: Command) => {
      const command = name === undefined ? program : program.commands.find((each) => each.name() === name);
      const meaning = explainRule(name ?? '');
      if (command === undefined && meaning === null) throw new BadUsage('No such command or rule.');
      if (meaning === null) command?.outputHelp();
      else outputOf(self).result(meaning);
      end(EXIT.done);
    });
}

const DEEDS = {
  start: 'Creates the event session CheckpointHealth on the servers and starts it.',
  stop: 'Stops the event session CheckpointHealth. Run collect first: what it recorded since the last run will not be read.',
  remove: 'Drops the event session CheckpointHealth and names the files that stay. Run collect first.',
} as const;

function addTracking(program: Command, deed: TrackingDeed, end: (code: number) => void): void {
  const command = describeServers(program.command(deed)).description(
    `${DEEDS[deed]} It changes nothing else.`,
  );
  if (deed === 'start')
    command
      .option('--database <name...>', 'only these databases; default: all')
      .option(
        '--days <number>',
        'days after which SQL Server 2025 ends the session',
        SESSION_LIMIT,
        SESSION_DAYS.byDefault,
      );
  command
    .option('--show-sql', 'print the T-SQL and run none of it', false)
    .option('--take-over', 'change the session even if it was started elsewhere', false)
    .option('--yes', 'do not ask before changing several servers', false)
    .action(async (options, self: Command) =>
      end(await runTracking(deed, options, outputOf(self), findTerminal()?.ask ?? null)),
    );
}

/**
 * Of what was given only a plain word or number is repeated, and of an option its name: the rest may be a secret by
 * mistake.
 */
function hideGiven(complaint: string): string {
  const given =
    /^(error: (?:unknown option|unknown command|option '[^']*' argument|command-argument value) ')([^]*)(?='(?: is invalid|\n|$))/;
  return complaint.replace(given, (_, before: string, word: string) =>
    /^(?!-[a-z].)[\w.,-]*$/i.test(word)
      ? `${before}${word}`
      : `${before}${/^(--[\w-]+|-\w)/.exec(word)?.[0] ?? '…'}`,
  );
}

/** What the program says, in the form that was asked for. */
export function outputOf(command: Command): Output {
  const { log, quiet } = command.optsWithGlobals<{ log: 'auto' | 'text' | 'json'; quiet: boolean }>();
  return createOutput(log, process.env, { out: process.stdout, error: process.stderr }, Date.now, quiet);
}
