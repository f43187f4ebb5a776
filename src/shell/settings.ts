/** What the user, or an administrator, set in the editor. */
import * as vscode from 'vscode';
import { type ConnectionRules, readRules } from './servers/connection-rules';

/** Milliseconds between two reads while tracking. */
export function pollIntervalMs(): number {
  const seconds = vscode.workspace.getConfiguration('checkpointHealth').get<number>('pollIntervalSeconds', 5);
  return Math.min(300, Math.max(1, seconds)) * 1000;
}

/** Up to which share of the time the checkpoint task counts as free, 0 to 1. */
export function busyBound(): number {
  const percent = vscode.workspace.getConfiguration('checkpointHealth').get<number>('taskBusyPercent', 30);
  return Math.min(80, Math.max(5, percent)) / 100;
}

/** How often write work is sampled while tracking; null: never. */
export function samplingIntervals(): { readonly instanceMs: number; readonly databasesMs: number } | null {
  const seconds = vscode.workspace.getConfiguration('checkpointHealth').get<number>('sampleIntervalSeconds', 15);
  if (seconds <= 0) return null;
  const instanceMs = Math.min(300, Math.max(1, seconds)) * 1000;
  // Whoever asks for short intervals asks a question about databases too.
  return { instanceMs, databasesMs: instanceMs < 15_000 ? instanceMs : Math.max(60_000, instanceMs) };
}

/** What is forbidden, as the settings say now. */
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
