/** Saved captures as documents of the editor: each opens as a dashboard, read-only, with no server behind it. */
import * as vscode from 'vscode';
import { decodeCapture } from '../../captures/capture-format';
import type { KeptCapture } from '../../captures/capture-header';
import { t } from '../../core/language';
import { type Pause, takeSteps } from '../../core/steps';
import type { Dashboards } from '../dashboard/dashboards';
import type { OpenServers } from '../servers/open-servers';

export const CAPTURE_EDITOR = 'checkpointHealth.capture';

interface CaptureDocument extends vscode.CustomDocument {
  /** Of the server that the pane shows while the document is open. */
  readonly serverId: string;
}

interface CaptureEditorsWorld {
  readonly servers: OpenServers;
  readonly dashboards: Pick<Dashboards, 'take'>;
  readonly pause: Pause;
}

export class CaptureEditors implements vscode.CustomReadonlyEditorProvider<CaptureDocument> {
  private readonly records = new Map<string, KeptCapture>();

  constructor(private readonly world: CaptureEditorsWorld) {}

  /** What the file of this server holds; undefined: no such file is open. */
  find(serverId: string): KeptCapture | undefined {
    return this.records.get(serverId);
  }

  /** @throws Error with one sentence if the file is no capture; the editor shows it */
  async openCustomDocument(uri: vscode.Uri): Promise<CaptureDocument> {
    const name = uri.path.split('/').pop() ?? uri.path;
    const { capture, problem } = await takeSteps(
      decodeCapture(await vscode.workspace.fs.readFile(uri)),
      this.world.pause,
    );
    if (capture === null)
      throw new Error(
        t('{0} cannot be read as a saved capture: {1}. The file was not changed.', name, problem),
      );
    const serverId = `file:${uri.toString()}`;
    this.records.set(serverId, capture);
    this.world.servers.openFile(serverId, capture.serverLabel, uri.fsPath);
    return {
      uri,
      serverId,
      dispose: () => {
        this.records.delete(serverId);
        void this.world.servers.closeFile(serverId);
      },
    };
  }

  async resolveCustomEditor({ serverId }: CaptureDocument, panel: vscode.WebviewPanel): Promise<void> {
    this.world.dashboards.take(serverId, panel);
    await this.world.servers.look(serverId);
  }
}

/** Of the name of a file. */
const MOST_CHARACTERS = 150;
/** Files of ours that are older are deleted. */
const KEEP_MS = 7 * 24 * 60 * 60_000;

/**
 * Opens a capture that has no file of its own: it gets one among ours, under the name of its server and the time. So no
 * document that is open changes below its reader.
 * @param folder of ours
 */
export async function openAsCapture(
  folder: vscode.Uri,
  name: string,
  bytes: Uint8Array,
  nowMs: number,
): Promise<void> {
  await vscode.workspace.fs.createDirectory(folder);
  for (const [old] of await vscode.workspace.fs.readDirectory(folder)) {
    const file = vscode.Uri.joinPath(folder, old);
    if (nowMs - (await vscode.workspace.fs.stat(file)).mtime > KEEP_MS)
      await vscode.workspace.fs.delete(file);
  }
  const safe = encodeURIComponent(name).replace(/%20/g, ' ').replace(/\*/g, '%2A').slice(0, MOST_CHARACTERS);
  const file = vscode.Uri.joinPath(
    folder,
    `${safe}-${new Date(nowMs).toISOString().replace(/[:.]/g, '-')}.checkpoints`,
  );
  await vscode.workspace.fs.writeFile(file, bytes);
  await vscode.commands.executeCommand('vscode.openWith', file, CAPTURE_EDITOR);
}
