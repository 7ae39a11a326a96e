import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { variables } from '../process/config-variables.ts';

/** Writes docs/configuration.md from process/config-variables.ts; `--check` compares and exits with 1. */

const file = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

const introduction = `# Configuration

<!-- Generated from process/config-variables.ts by \`npm run docs:config\`: change it there. -->

Environment variables set everything. \`process/config.ts\` reads them once, when a process starts. A blank
variable counts as unset. An invalid value ends the process with exit code 1 and a line that names
the variable, not its value. Durations are in milliseconds. Lists are separated by commas.
\`npm start\` reads no \`.env\` file; \`docker compose\` does.
`;

const temporal = `## The Temporal SDK's own variables

The API and the worker also read the standard variables of the Temporal SDKs, so that Temporal Cloud
and any cluster work without a change of code: \`TEMPORAL_API_KEY\`, \`TEMPORAL_TLS\`,
\`TEMPORAL_TLS_CLIENT_CERT_PATH\` and \`TEMPORAL_TLS_CLIENT_KEY_PATH\` (or the same with \`_DATA\`),
\`TEMPORAL_TLS_SERVER_CA_CERT_PATH\` (or \`_DATA\`), \`TEMPORAL_TLS_SERVER_NAME\`,
\`TEMPORAL_TLS_DISABLE_HOST_VERIFICATION\` and \`TEMPORAL_GRPC_META_*\`. They do not read the SDK's
configuration file. [Installing](operating/installing.md#temporal-cloud-or-another-cluster)
explains how to use these variables.
`;

const openTelemetry = `## OpenTelemetry's own variables

The API and the worker send traces if \`OTEL_EXPORTER_OTLP_ENDPOINT\` (or
\`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT\`) is set, \`OTEL_SDK_DISABLED\` is not \`true\`, and
\`OTEL_TRACES_EXPORTER\` is unset or \`otlp\`. Otherwise they do not load OpenTelemetry. While
traces are on, they also read \`OTEL_SERVICE_NAME\`, \`OTEL_RESOURCE_ATTRIBUTES\`,
\`OTEL_TRACES_SAMPLER\`, \`OTEL_TRACES_SAMPLER_ARG\`, \`OTEL_BSP_*\`, \`OTEL_SPAN_*_LIMIT\`,
\`OTEL_EXPORTER_OTLP_HEADERS\`, \`OTEL_EXPORTER_OTLP_TIMEOUT\`,
\`OTEL_EXPORTER_OTLP_COMPRESSION\` and \`OTEL_EXPORTER_OTLP_CERTIFICATE\`. The only
\`OTEL_EXPORTER_OTLP_PROTOCOL\` is \`http/protobuf\`. [Traces](operating/logs.md#traces)
explains them.
`;

const defaultOf = (fallback: string | undefined): string =>
  fallback === undefined ? 'none' : fallback === '' ? 'empty' : `\`${fallback}\``;

async function page(): Promise<string> {
  const rows = Object.entries(variables).map(
    ([name, { fallback, description }]) =>
      `- \`${name}\` (default: ${defaultOf(fallback)}): ${description}`,
  );
  const text = [introduction, rows.join('\n'), temporal, openTelemetry].join('\n\n');
  return format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
}

const wanted = await page();
if (process.argv.includes('--check')) {
  const found = await readFile(file, 'utf8').catch(() => '');
  if (found !== wanted) {
    console.error(
      'docs/configuration.md differs from process/config-variables.ts: run `npm run docs:config`.',
    );
    process.exitCode = 1;
  }
} else {
  await writeFile(file, wanted);
  console.log('docs/configuration.md is written.');
}
