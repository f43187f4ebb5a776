/** The settings that the user or an administrator made in the editor. */
import * as vscode from 'vscode';
import { t } from '../core/language';
import { SESSION_DAYS } from '../core/script/session';
import { makePlain } from '../core/visible';
import { type ConnectionRules, readRules } from '../gate/connection-rules';
import type { WrittenConnections } from './servers/imported-servers';

/** As `package.json` has them. */
const NUMBERS = {
  pollIntervalSeconds: { least: 1, most: 300, byDefault: 5 },
  taskBusyPercent: { least: 5, most: 80, byDefault: 30 },
  sampleIntervalSeconds: { least: 0, most: 300, byDefault: 15 },
  sessionDays: SESSION_DAYS,
} as const;

/** Wrong settings that the user was told of, each with its value. */
const told = new Set<string>();

/** Within its bounds; its default if it is no number. What is wrong is said once. */
function readNumber(name: keyof typeof NUMBERS): number {
  const written = vscode.workspace.getConfiguration('checkpointHealth').get<unknown>(name);
  const { least, most, byDefault } = NUMBERS[name];
  const isNumber = typeof written === 'number' && Number.isFinite(written);
  const used = isNumber ? Math.min(most, Math.max(least, written)) : byDefault;
  const shown = String(JSON.stringify(written)).slice(0, 60);
  if (used !== written && written !== undefined && !told.has(`${name} ${shown}`)) {
    told.add(`${name} ${shown}`);
    const setting = `checkpointHealth.${name}`;
    const sentence = t(
      'The setting {0} is {1}, not a number from {2} to {3}. {4} is used.',
      setting,
      shown,
      least,
      most,
      used,
    );
    void vscode.window.showWarningMessage(makePlain(sentence));
  }
  return used;
}

/** Milliseconds between two reads while tracking. */
export function pollIntervalMs(): number {
  return readNumber('pollIntervalSeconds') * 1000;
}

/** The busy share up to which the checkpoint task counts as free, from 0 to 1. */
export function busyBound(): number {
  return readNumber('taskBusyPercent') / 100;
}

/** Days after which SQL Server 2025 ends our event session. */
export function sessionDays(): number {
  return Math.round(readNumber('sessionDays'));
}

/** How often write work is sampled while tracking; null if never. */
export function samplingIntervals(): { readonly instanceMs: number; readonly databasesMs: number } | null {
  const seconds = readNumber('sampleIntervalSeconds');
  if (seconds === 0) return null;
  const instanceMs = Math.max(1, seconds) * 1000;
  // A user who asks for short intervals wants to know about databases too.
  return { instanceMs, databasesMs: instanceMs < 15_000 ? instanceMs : Math.max(60_000, instanceMs) };
}

/**
 * The connections of the SQL Server extension (mssql) as the user's settings have them, and those of a workspace that
 * is trusted. They stay there when that extension goes. null if one of the settings is no list.
 */
export function mssqlConnections(): WrittenConnections | null {
  const mssql = vscode.workspace.getConfiguration('mssql');
  const read = (name: string): readonly unknown[] | null => {
    const { globalValue, workspaceValue } = mssql.inspect<unknown>(name) ?? {};
    const written = [globalValue, ...(vscode.workspace.isTrusted ? [workspaceValue] : [])].filter(
      (each) => each !== undefined && each !== null,
    );
    return written.every((each) => Array.isArray(each)) ? (written.flat() as readonly unknown[]) : null;
  };
  const connections = read('connections');
  return connections === null ? null : { connections, groups: read('connectionGroups') ?? [] };
}

/** The rules that the settings contain now. */
export function connectionRules(): ConnectionRules {
  return readRules(
    {
      allowTrustServerCertificate: vscode.workspace
        .getConfiguration('checkpointHealth')
        .get<unknown>('connections.allowTrustServerCertificate'),
      allowStoredPasswords: vscode.workspace
        .getConfiguration('checkpointHealth')
        .get<unknown>('connections.allowStoredPasswords'),
      allowNtlm: vscode.workspace.getConfiguration('checkpointHealth').get<unknown>('connections.allowNtlm'),
      allowIntegrated: vscode.workspace
        .getConfiguration('checkpointHealth')
        .get<unknown>('connections.allowIntegrated'),
      allowedHosts: vscode.workspace
        .getConfiguration('checkpointHealth')
        .get<unknown>('connections.allowedHosts'),
    },
    vscode.env.uriScheme === 'azuredatastudio',
  );
}
