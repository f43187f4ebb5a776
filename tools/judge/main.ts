/**
 * npm run judge -- SITE.json [...]: the judgement of each site, as one JSON object by site names. Without a file, reads
 * one site a line from standard input and writes one such object for each line, empty if the line is not a site. Errors
 * go to standard error; the other sites are still judged.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { completeSite, type DescribedSite } from './workload';
import { type Answer, judgeSite } from './judge';
import { readSite, SiteError } from './site';

interface Job {
  /** The name in a complaint: the file, or the line. */
  readonly place: string;
  /** null if the text is in the file. */
  readonly text: string | null;
}

interface Answered {
  /** The site's name and its answer; empty if it is not a site. */
  readonly named: readonly (readonly [name: string, answer: Answer])[];
  /** What is wrong with the site; '' if it was judged. */
  readonly complaint: string;
}

function answer({ place, text }: Job): Answered {
  try {
    const parsed: unknown = JSON.parse(text ?? readFileSync(place, 'utf8'));
    const isDescribed = typeof parsed === 'object' && parsed !== null && 'workload' in parsed;
    const site = readSite(isDescribed ? completeSite(parsed as DescribedSite) : parsed);
    return { named: [[site.name, judgeSite(site)]], complaint: '' };
  } catch (error) {
    const isExplained =
      error instanceof SiteError ||
      error instanceof SyntaxError ||
      (error as NodeJS.ErrnoException).code !== undefined;
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { named: [], complaint: `${place}: ${(isExplained ? null : stack) ?? message}\n` };
  }
}

/** Answers in the order of the jobs, using all cores. */
async function* answerAll(jobs: AsyncIterable<Job>): AsyncIterable<Answered> {
  const workers = cpus().map(() => new Worker(__filename));
  const waiting: Promise<Answered>[] = [];
  let count = 0;
  for await (const job of jobs) {
    waiting.push(ask(workers[count++ % workers.length] as Worker, job, count));
    if (waiting.length >= 2 * workers.length) yield await (waiting.shift() as Promise<Answered>);
  }
  for (const one of waiting) yield await one;
  for (const worker of workers) worker.unref();
}

function ask(worker: Worker, job: Job, number: number): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const take = (message: { readonly number: number; readonly answered: Answered }): void => {
      if (message.number !== number) return;
      worker.off('message', take).off('error', reject);
      resolve(message.answered);
    };
    worker.on('message', take).on('error', reject);
    worker.postMessage({ job, number });
  });
}

async function* listLines(): AsyncIterable<Job> {
  let line = 0;
  for await (const text of createInterface({ input: process.stdin, crlfDelay: Infinity }))
    yield { place: `line ${++line}`, text };
}

async function main(files: readonly string[]): Promise<void> {
  if (files.length === 0) {
    for await (const { named, complaint } of answerAll(listLines())) print(named, complaint, 0);
    return;
  }
  const jobs = files.map((place) => ({ place, text: null }));
  const answers: Answered[] = [];
  if (jobs.length === 1) answers.push(...jobs.map(answer));
  else for await (const one of answerAll(asStream(jobs))) answers.push(one);
  print(
    answers.flatMap(({ named }) => named),
    answers.map(({ complaint }) => complaint).join(''),
    2,
  );
}

async function* asStream(jobs: readonly Job[]): AsyncIterable<Job> {
  yield* jobs;
  await Promise.resolve();
}

function print(named: Answered['named'], complaint: string, indent: number): void {
  if (complaint !== '') {
    process.exitCode = 1;
    process.stderr.write(complaint);
  }
  process.stdout.write(`${JSON.stringify(Object.fromEntries(named), null, indent)}\n`);
}

if (isMainThread) void main(process.argv.slice(2));
else
  parentPort?.on('message', ({ job, number }: { job: Job; number: number }) =>
    parentPort?.postMessage({ number, answered: answer(job) }),
  );
