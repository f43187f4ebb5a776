/** Compiles src/core/capture/assembly to WebAssembly, as a module of TypeScript: so nothing needs to be built before a test, and webpack packs it as any other. */
import { writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const SOURCE = 'src/core/capture/assembly/index.ts';
export const TARGET = 'src/core/capture/assembled.ts';
/** Nothing is allocated there, and nothing imported. */
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--use', 'abort='];

/** The text of the module. */
export async function assemble() {
  let binary = null;
  const keep = (name, contents) => {
    if (name === 'out.wasm') binary = contents;
  };
  const { error, stderr } = await asc.main([SOURCE, '-o', 'out.wasm', ...OPTIONS], { writeFile: keep });
  if (error !== null || binary === null) throw new Error(`${SOURCE} is not compiled. ${error?.message ?? ''}\n${stderr.toString()}`);
  const text = Buffer.from(binary).toString('base64');
  return `/** Made of ./assembly by npm run assemble; a test holds it to that. WebAssembly in base64. */\nexport const assembled =\n  '${text}';\n`;
}

if (process.argv[1]?.endsWith('assembly.mjs')) writeFileSync(TARGET, await assemble());
