/**
 * Takes the editor's language up. It is the first import of the extension, because texts at the head of a file are
 * looked up when the file is loaded.
 */
import { config } from '@vscode/l10n';
import * as vscode from 'vscode';

/** The texts of the editor's language, null in English, whose texts stand in the code. */
export const screenTexts: Readonly<Record<string, string>> | null = readBundle();
if (screenTexts !== null) config({ contents: { ...screenTexts } });

function readBundle(): Readonly<Record<string, string>> | null {
  // A value is an array only in what translators hand in, never in a bundle of ours.
  return (vscode.l10n?.bundle as Readonly<Record<string, string>> | undefined) ?? null;
}
