/** The conversation through VS Code's own dialogs. */
import * as vscode from 'vscode';
import { makePlain } from '../../core/visible';
import { ConnectionError } from '../../hosts/host';
import { Dismissed } from './command-table';
import type { Asked, Option, Conversation } from './conversation';
import { describeError } from '../../monitor/queries/failure';
import { redact } from './log';

/** @param viewId the view that shows progress now */
export function createEditorConversation(viewId: () => string): Conversation {
  return {
    chooseOne,
    chooseMany,
    askText,
    confirm,
    tell: (sentence) => void vscode.window.showInformationMessage(makePlain(sentence)),
    offer: (sentence, button, act) => void offer(sentence, button, act),
    showWork: async (title, work) =>
      vscode.window.withProgress({ location: { viewId: viewId() }, title: makePlain(title) }, () =>
        showLongWork(title, work),
      ),
    showText: async (content, language) => {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language, content }), {
        preview: false,
      });
    },
  };
}

/** Work that takes longer is shown with a way to cancel it. */
const LONG_WORK_MS = 1_000;

/**
 * The one way in which the user sees work that takes time: a notification with Cancel once it has taken a second.
 * @param work may tell which share of it is done, from 0 to 1
 * @throws Dismissed if it was cancelled
 */
export async function showLongWork<T>(
  title: string,
  work: (signal: AbortSignal, tell: (share: number) => void) => Promise<T>,
): Promise<T> {
  const cancel = new AbortController();
  let [done, shown] = [0, 0];
  let draw = (): void => undefined;
  const working = work(cancel.signal, (share) => {
    done = Math.max(done, share);
    draw();
  });
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: makePlain(title),
    cancellable: true,
  };
  const timer = setTimeout(() => {
    void vscode.window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => cancel.abort());
      draw = () => {
        if (done > shown) progress.report({ increment: (done - shown) * 100 });
        shown = done;
      };
      draw();
      return working.catch(() => undefined);
    });
  }, LONG_WORK_MS);
  try {
    return await working;
  } catch (error) {
    // The user knows. What else went wrong is told, because something may have been changed already.
    throw cancel.signal.aborted && error instanceof ConnectionError && error.reason === 'cancelled'
      ? new Dismissed()
      : error;
  } finally {
    clearTimeout(timer);
  }
}

/** What offered it may be gone by the time the user presses the button, so what fails then is shown from here. */
async function offer(sentence: string, button: string, act: () => Promise<void>): Promise<void> {
  if ((await vscode.window.showInformationMessage(makePlain(sentence), button)) !== button) return;
  try {
    await act();
  } catch (error) {
    if (!(error instanceof Dismissed)) await showError(redact(describeError(error)));
  }
}

/** Shows an error as one sentence, with what the user can do. @returns the button that was pressed */
export async function showError(
  sentence: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  return vscode.window.showErrorMessage(makePlain(sentence), ...buttons);
}

interface Item<T> extends vscode.QuickPickItem {
  readonly value: T;
}

async function chooseOne<T>(title: string, choices: readonly Option<T>[]): Promise<T> {
  const chosen = await vscode.window.showQuickPick(choices.map(createItem), {
    title: makePlain(title),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen === undefined) throw new Dismissed();
  return chosen.value;
}

async function chooseMany<T>(title: string, choices: readonly Option<T>[]): Promise<readonly T[]> {
  const chosen = await vscode.window.showQuickPick(choices.map(createItem), {
    title: makePlain(title),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (chosen === undefined) throw new Dismissed();
  return chosen.map((item) => item.value);
}

function createItem<T>(choice: Option<T>): Item<T> {
  return {
    value: choice.value,
    label: makePlain(choice.label),
    description: makePlain(choice.description ?? ''),
    ...(choice.detail !== undefined && { detail: makePlain(choice.detail) }),
    picked: choice.isPicked === true,
  };
}

async function askText({ title, prompt, placeholder, value, check }: Asked): Promise<string> {
  const text = await vscode.window.showInputBox({
    title: makePlain(title),
    prompt: makePlain(prompt),
    placeHolder: makePlain(placeholder ?? ''),
    value,
    ignoreFocusOut: true,
    validateInput: (typed) => makePlain(check?.(typed) ?? ''),
  });
  if (text === undefined) throw new Dismissed();
  return text;
}

async function confirm<Button extends string>(
  question: string,
  detail: string | readonly string[],
  ...buttons: readonly Button[]
): Promise<Button> {
  const lines = typeof detail === 'string' ? [detail] : detail;
  const options = { modal: true, detail: lines.map(makePlain).join('\n') };
  const pressed = await vscode.window.showWarningMessage(makePlain(question), options, ...buttons);
  if (pressed === undefined) throw new Dismissed();
  return pressed;
}
