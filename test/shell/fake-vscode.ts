/** Just enough of the module `vscode` to load the thin parts of the shell in plain Mocha. */
import Module from 'node:module';

class EventEmitter<T> {
  private readonly listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void): { dispose(): void } => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}

class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: number,
  ) {}
}

class Named {
  constructor(
    readonly id: string,
    readonly color?: Named,
  ) {}
}

/** Commands with their arguments, and the views made and disposed, in order. */
export const happened: unknown[] = [];

const fake = {
  commands: { executeCommand: async (...call: unknown[]) => void happened.push(call) },
  window: {
    createTreeView: (id: string) => {
      happened.push(`${id} made`);
      return { dispose: () => void happened.push(`${id} disposed`) };
    },
  },
  EventEmitter,
  TreeItem,
  ThemeIcon: Named,
  ThemeColor: Named,
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
};

interface Loader {
  _load(request: string, ...more: unknown[]): unknown;
}

/** Loads a module as if VS Code were there. */
export function loadWithVsCode<T>(load: () => T): T {
  const loader = Module as unknown as Loader;
  const original = loader._load;
  loader._load = function (request, ...more) {
    return request === 'vscode' ? fake : original.call(this, request, ...more);
  };
  try {
    return load();
  } finally {
    loader._load = original;
  }
}
