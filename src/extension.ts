/**
 * Joins everything. Activation only registers, and reads nothing from any server; heavy modules are loaded when first
 * needed.
 */
import './shell/kit/screen-texts';
import { describeError } from './monitor/queries/failure';
import { createHash } from 'node:crypto';
import * as files from 'node:fs/promises';
import * as vscode from 'vscode';
import { CaptureFolder } from './captures/capture-folder';
import { t } from './core/language';
import { makePlain } from './core/visible';
import { openServerCaptures, type ServerCaptures } from './captures/server-captures';
import { canReach, createAzdataHost, findAzdata } from './hosts/azdata/host';
import type { ConnectionHost, ServerAccess } from './hosts/host';
import type { AddedServer } from './shell/commands/given-server';
import { openInstallation } from './shell/installation';
import { PolicyFiles } from './shell/policy/policy-files';
import { createPolicyWorld } from './shell/policy/workspace';
import { busyBound, connectionRules, pollIntervalMs, samplingIntervals, sessionDays } from './shell/settings';
import { pause, Shell } from './shell/shell';
import { createMssqlHost, createMssqlWorld } from './hosts/mssql/vscode';
import { explainAddress } from './gate/address';
import { guardHost } from './gate/connection-rules';
import type { SavedServer } from './shell/servers/saved-server';
import type { ListedServer, NamedServer } from './shell/servers/server-list';
import { thisComputer } from './monitor/queries/slices';
import type { ServerMonitor } from './monitor/server-monitor';
import type { Installation, MonitorSurroundings } from './monitor/queries/surroundings';

/** What other extensions get from us. */
export interface CheckpointHealth {
  /**
   * Asks the user, then adds the server, or changes the one with the same address and login; connects to nothing. If it
   * is in the list with these settings, the user is not asked. Gives the server's id. Rejects with one sentence if the
   * user does not allow it, or if it would make a connection less safe.
   */
  addServer(server: AddedServer): Promise<string>;
}

type Surroundings = Omit<MonitorSurroundings, 'access' | 'captures' | 'sampling' | 'refreshIntervalMs'>;

interface MonitorWorld {
  readonly installation: Installation;
  readonly storage: vscode.Uri;
  readonly policy: PolicyFiles;
}

/** Time between two reads of the facts while connected. */
const REFRESH_INTERVAL_MS = 60_000;
/** A saved capture says the same each time. As long as a timer can wait. */
const NEVER_MS = 2 ** 31 - 1;

let shell: Shell | null = null;

export function activate(context: vscode.ExtensionContext): CheckpointHealth {
  try {
    const policy = new PolicyFiles(
      createPolicyWorld((sentence) => void vscode.window.showWarningMessage(makePlain(sentence))),
    );
    context.subscriptions.push(policy);
    void policy.read();
    const world = {
      installation: openInstallation(context.globalState),
      storage: context.globalStorageUri,
      policy,
    };
    const opened: Shell = new Shell(context, {
      hosts: findHosts(context.extension.id),
      files,
      checkAddress: (server) => explainAddress(server),
      createMonitor: (server, label, isElsewhere) =>
        createMonitor({ server, label }, opened, { ...world, isElsewhere }),
      recordCapture: async (named, isReached, signal) => {
        const surroundings = await surroundServer(named, opened, world);
        if (!isReached) return surroundings.captures.recover(null);
        const { recordServer } = await import(/* webpackChunkName: "monitor" */ './monitor/recorded-server');
        return recordServer(surroundings, signal);
      },
      findKept: (server) =>
        openCaptures(server, context.globalStorageUri, (message) => opened.log.warn(message)).findNewest(),
      ...thisComputer,
    });
    shell = opened;
    return { addServer: (server) => opened.addServer(server) };
  } catch (error) {
    void vscode.window.showErrorMessage(
      makePlain(t('Checkpoint Health could not start: {0}', describeError(error))),
    );
    throw error;
  }
}

export async function deactivate(): Promise<void> {
  await shell?.dispose();
  shell = null;
}

/** Other products' connections, in order of preference. */
function findHosts(extensionId: string): readonly ConnectionHost[] {
  const azdata = findAzdata();
  const wasReached = (id: string): boolean => shell?.wasReached(id) === true;
  const mssql = createMssqlHost({ ...createMssqlWorld(extensionId), wasReached });
  return azdata === null
    ? [mssql]
    : [
        createAzdataHost({ azdata, vscode: { ...vscode, window: { showWarningMessage: warn } }, canReach }),
        mssql,
      ];
}

/** Shows names as they are. */
const warn = ((sentence: string) =>
  vscode.window.showWarningMessage(makePlain(sentence))) as typeof vscode.window.showWarningMessage;

async function createMonitor(
  named: NamedServer,
  opened: Shell,
  world: MonitorWorld & Required<Pick<MonitorSurroundings, 'isElsewhere'>>,
): Promise<ServerMonitor> {
  if (named.server.way !== 'file') {
    const { createServerMonitor } = await import(
      /* webpackChunkName: "monitor" */ './monitor/monitored-server'
    );
    const { isElsewhere } = world;
    return createServerMonitor({ ...(await surroundServer(named, opened, world)), isElsewhere });
  }
  const { openRecord } = await import(/* webpackChunkName: "monitor" */ './monitor/recorded-server');
  const surroundings = { ...surround(named, opened, world), refreshIntervalMs: NEVER_MS };
  return openRecord(opened.findRecord(named.server.id), surroundings, {
    id: named.server.id,
    label: named.label,
  });
}

/** What the monitor of a server is given, whether a server is behind it or a file. */
function surround(
  { label }: NamedServer,
  opened: Shell,
  { installation, policy }: MonitorWorld,
): Surroundings {
  return {
    breaker: opened.breaker,
    ...thisComputer,
    installation,
    newCaptureId: () => `capture-${Date.now().toString(36)}`,
    pollIntervalMs: pollIntervalMs(),
    busyBound,
    sessionDays,
    policy,
    hash: (text: string) => createHash('sha256').update(text, 'utf8').digest('hex'),
    log: {
      sql: (title: string, text: string) => opened.log.statement(label, title, text),
      warn: (message: string) => opened.log.warn(message),
    },
  };
}

async function surroundServer(
  named: NamedServer,
  opened: Shell,
  world: MonitorWorld,
): Promise<MonitorSurroundings> {
  const { server, label } = named;
  const common = surround(named, opened, world);
  return {
    ...common,
    access: { ...(await createAccess(server, opened)), label },
    captures: openCaptures(server, world.storage, common.log.warn),
    refreshIntervalMs: REFRESH_INTERVAL_MS,
    sampling: samplingIntervals(),
  };
}

function openCaptures(
  server: ListedServer,
  storage: vscode.Uri,
  warn: (message: string) => void,
): ServerCaptures {
  const folder = new CaptureFolder(vscode.Uri.joinPath(storage, 'captures', nameFolder(server.id)).fsPath, {
    files,
    pause,
  });
  return openServerCaptures(folder, server.name, warn);
}

/** However the server is reached, the settings are checked before each connection. */
async function createAccess(server: ListedServer, opened: Shell): Promise<ServerAccess> {
  if (server.way === 'own') return createOwnAccess(server, opened);
  const host = opened.findHost(server);
  if (host === undefined)
    throw new Error(t('Nothing here can reach {0} any more. Add it with Add Server.', server.name));
  return guardHost(host.access(server), server.server, connectionRules);
}

/** Our own driver is loaded only if it is needed. */
async function createOwnAccess(server: SavedServer, opened: Shell): Promise<ServerAccess> {
  const { passGate } = await import('./gate/gate');
  const { passwords, certificates } = opened;
  const secrets: Parameters<typeof passGate>[0]['secrets'] = {
    get: (mayAsk, signal) =>
      server.authentication === 'entra'
        ? opened.token(server, mayAsk)
        : passwords.password(server, mayAsk, signal),
    accepted: (password) => passwords.accepted(server, password),
    refused: (password) => passwords.refused(server, password),
  };
  const trusted = {
    find: () => certificates.find(server.id),
    keep: (fingerprint: string) => certificates.keep(server.id, fingerprint),
  };
  const gate = { rules: connectionRules, howToName: t('Confirm it in Edit Server.') };
  return certificates.watch(passGate({ server, secrets, trusted }, gate));
}

/** The id of another product's connection can contain characters that a file name may not, such as a colon. */
function nameFolder(serverId: string): string {
  return encodeURIComponent(serverId).replace(/[^\w%-]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}
