/** Entry of the webview: joins the dashboard to VS Code. Failures are told to the extension, which logs them. */
import type { ToExtension, ToWebview } from '../protocol';
import { Dashboard, type WebviewHost } from './dashboard';

declare function acquireVsCodeApi(): WebviewHost;

const host = acquireVsCodeApi();
const tell = (error: unknown): void => {
  const failed: ToExtension = {
    type: 'failed',
    message: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error),
  };
  host.postMessage(failed);
};

window.addEventListener('error', (event) => tell(event.error ?? event.message));
window.addEventListener('unhandledrejection', (event) => tell(event.reason));

const dashboard = new Dashboard(document.getElementById('app')!, window, host);
window.addEventListener('message', (event: MessageEvent<ToWebview>) => dashboard.receive(event.data));
dashboard.start();
