import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url));
const tsx = createRequire(import.meta.url).resolve('tsx');

/** The compiled form of one of our TypeScript files, if the global set-up compiled it. */
export function compiledProgram(file: string): string | undefined {
  const compiled = JSON.parse(process.env['TEST_PROGRAMS'] ?? '{}') as Record<string, string>;
  return compiled[file];
}

/** Node's arguments for one of our TypeScript files: as it was compiled, else by tsx. */
export function nodeArgumentsOf(file: string): readonly string[] {
  const compiled = compiledProgram(file);
  return compiled === undefined ? ['--import', tsx, file] : [compiled];
}
