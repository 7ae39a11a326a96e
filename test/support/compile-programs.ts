import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileTypescript } from '../../embedded/processes/compile-typescript.mjs';
import { root } from './programs.ts';

/** What tests start often; other programs run by tsx. */
const programs = [
  'api/server.ts',
  'worker/main.ts',
  'test/security/kill-at.ts',
  ...['case', 'deployment', 'doctor', 'keys', 'operator', 'replay'].map(
    (name) => `scripts/${name}.ts`,
  ),
];

const cli = 'clients/cli/src/main.ts';
const client = join(root, 'clients/typescript/src');
const optionsOfCli = {
  packages: join(root, 'clients/cli/node_modules'),
  alias: {
    'vendor-gateway-client/webhooks': join(client, 'webhooks/index.ts'),
    'vendor-gateway-client': join(client, 'index.ts'),
  },
};

/**
 * Compiles the programs that tests start, once for all tests: to compile and load each of their
 * modules, tsx takes 1 to 2 s of CPU time for every start. Vitest's processes inherit the variable.
 */
export async function compilePrograms(): Promise<void> {
  const compiled: Record<string, string> = {};
  for (const file of [...programs, cli]) {
    const url = await compileTypescript(join(root, file), file === cli ? optionsOfCli : {});
    compiled[file] = fileURLToPath(url);
  }
  process.env['TEST_PROGRAMS'] = JSON.stringify(compiled);
}
