/** The questions of a form as VS Code's quick inputs, with a Back button from the second one on. */
import * as vscode from 'vscode';
import { t } from '../../core/language';
import { makePlain } from '../../core/visible';
import type { SavedServer } from './saved-server';
import { describeLogin } from '../../hosts/host';
import {
  back,
  KEPT,
  type ChoiceQuestion,
  type FormInput,
  type FormStep,
  type TextQuestion,
} from './server-questions';

export const formInput: FormInput = {
  askText,
  askChoice,
  tell: (sentence) => void vscode.window.showInformationMessage(makePlain(sentence)),
};

function askText(question: TextQuestion): Promise<string | typeof back | undefined> {
  const box = vscode.window.createInputBox();
  prepare(box, question);
  box.prompt = makePlain(question.prompt);
  box.placeholder = makePlain(question.placeholder);
  box.value = question.value;
  const cover = (text: string): boolean =>
    (box.password = question.isPassword || question.hides?.(text) === true);
  cover(question.value);
  box.onDidChangeValue((text) => {
    cover(text);
    box.validationMessage = undefined;
  });
  return answer(box, (accept) => {
    const complaint = question.check(box.value);
    if (complaint === null) accept(box.value);
    else box.validationMessage = makePlain(complaint);
  });
}

function askChoice<T>(question: ChoiceQuestion<T>): Promise<T | typeof back | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value?: T }>();
  prepare(pick, question);
  pick.placeholder = makePlain(question.placeholder);
  const { typed } = question;
  const show = (choices: ChoiceQuestion<T>['choices']): void => {
    pick.items = choices.map((choice) => ({
      ...choice,
      label: makePlain(choice.label),
      detail: makePlain(choice.detail),
      alwaysShow: typed !== undefined,
    }));
  };
  show(question.choices);
  if (typed === undefined) pick.activeItems = pick.items.filter(({ value }) => value === question.value);
  else {
    pick.value = typed.text;
    pick.onDidChangeValue((text) => show(typed.list(text)));
  }
  return answer(pick, (accept) => {
    const { value } = pick.selectedItems[0] ?? pick.activeItems[0] ?? {};
    if (value !== undefined) accept(value);
  });
}

interface Buttoned extends vscode.QuickInput {
  buttons: readonly vscode.QuickInputButton[];
  readonly onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
  readonly onDidAccept: vscode.Event<void>;
}

function prepare(input: Buttoned, { title, step, totalSteps }: FormStep): void {
  input.title = makePlain(title);
  input.step = step;
  input.totalSteps = totalSteps;
  // The user may fetch an address or a password from another window.
  input.ignoreFocusOut = true;
  input.buttons = step > 1 ? [vscode.QuickInputButtons.Back] : [];
}

function answer<T>(
  input: Buttoned,
  tryAccept: (accept: (value: T) => void) => void,
): Promise<T | typeof back | undefined> {
  return new Promise((resolve) => {
    input.onDidAccept(() =>
      tryAccept((value) => {
        resolve(value);
        input.dispose();
      }),
    );
    input.onDidTriggerButton(() => {
      resolve(back);
      input.dispose();
    });
    // A promise keeps its first answer, so hiding after accepting changes nothing.
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}

/** Asks for the password of a known server. The signal closes the box. @param keeps whether it will be stored */
export async function askPassword(
  server: SavedServer,
  keeps: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const what = t('Password of {0} on {1}', describeLogin(server), server.name);
    const prompt = makePlain(keeps ? `${what}. ${KEPT}` : what);
    const box = { title: makePlain(server.name), prompt, password: true, ignoreFocusOut: true };
    return await vscode.window.showInputBox(box, source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}
