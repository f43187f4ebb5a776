/** Explore a Sample, and Save Capture As. */
import * as vscode from 'vscode';
import { encodeCapture } from '../../captures/capture-format';
import type { KeptRecord } from '../../core/capture/capture-record';
import { t } from '../../core/language';
import { type Pause, takeSteps } from '../../core/steps';
import { type CommandContext, findTarget, tryToConnect } from '../commands/command-context';
import { nameExport } from '../../core/export/export-request';
import type { CommandTable } from '../kit/command-table';
import type { FileSaver } from '../kit/file-saver';
import type { NamedServer } from '../servers/server-list';
import { CAPTURE_EDITOR } from './capture-editors';

interface CaptureWorld {
  /** The capture that the extension brings. */
  readonly sample: vscode.Uri;
  readonly files: FileSaver;
  /** @param isReached whether the server may be asked */
  readonly record: (named: NamedServer, isReached: boolean, signal: AbortSignal) => Promise<KeptRecord | null>;
  readonly pause: Pause;
  readonly nowUtcMs: () => number;
}

export function createCaptureCommands(context: CommandContext, world: CaptureWorld): Pick<CommandTable, 'exploreSample' | 'saveCapture'> {
  return {
    exploreSample: () => vscode.commands.executeCommand('vscode.openWith', world.sample, CAPTURE_EDITOR),
    saveCapture: (invoked, selection) => saveCapture(context, world, invoked, selection),
  };
}

/** The server is read once more, so that the file holds what it says of its databases, its error log and its backups. */
async function saveCapture(context: CommandContext, world: CaptureWorld, invoked: unknown, selection: unknown): Promise<void> {
  const { serverId } = await findTarget(context, invoked, selection);
  const { label } = context.servers.snapshot(serverId);
  const server = context.servers.list.find(serverId);
  if (server === undefined || server.way === 'file') throw new Error(t('{0} is already a saved capture. Copy its file.', label));
  // It asks before it logs in again after a refusal. What was kept can be saved without the server.
  const monitor = await tryToConnect(context, serverId);
  // The capture that is on the screen, not that of a few minutes ago.
  await monitor.keepNow();
  const isReached = monitor.snapshot.connection === 'connected';
  const record = await context.conversation.showWork(t('Reading {0} to save it', label), (signal) =>
    world.record({ server, label }, isReached, signal),
  );
  if (record === null) throw new Error(t('There is no capture of {0} yet. Start tracking first.', label));
  const name = nameExport('capture', label, world.nowUtcMs(), 'checkpoints');
  await world.files.save({ name, kind: 'checkpoints', title: t('Save Capture As') }, () =>
    takeSteps(encodeCapture({ ...record, serverLabel: label }), world.pause),
  );
}
