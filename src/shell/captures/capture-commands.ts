/** Explore a Sample, Save Capture As, Save Capture for a Vendor, Open a Lake, and Open Events File. */
import * as vscode from 'vscode';
import { encodeCapture } from '../../captures/capture-format';
import type { KeptRecord } from '../../core/capture/capture-record';
import { formatCount, formatDuration, formatPercent } from '../../core/format';
import { t } from '../../core/language';
import { ANSWERS_SECTION } from '../../monitor/queries/recorded-answers';
import type { RankedServer } from '../../lake/lake-reading';
import type { Outcome } from '../../lake/tables';
import { takeSteps } from '../../core/steps';
import { type CommandContext, onTarget, tryToConnect } from '../commands/command-context';
import { nameExport } from '../../core/export/export-request';
import { type CommandTable, Dismissed } from '../kit/command-table';
import type { Option } from '../kit/conversation';
import type { FileSaver } from '../kit/file-saver';
import type { NamedServer } from '../servers/server-list';
import { CAPTURE_EDITOR, openAsCapture } from './capture-editors';
import { chooseEventFiles, type EventFilesWorld, openEventFiles } from './event-files';

interface CaptureWorld extends EventFilesWorld {
  /** The capture that the extension brings. */
  readonly sample: vscode.Uri;
  readonly files: FileSaver;
  /** @param isReached whether the server may be asked */
  readonly record: (
    named: NamedServer,
    isReached: boolean,
    signal: AbortSignal,
  ) => Promise<KeptRecord | null>;
}

export function createCaptureCommands(context: CommandContext, world: CaptureWorld) {
  return {
    exploreSample: () => vscode.commands.executeCommand('vscode.openWith', world.sample, CAPTURE_EDITOR),
    openLake: () => openLake(context, world),
    openEvents: async () => openEventFiles(context.conversation, world, await chooseEventFiles()),
    saveCapture: onTarget(context, ({ serverId }) => saveCapture(context, world, serverId)),
    saveCaptureForVendor: onTarget(context, ({ serverId }) => saveForVendor(context, world, serverId)),
  } satisfies Partial<CommandTable>;
}

async function saveCapture(context: CommandContext, world: CaptureWorld, serverId: string): Promise<void> {
  const { record, label } = await readCapture(context, world, serverId);
  const name = nameExport('capture', label, world.nowUtcMs(), 'checkpoints');
  await world.files.save({ name, kind: 'checkpoints', title: t('Save Capture As') }, () =>
    takeSteps(encodeCapture({ ...record, serverLabel: label }), world.pause),
  );
}

/** The names are in no file and no setting: to know what stands for what, look now, or make another file. */
async function saveForVendor(context: CommandContext, world: CaptureWorld, serverId: string): Promise<void> {
  const { record: named, label } = await readCapture(context, world, serverId);
  const { renameRecord, writeNames } = await import(
    /* webpackChunkName: "monitor" */ '../../monitor/vendor/vendor-record'
  );
  const { record, serverLabel, standIns } = await takeSteps(renameRecord(named, label), world.pause);
  const name = nameExport('capture', serverLabel, world.nowUtcMs(), 'checkpoints');
  const isSaved = await world.files.save(
    { name, kind: 'checkpoints', title: t('Save Capture for a Vendor') },
    () => takeSteps(encodeCapture({ ...record, serverLabel }), world.pause),
  );
  if (!isSaved) return;
  const sentence = t(
    'Stand-ins such as DATABASE-1 replace the names of servers, databases, groups, volumes and files. Error texts and logins were left out. Times, sizes, ids, versions, settings and trace flags stay. No list of the stand-ins is kept.',
  );
  context.conversation.offer(sentence, t('Show Stand-ins'), () =>
    context.conversation.showText(writeNames(standIns), 'markdown'),
  );
}

/** The server is read once more, so the file holds what it says of its databases, its error log and its backups. */
async function readCapture(
  context: CommandContext,
  world: CaptureWorld,
  serverId: string,
): Promise<{ readonly record: KeptRecord; readonly label: string }> {
  const { label } = context.servers.snapshot(serverId);
  const server = context.servers.list.find(serverId);
  if (server === undefined || server.way === 'file')
    throw new Error(t('{0} is already a saved capture. Copy its file.', label));
  // It asks before it logs in again after a refusal. What was kept can be saved without the server.
  const monitor = await tryToConnect(context, serverId);
  // The capture that is on the screen, not that of a few minutes ago.
  await monitor.keepNow();
  const isReached = monitor.snapshot.connection === 'connected';
  const record = await context.conversation.showWork(t('Reading {0} to save it', label), (signal) =>
    world.record({ server, label }, isReached, signal),
  );
  if (record === null) throw new Error(t('No capture of {0} yet. Start tracking first.', label));
  return { record, label };
}

/** A lake that the command line collected: its servers, those that suffer most first. One opens as a saved capture. */
async function openLake(
  { conversation }: CommandContext,
  { storage, pause, nowUtcMs }: CaptureWorld,
): Promise<void> {
  const title = t('Lakes to open: the folders that checkpoint-health collect writes');
  const folders =
    (await vscode.window.showOpenDialog({
      title,
      openLabel: t('Open Lake'),
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: true,
    })) ?? [];
  if (folders.length === 0) throw new Dismissed();
  // Large, because it reads Parquet.
  const lake = await import(/* webpackChunkName: "lake" */ '../../lake/lake-reading');
  const servers = await conversation.showWork(t('Reading the servers of the lake'), (signal) =>
    lake.listServers(
      folders.map(({ fsPath }) => fsPath),
      signal,
    ),
  );
  const { server: name, folder } = await conversation.chooseOne(
    t('Servers of the lake, the busiest checkpoint task first'),
    servers.map(createOption),
  );
  const record = await conversation.showWork(t('Reading {0} from the lake', name), (signal) =>
    lake.readServer(folder, name, ANSWERS_SECTION, signal),
  );
  const bytes = await takeSteps(encodeCapture({ ...record, serverLabel: name }), pause);
  await openAsCapture(vscode.Uri.joinPath(storage, 'lake'), name, bytes, nowUtcMs());
}

function createOption(server: RankedServer): Option<RankedServer> {
  const { busyShare, longestMs, databases, automaticDatabases, outcome, isElsewhere } = server;
  const parts = [
    ...(busyShare === null ? [] : [t('task {0} busy', formatPercent(busyShare))]),
    ...(automaticDatabases === null || databases === null
      ? []
      : [t('{0} of {1} automatic', formatCount(automaticDatabases), formatCount(databases))]),
    ...(longestMs === null ? [] : [t('longest {0}', formatDuration(longestMs))]),
  ];
  const details = [
    ...(outcome === null ? [] : [TROUBLES[outcome]]),
    ...(isElsewhere ? [t('Another of these lakes has it too, and read it earlier.')] : []),
  ].filter((text) => text !== null);
  return {
    value: server,
    label: server.server,
    description: parts.join(' · '),
    ...(details.length === 0 ? {} : { detail: details.join(' ') }),
  };
}

/** What the last run says if it did not read all that there was. */
const TROUBLES: Readonly<Record<Outcome, string | null>> = {
  collected: null,
  'nothing new': null,
  'not tracked': t('In the last run, its event session was not running.'),
  'in part': t('The last run read only part of it.'),
  'login refused': t('In the last run, its login was refused.'),
  'held back': t('The last run skipped it.'),
  'left out': null,
  'certificate not trusted': t('In the last run, its certificate was not trusted.'),
  'not reached': t('The last run did not reach it.'),
  'timed out': t('In the last run, it did not answer in time.'),
  failed: t('The last run could not read it.'),
};
