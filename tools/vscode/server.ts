import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLeashed, startLeashed, waitForOutput } from '../processes/leashed';
import { installVsCode } from './install';
import { installNode } from './node';

const readyTimeoutMs = 120_000;

/** A server of VS Code, or of an editor made from it, and the Node that it runs on. */
export interface Editor {
  readonly node: string;
  readonly program: string;
  /** The environment variables that it needs. */
  readonly env: NodeJS.ProcessEnv;
}

interface VsCodeOptions {
  /** Another editor than the VS Code that is installed here. */
  readonly editor?: Editor | undefined;
  /** Settings of the machine: a web editor reads them from its server. */
  readonly machineSettings?: Readonly<Record<string, unknown>> | undefined;
  /** VSIX files to install, in this order. */
  readonly vsixFiles: readonly string[];
  /** Called with the folder of the extensions after they were installed and before anything starts. */
  readonly completeExtensions?: ((folder: string) => Promise<void>) | undefined;
  /** User settings, beside the quiet ones that every start gets. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Environment of the server, and so of the extension host. Gets the server's own folder. */
  readonly env?: (folder: string) => NodeJS.ProcessEnv;
}

/** A VS Code in a browser, running on this machine. Only somebody who has its address can use it. */
export interface VsCodeServer {
  /**
   * Opens the workbench on the workspace folder. Contains a secret; without it the server answers 403, because VS Code
   * lets people run programs.
   */
  readonly address: string;
  /** The one folder that holds everything of this server; deleted when the server ends. */
  readonly folder: string;
  readonly workspaceFolder: string;
  /** VS Code's own log, to read if something fails. */
  readonly readLog: () => string;
  readonly ended: Promise<unknown>;
  end(): Promise<unknown>;
}

/** Settings that keep a VS Code from using the network or greeting the user. */
const quietSettings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'update.mode': 'none',
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'chat.commandCenter.enabled': false,
  'window.confirmBeforeClose': 'never',
};

/*
 * The only switch that keeps a web VS Code from opening its walkthrough in a fresh profile; the setting for that is
 * read too late.
 */
const noWelcome = JSON.stringify([['skipWelcome', 'true']]);

/**
 * Installs VS Code if needed, installs the VSIX files into a fresh profile, starts the server and waits until it
 * answers.
 */
export async function startVsCode(options: VsCodeOptions): Promise<VsCodeServer> {
  const editor = options.editor ?? asEditor(await installVsCode(), process.execPath);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cph-')));
  const env = {
    ...process.env,
    ...editor.env,
    ...options.env?.(folder),
    EXTENSIONS_GALLERY: '{}',
    ...privateTempFolder(folder),
  };
  const profile = [
    '--server-data-dir',
    join(folder, 'data'),
    '--extensions-dir',
    join(folder, 'extensions'),
    '--accept-server-license-terms',
  ];
  seedFolders(folder, { ...quietSettings, ...options.settings }, options.machineSettings ?? {});
  try {
    await installExtensions(editor, profile, options.vsixFiles, env, folder);
    await options.completeExtensions?.(join(folder, 'extensions'));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return await serve(editor, [...profile, '--disable-workspace-trust'], folder, env);
}

/**
 * The newest VS Code that this machine can run; it needs a newer Node than the tools do.
 * @throws Refusal if one of them cannot be installed
 */
export async function installNewestVsCode(): Promise<Editor> {
  return asEditor(await installVsCode('vscode-newest'), await installNode('node24', '24'));
}

function asEditor(folder: string, node: string): Editor {
  return { node, program: join(folder, 'out', 'server-main.js'), env: {} };
}

function seedFolders(folder: string, settings: object, machineSettings: object): void {
  for (const name of ['data/User', 'data/data/Machine', 'extensions', 'workspace', 'tmp'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'data', 'User', 'settings.json'), JSON.stringify(settings, null, 2));
  writeFileSync(
    join(folder, 'data', 'data', 'Machine', 'settings.json'),
    JSON.stringify(machineSettings, null, 2),
  );
}

/*
 * Puts sockets and caches into the server's own folder, so that they are deleted with it. Not on macOS, whose socket
 * paths would become too long.
 */
function privateTempFolder(folder: string): NodeJS.ProcessEnv {
  return process.platform === 'linux'
    ? { TMPDIR: join(folder, 'tmp'), XDG_RUNTIME_DIR: join(folder, 'tmp') }
    : {};
}

async function installExtensions(
  { node, program }: Editor,
  profile: readonly string[],
  vsixFiles: readonly string[],
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<void> {
  if (vsixFiles.length === 0) return;
  const args = vsixFiles.flatMap((file) => ['--install-extension', file]);
  const { output } = await runLeashed(node, [program, ...profile, ...args], {
    env,
    foldersWhenCut: [folder],
  });
  const installed = output.match(/was successfully installed/g)?.length ?? 0;
  if (installed !== vsixFiles.length)
    throw new Error(`VS Code installed ${installed} of ${vsixFiles.length} extensions: ${output}`);
}

async function serve(
  { node, program }: Editor,
  profile: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<VsCodeServer> {
  const token = randomBytes(16).toString('hex');
  const tokenFile = join(folder, 'token');
  const workspaceFolder = join(folder, 'workspace');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const listen = [
    '--host',
    '127.0.0.1',
    '--port',
    '0',
    '--connection-token-file',
    tokenFile,
    '--disable-telemetry',
  ];
  const server = startLeashed(node, [program, ...profile, ...listen], { env, folders: [folder] });
  let log = '';
  server.onOutput((text) => (log += text));
  try {
    const [, port] = await waitForOutput(
      server,
      /agent listening on (\d+)[\s\S]*Extension host agent started/,
      readyTimeoutMs,
    );
    const query = new URLSearchParams({ tkn: token, folder: workspaceFolder, payload: noWelcome });
    const address = `http://127.0.0.1:${port}/?${query}`;
    return {
      address,
      folder,
      workspaceFolder,
      readLog: () => log,
      ended: server.ended,
      end: () => server.end(),
    };
  } catch (error) {
    await server.end();
    throw error;
  }
}
