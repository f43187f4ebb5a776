import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { eventually } from './eventually';

/** A text document as VS Code holds it: the whole text, whatever part of it is on screen. */
export interface OpenDocument {
  readonly uri: string;
  readonly languageId: string;
  readonly isUntitled: boolean;
  readonly lineCount: number;
  readonly text: string;
}

/**
 * Questions to the extension host, answered by the development extension. What a user can see and do belongs on the
 * page instead.
 */
export interface Channel {
  /** Asks one question. @throws with the extension host's own message. */
  ask<T>(question: string, details?: object): Promise<T>;
}

/** Waits until the extension host has opened its channel, which is also when it is ready for commands. */
export async function openChannel(file: string): Promise<Channel> {
  await eventually(() => assert.ok(existsSync(file), 'the extension host is ready'));
  const address = readFileSync(file, 'utf8');
  return { ask: (question, details = {}) => post(address, { question, ...details }) };
}

function post<T>(address: string, question: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { method: 'POST' }, (incoming) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (part: string) => (body += part));
      incoming.on('end', () => {
        const answer = JSON.parse(body) as { value: T; error?: string };
        if (answer.error === undefined) resolve(answer.value);
        else reject(new Error(answer.error));
      });
    });
    outgoing.on('error', reject).end(JSON.stringify(question));
  });
}
