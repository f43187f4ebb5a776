import assert from 'node:assert/strict';
import { joinPage } from '../../../src/webview/kit/page-host';

const names = ['window', 'document', 'acquireVsCodeApi'] as const;

describe('A page in VS Code', () => {
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  afterEach(() => {
    for (const [name, held] of before) {
      Reflect.deleteProperty(globalThis, name);
      if (held !== undefined) Object.defineProperty(globalThis, name, held);
    }
  });

  /** A page that was joined, its window, and the failures that it told. */
  function join(): { readonly failed: string[]; readonly raise: (message: string, error?: Error) => void } {
    const failed: string[] = [];
    const window = new EventTarget();
    const api = {
      postMessage: ({ message }: { readonly message: string }) => void failed.push(message),
      getState: () => ({}),
      setState: () => undefined,
    };
    const world = { window, document: { getElementById: () => ({ dataset: {} }) }, acquireVsCodeApi: () => api };
    for (const name of names) Object.defineProperty(globalThis, name, { value: world[name], configurable: true });
    joinPage(() => ({ receive: () => undefined, start: () => undefined }));
    const raise = (message: string, error?: Error): void =>
      void window.dispatchEvent(Object.assign(new Event('error'), { message, error: error ?? null }));
    return { failed, raise };
  }

  it('tells of its failures, with where they happened where that is known', () => {
    const { failed, raise } = join();
    raise('Uncaught TypeError: x', new TypeError('x'));
    raise('Script error.');
    assert.equal(failed.length, 2);
    assert.match(failed[0] ?? '', /^x\nTypeError: x\n/);
    assert.equal(failed[1], 'Script error.');
  });

  it('tells of no failure where the browser draws what was resized a frame later', () => {
    const { failed, raise } = join();
    raise('ResizeObserver loop completed with undelivered notifications.');
    raise('ResizeObserver loop limit exceeded');
    assert.deepEqual(failed, []);
  });
});
