/** Joins a page to VS Code. Sends failures to the extension, which logs them. */
import type { Failed } from '../../protocol';
import { describeDropped, type MessageReader } from '../../received';

/** VS Code as a webview sees it. */
export interface WebviewHost<Message> {
  postMessage(message: Message): void;
  getState(): unknown;
  setState(state: unknown): void;
}

interface WebviewPage<Incoming> {
  receive(message: Incoming): void;
  start(): void;
}

declare function acquireVsCodeApi(): WebviewHost<unknown>;

/**
 * Makes the page in its root element, hands it every message that `read` knows, and starts it. The first of the others
 * counts as a failure.
 */
export function joinPage<Incoming, Outgoing>(
  read: MessageReader<Incoming>,
  create: (root: HTMLElement, host: WebviewHost<Outgoing | Failed>) => WebviewPage<Incoming>,
): void {
  const root = document.getElementById('app')!;
  const api = acquireVsCodeApi();
  /*
   * Kept with the reader's state: the extension needs it to know the server of a panel that comes back with the window.
   */
  const { serverId } = root.dataset;
  const host: WebviewHost<Outgoing | Failed> = {
    postMessage: (message) => api.postMessage(message),
    getState: () => api.getState(),
    setState: (state) => api.setState({ ...(state as object), serverId }),
  };
  host.setState(host.getState() ?? {});
  const tell = (error: unknown): void =>
    host.postMessage({
      type: 'failed',
      message: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error),
    });
  window.addEventListener('error', ({ error, message }) => {
    // The browser will draw a resized element a frame later. We want that, so it is no failure.
    if (!message.startsWith('ResizeObserver loop')) tell(error ?? message);
  });
  window.addEventListener('unhandledrejection', (event) => tell(event.reason));
  const page = create(root, host);
  let isTold = false;
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    try {
      const message = read(data);
      if (message !== null) return page.receive(message);
      if (!isTold) tell(describeDropped(data));
      isTold = true;
    } catch (error) {
      tell(error);
    }
  });
  page.start();
}
