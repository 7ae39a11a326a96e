import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { variables } from '../config.ts';

/** `npm run docs:config` writes docs/configuration.md from config.ts; with `-- --check` it compares, and exits 1 if they differ. */

const file = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

const introduction = `# Configuration

<!-- Generated from config.ts by \`npm run docs:config\`: change it there. -->

Everything is set by environment variables, which \`config.ts\` reads once, at the start of a process. A variable that is
blank counts as unset. A value that cannot be used ends the process with exit code 1 and a line that names the variable,
not its value. Durations are in milliseconds, lists are separated by commas. \`npm start\` reads no \`.env\` file;
\`docker compose\` does.
`;

const temporal = `## The Temporal SDK's own variables

The API and the worker reach Temporal by the standard variables of its SDKs, so that Temporal Cloud and any cluster work
without a change: besides the above, \`TEMPORAL_API_KEY\`, \`TEMPORAL_TLS\`, \`TEMPORAL_TLS_CLIENT_CERT_PATH\` and
\`TEMPORAL_TLS_CLIENT_KEY_PATH\` (or the same with \`_DATA\`), \`TEMPORAL_TLS_SERVER_CA_CERT_PATH\` (or \`_DATA\`),
\`TEMPORAL_TLS_SERVER_NAME\`, \`TEMPORAL_TLS_DISABLE_HOST_VERIFICATION\` and \`TEMPORAL_GRPC_META_*\`. The SDK's
configuration file is not read. [Operating](operating.md#temporal-cloud-or-another-cluster) says how to use them.
`;

const defaultOf = (fallback: string | undefined): string =>
  fallback === undefined ? 'none' : fallback === '' ? 'empty' : `\`${fallback}\``;

async function page(): Promise<string> {
  const rows = Object.entries(variables).map(
    ([name, { fallback, description }]) =>
      `- \`${name}\` (default: ${defaultOf(fallback)}): ${description}`,
  );
  const text = [introduction, rows.join('\n'), temporal].join('\n\n');
  return format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
}

const wanted = await page();
if (process.argv.includes('--check')) {
  const found = await readFile(file, 'utf8').catch(() => '');
  if (found !== wanted) {
    console.error('docs/configuration.md is not what config.ts says: run `npm run docs:config`.');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, wanted);
  console.log('docs/configuration.md is written.');
}
