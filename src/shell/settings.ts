/** The settings that the user or an administrator made in the editor. */
import * as vscode from 'vscode';
import { type ConnectionRules, readRules } from '../gate/connection-rules';
import type { WrittenConnections } from './servers/imported-servers';

/** Milliseconds between two reads while tracking. */
export function pollIntervalMs(): number {
  const seconds = vscode.workspace.getConfiguration('checkpointHealth').get<number>('pollIntervalSeconds', 5);
  return Math.min(300, Math.max(1, seconds)) * 1000;
}

/** The busy share up to which the checkpoint task counts as free, from 0 to 1. */
export function busyBound(): number {
  const percent = vscode.workspace.getConfiguration('checkpointHealth').get<number>('taskBusyPercent', 30);
  return Math.min(80, Math.max(5, percent)) / 100;
}

/** How often write work is sampled while tracking; null if never. */
export function samplingIntervals(): { readonly instanceMs: number; readonly databasesMs: number } | null {
  const seconds = vscode.workspace.getConfiguration('checkpointHealth').get<number>('sampleIntervalSeconds', 15);
  if (seconds <= 0) return null;
  const instanceMs = Math.min(300, Math.max(1, seconds)) * 1000;
  // A user who asks for short intervals wants to know about databases too.
  return { instanceMs, databasesMs: instanceMs < 15_000 ? instanceMs : Math.max(60_000, instanceMs) };
}

/**
 * The connections of the SQL Server extension (mssql) as the user's settings have them, and those of a workspace that is trusted. They stay there when that
 * extension goes. null if one of the settings is no list.
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
  return readRules({
    allowTrustServerCertificate: vscode.workspace
      .getConfiguration('checkpointHealth')
      .get<unknown>('connections.allowTrustServerCertificate'),
    allowStoredPasswords: vscode.workspace.getConfiguration('checkpointHealth').get<unknown>('connections.allowStoredPasswords'),
    allowNtlm: vscode.workspace.getConfiguration('checkpointHealth').get<unknown>('connections.allowNtlm'),
    allowedHosts: vscode.workspace.getConfiguration('checkpointHealth').get<unknown>('connections.allowedHosts'),
  });
}
