'use strict';
/*
 * Stands between today's SQL Server extension and a SQL Tools Service of 2020:
 * `node old-service.js PROGRAM KNOWN,ARGUMENTS ...`. That service refuses to start with an argument that it does not
 * know, and answers a request of number 1 as "1", which vscode-jsonrpc 9 takes for another.
 */
const { spawn } = require('node:child_process');

const [program, names, ...given] = process.argv.slice(2);
const known = names.split(',');
let keeps = false;
const args = given.filter((arg) => (keeps = arg.startsWith('--') ? known.includes(arg) : keeps));
const service = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(service.stdin);
service.on('exit', (code) => process.exit(code ?? 1));
process.once('SIGTERM', () => service.kill());

let waiting = Buffer.alloc(0);
service.stdout.on('data', (part) => {
  waiting = Buffer.concat([waiting, part]);
  for (let message = takeMessage(); message !== undefined; message = takeMessage()) {
    if (message.method === undefined) message.id = Number(message.id);
    const text = JSON.stringify(message);
    process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }
});

/** The first whole message that waits, as the protocol frames it. */
function takeMessage() {
  const end = waiting.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = Number(/Content-Length: (\d+)/i.exec(waiting.subarray(0, end).toString())?.[1]);
  const next = end + 4 + length;
  if (waiting.length < next) return undefined;
  const message = JSON.parse(waiting.subarray(end + 4, next).toString());
  waiting = waiting.subarray(next);
  return message;
}
