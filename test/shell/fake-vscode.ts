/** Just enough of the module `vscode` to load the thin parts of the shell in plain Mocha. */
import * as files from 'node:fs/promises';
import Module from 'node:module';
import { join } from 'node:path';
import { Emitter } from '../emitter';

class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: number,
  ) {}
}

/** An icon, or a colour. */
class Named {
  constructor(
    readonly id: string,
    readonly color?: Named,
  ) {}
}

/** Commands with their arguments, and the views made and disposed, in order. */
export const happened: unknown[] = [];

/** A panel with its page, in the hands of a test. */
export class FakePanel {
  readonly posted: unknown[] = [];
  isDisposed = false;
  visible = true;
  iconPath: unknown;
  private readonly said = new Emitter<unknown>();
  private readonly ended = new Emitter();
  readonly onDidChangeViewState = new Emitter().event;
  readonly onDidDispose = this.ended.event;
  readonly webview = {
    html: '',
    options: {},
    cspSource: 'vscode-resource:',
    asWebviewUri: (uri: unknown) => uri,
    postMessage: async (message: unknown) => this.posted.push(message) > 0,
    onDidReceiveMessage: this.said.event,
  };
  /** The page says something. */
  readonly say = this.said.fire;
  readonly reveal = (): void => undefined;

  constructor(
    readonly viewType: string,
    public title: string,
  ) {}

  dispose(): void {
    this.isDisposed = true;
    this.ended.fire();
  }
}

/** The input of a tab that shows a panel. */
export class FakeTabInputWebview {
  constructor(readonly viewType: string) {}
}

/** What was made or done, each in order. Views without `badge` are those of a host that has none. */
export const views: { readonly id: string; badge?: unknown; readonly selection: readonly unknown[] }[] = [];
export const panels: FakePanel[] = [];
export const statusItems: { isShown: boolean; readonly [part: string]: unknown }[] = [];
/** What dialogs, notifications and inputs were given to show. Nobody answers. */
export const shown: unknown[] = [];
/** What the shown progress reported, and what its Cancel buttons do. */
export const reported: unknown[] = [];
export const cancels: (() => void)[] = [];
/** The inputs: what they are at any time, and typing into them. */
export const inputs: { readonly password?: boolean; readonly type: (text: string) => void }[] = [];

export const host = { hasBadges: true };
/** What stands in the tabs of the window. */
export const tabs: { readonly input: unknown }[] = [];
/** What was registered for documents of the editor, by its view type. */
export const customEditors = new Map<string, unknown>();

const show = async (...given: readonly unknown[]): Promise<undefined> => void shown.push(...given);

type File = { readonly fsPath: string };

/** An input in which everything can be read that was put into it; whoever opens it leaves. */
function createQuickInput(): object {
  const typed = new Emitter<string>();
  const hidden = new Emitter();
  const silent = new Emitter().event;
  const input = {
    onDidHide: hidden.event,
    onDidAccept: silent,
    onDidChangeValue: typed.event,
    type: (text: string) => typed.fire(text),
    onDidTriggerButton: silent,
    show: () => (shown.push({ ...input }), hidden.fire()),
    dispose: () => undefined,
    items: [],
  };
  inputs.push(input);
  return input;
}

/** The module. It has nothing for language models, as in VS Code 1.79 and in Azure Data Studio. */
export const vscode = {
  lm: undefined as unknown,
  LanguageModelToolResult: undefined as unknown,
  LanguageModelTextPart: undefined as unknown,
  commands: { executeCommand: async (...call: unknown[]) => void happened.push(call) },
  TabInputWebview: FakeTabInputWebview,
  env: {},
  window: {
    tabGroups: { all: [{ tabs }] },
    createTreeView: (id: string) => {
      happened.push(`${id} made`);
      const dispose = (): void => void happened.push(`${id} disposed`);
      const view = {
        id,
        selection: [],
        onDidExpandElement: () => undefined,
        dispose,
        ...(host.hasBadges && { badge: undefined }),
      };
      views.push(view);
      return Object.seal(view);
    },
    createStatusBarItem: () => {
      const hide = (): boolean => (item.isShown = false);
      const item = { isShown: false, show: () => (item.isShown = true), hide, dispose: hide };
      statusItems.push(item);
      return item;
    },
    registerCustomEditorProvider: (viewType: string, provider: unknown) => {
      customEditors.set(viewType, provider);
      return { dispose: () => customEditors.delete(viewType) };
    },
    createWebviewPanel: (viewType: string, title: string) =>
      panels[panels.push(new FakePanel(viewType, title)) - 1],
    showInformationMessage: show,
    showWarningMessage: show,
    showErrorMessage: show,
    showInputBox: show,
    showQuickPick: show,
    withProgress: async (options: unknown, work: (progress: object, token: object) => unknown) => {
      shown.push(options);
      const progress = { report: (step: unknown) => void reported.push(step) };
      return work(progress, { onCancellationRequested: (cancel: () => void) => void cancels.push(cancel) });
    },
    createInputBox: createQuickInput,
    createQuickPick: createQuickInput,
  },
  workspace: {
    registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
    fs: {
      stat: ({ fsPath }: File) => files.stat(fsPath),
      readFile: ({ fsPath }: File) => files.readFile(fsPath),
      createDirectory: (folder: string) => files.mkdir(folder, { recursive: true }),
      readDirectory: async (folder: string) => (await files.readdir(folder)).map((name) => [name, 1]),
      writeFile: (file: string, bytes: Uint8Array) => files.writeFile(file, bytes),
    },
  },
  QuickInputButtons: { Back: 'back' },
  CancellationTokenSource: class {
    readonly token = {};
    cancel(): void {}
    dispose(): void {}
  },
  ProgressLocation: { Notification: 15 },
  Uri: {
    joinPath: (base: string, ...parts: readonly string[]) => [base, ...parts].join('/'),
    from: (parts: object) => JSON.stringify(parts),
  },
  ViewColumn: { Active: -1 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  EventEmitter: Emitter,
  TreeItem,
  ThemeIcon: Named,
  ThemeColor: Named,
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
};

type Loader = { _load(request: string, ...more: unknown[]): unknown };

/** Loads a module of the shell as if VS Code were there. @param path from src/shell */
export function loadShell<T>(path: string): T {
  const loader = Module as unknown as Loader;
  const original = loader._load;
  loader._load = function (request, ...more) {
    return request === 'vscode' ? vscode : original.call(this, request, ...more);
  };
  try {
    /* oxlint-disable-next-line typescript/no-require-imports -- `vscode` exists only while this is loaded */
    return require(join(__dirname, '../../src/shell', path)) as T;
  } finally {
    loader._load = original;
  }
}
