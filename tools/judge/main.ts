/**
 * npm run judge -- SITE.json [...]: the judgement of each site, as one JSON object by site names. Without a file, reads
 * one site a line from standard input and writes one such object for each line, empty if the line is not a site. Errors
 * go to standard error; the other sites are still judged.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { completeSite, type DescribedSite } from './workload';
import { type Answer, judgeSite } from './judge';
import { readSite, SiteError } from './site';

/** The site's name and its answer; empty if it is not a site. */
type Named = readonly (readonly [name: string, answer: Answer])[];

/** @param place the name in a complaint: the file, or the line */
function judge(place: string, read: () => string): Named {
  try {
    const parsed: unknown = JSON.parse(read());
    const isDescribed = typeof parsed === 'object' && parsed !== null && 'workload' in parsed;
    const site = readSite(isDescribed ? completeSite(parsed as DescribedSite) : parsed);
    return [[site.name, judgeSite(site)]];
  } catch (error) {
    const isExplained =
      error instanceof SiteError ||
      error instanceof SyntaxError ||
      (error as NodeJS.ErrnoException).code !== undefined;
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    process.exitCode = 1;
    process.stderr.write(`${place}: ${(isExplained ? null : stack) ?? message}\n`);
    return [];
  }
}

function print(named: Named, indent: number): void {
  process.stdout.write(`${JSON.stringify(Object.fromEntries(named), null, indent)}\n`);
}

async function main(files: readonly string[]): Promise<void> {
  if (files.length > 0)
    return print(
      files.flatMap((file) => judge(file, () => readFileSync(file, 'utf8'))),
      2,
    );
  let line = 0;
  for await (const text of createInterface({ input: process.stdin, crlfDelay: Infinity }))
    print(
      judge(`line ${++line}`, () => text),
      0,
    );
}

void main(process.argv.slice(2));
