/**
 * Takes up the language that the extension gave to the page. It is the first import of each page, because texts at the
 * head of a file are looked up when the file is loaded.
 */
import { config } from '@vscode/l10n';

const { texts } = document.getElementById('app')?.dataset ?? {};
if (texts !== undefined) config({ contents: texts });
