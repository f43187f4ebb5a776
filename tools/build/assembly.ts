/**
 * Compiles src/core/capture/assembly to WebAssembly, and writes that as a module of TypeScript: so nothing needs to be built before a test, and webpack packs it as
 * any other. Run: npm run assemble
 */
import { writeFileSync } from 'node:fs';

const SOURCE = 'src/core/capture/assembly/index.ts';
/** Where the module is. */
export const ASSEMBLED = 'src/core/capture/assembled.ts';
/** Nothing is allocated there, and nothing imported. */
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--use', 'abort='];
const OUTPUT = 'assembled.wasm';

/** Looked up by a name that is not known to the compiler of TypeScript: with its own types another `require` would come in everywhere. */
const COMPILER: string = 'assemblyscript/asc';

interface Compiler {
  main(
    options: readonly string[],
    files: { writeFile(name: string, contents: Uint8Array | string): void },
  ): Promise<{ readonly error: Error | null; readonly stderr: { toString(): string } }>;
}

/** The text of the module. */
export async function assemble(): Promise<string> {
  const { default: compiler } = (await import(COMPILER)) as { readonly default: Compiler };
  const written = new Map<string, Uint8Array | string>();
  const writeFile = (name: string, contents: Uint8Array | string): void => void written.set(name, contents);
  const { error, stderr } = await compiler.main([SOURCE, '-o', OUTPUT, ...OPTIONS], { writeFile });
  const binary = written.get(OUTPUT);
  if (error !== null || binary === undefined) throw new Error(`${SOURCE} does not compile. ${error?.message ?? ''}\n${stderr.toString()}`);
  const text = Buffer.from(binary as Uint8Array).toString('base64');
  return `/** Made of ./assembly by npm run assemble, and held to it by a test: WebAssembly in base64. */\nexport const assembled =\n  '${text}';\n`;
}

if (require.main === module) void assemble().then((text) => writeFileSync(ASSEMBLED, text));
