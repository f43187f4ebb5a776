import assert from 'node:assert/strict';
import { readToErrorLog } from '../../../src/received';
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
  function join(): {
    readonly failed: string[];
    readonly taken: unknown[];
    readonly send: (data: unknown) => void;
    readonly raise: (message: string, error?: Error) => void;
  } {
    const [failed, taken]: [string[], unknown[]] = [[], []];
    const window = new EventTarget();
    const api = {
      postMessage: ({ message }: { readonly message: string }) => void failed.push(message),
      getState: () => ({}),
      setState: () => undefined,
    };
    const world = {
      window,
      document: { getElementById: () => ({ dataset: {} }) },
      acquireVsCodeApi: () => api,
    };
    for (const name of names)
      Object.defineProperty(globalThis, name, { value: world[name], configurable: true });
    joinPage(readToErrorLog, () => ({
      receive: (message) => void taken.push(message),
      start: () => undefined,
    }));
    const send = (data: unknown): void =>
      void window.dispatchEvent(Object.assign(new Event('message'), { data }));
    const raise = (message: string, error?: Error): void =>
      void window.dispatchEvent(Object.assign(new Event('error'), { message, error: error ?? null }));
    return { failed, taken, send, raise };
  }

  it('tells of its failures, with where they happened where that is known', () => {
    const { failed, raise } = join();
    raise('Uncaught TypeError: x', new TypeError('x'));
    raise('Script error.');
    assert.equal(failed.length, 2);
    assert.match(failed[0] ?? '', /^x\nTypeError: x\n/);
    assert.equal(failed[1], 'Script error.');
  });

  it('takes the messages of the protocol, and tells of the first that is none', () => {
    const { failed, taken, send } = join();
    const message = { type: 'errorLogTaken', bytes: 5 };
    for (const data of [{ ...message, bytes: 0.5 }, message, null, 'errorLogTaken']) send(data);
    assert.deepEqual(taken, [message]);
    assert.deepEqual(failed, ['A message was dropped because it breaks the protocol: errorLogTaken.']);
  });

  it('tells of no failure where the browser draws what was resized a frame later', () => {
    const { failed, raise } = join();
    raise('ResizeObserver loop completed with undelivered notifications.');
    raise('ResizeObserver loop limit exceeded');
    assert.deepEqual(failed, []);
  });
});
