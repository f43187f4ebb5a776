/** Runs the parts of a benchmark that the command line names, or all of them, one after the other. */
export function runParts(parts: Readonly<Record<string, () => void | Promise<void>>>): void {
  runInTurn(parts).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}

async function runInTurn(parts: Parameters<typeof runParts>[0]): Promise<void> {
  const asked = process.argv.slice(2).filter((name) => name in parts);
  for (const name of asked.length > 0 ? asked : Object.keys(parts)) await parts[name]?.();
}
