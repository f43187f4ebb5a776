/** Entry of the webview: joins the dashboard to VS Code. Failures are told to the extension, which logs them. */
import type { ToExtension, ToWebview } from '../protocol';
import { Dashboard, type WebviewHost } from './dashboard';

declare function acquireVsCodeApi(): WebviewHost;

const root = document.getElementById('app')!;
const api = acquireVsCodeApi();
/* Kept with the reader's state: by it the extension knows the server of a panel that comes back with the window. */
const { serverId } = root.dataset;
const host: WebviewHost = {
  postMessage: (message) => api.postMessage(message),
  getState: () => api.getState(),
  setState: (state) => api.setState({ ...(state as object), serverId }),
};
host.setState(host.getState() ?? {});
const tell = (error: unknown): void => {
  const failed: ToExtension = {
    type: 'failed',
    message: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error),
  };
  host.postMessage(failed);
};

window.addEventListener('error', (event) => tell(event.error ?? event.message));
window.addEventListener('unhandledrejection', (event) => tell(event.reason));

const dashboard = new Dashboard(root, window, host);
window.addEventListener('message', (event: MessageEvent<ToWebview>) => {
  try {
    dashboard.receive(event.data);
  } catch (error) {
    tell(error);
  }
});
dashboard.start();
