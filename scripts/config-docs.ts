import { readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { secretNames, variables } from '../process/config-variables.ts';

/**
 * Writes docs/configuration.md and the names in the schema of the chart's values from
 * process/config-variables.ts; `--check` compares and exits with 1.
 */

const file = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

const valuesSchemaFile = fileURLToPath(
  new URL('../ops/helm/vendor-gateway/values.schema.json', import.meta.url),
);
type ValuesSchema = {
  properties: { config: { propertyNames: { anyOf: [{ enum: readonly string[] }] } } };
};

const introduction = `# Configuration

<!-- Generated from process/config-variables.ts by \`npm run docs:config\`: change it there. -->

Environment variables set everything. \`process/config.ts\` reads them once, when a process starts. A blank
variable counts as unset. An invalid value ends the process with exit code 1 and a line that names
the variable, not its value. Durations are in milliseconds. Lists are separated by commas.
\`npm start\` reads no \`.env\` file; \`docker compose\` does.

Each secret may be in a file instead, which is read once, when a process starts: \`NAME_FILE\` is the
path of the file with the value of \`NAME\`. The secrets are ${secretNames.map((name) => `\`${name}\``).join(', ')}.
If both are set, the variable itself counts.
`;

const temporal = `## The Temporal SDK's own variables

The API and the worker also read the standard variables of the Temporal SDKs, so that Temporal Cloud
and any cluster work without a change of code: \`TEMPORAL_API_KEY\`, \`TEMPORAL_TLS\`,
\`TEMPORAL_TLS_CLIENT_CERT_PATH\` and \`TEMPORAL_TLS_CLIENT_KEY_PATH\` (or the same with \`_DATA\`),
\`TEMPORAL_TLS_SERVER_CA_CERT_PATH\` (or \`_DATA\`), \`TEMPORAL_TLS_SERVER_NAME\` and
\`TEMPORAL_GRPC_META_*\`. They do not read the SDK's configuration file, and the SDK ignores
\`TEMPORAL_TLS_DISABLE_HOST_VERIFICATION\`.
[Installing](operating/installing.md#temporal-cloud-or-another-cluster) explains how to use these
variables.
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

/** Variables that belong into a Secret, not into the values of a chart. */
const secret = /^(?:MIGRATION_)?DATABASE_URL$|_KEY$|^OPERATOR_SECRET$/;

/** The schema of the chart's values, which allows these variables and no other one. */
async function valuesSchema(): Promise<string> {
  const schema = JSON.parse(await readFile(valuesSchemaFile, 'utf8')) as ValuesSchema;
  const names = Object.keys(variables).filter((name) => !secret.test(name));
  schema.properties.config.propertyNames.anyOf[0].enum = names.toSorted();
  const options = await resolveConfig(valuesSchemaFile);
  return format(JSON.stringify(schema), { ...options, parser: 'json' });
}

for (const [path, wanted] of [
  [file, await page()],
  [valuesSchemaFile, await valuesSchema()],
] as const) {
  const name = relative(fileURLToPath(new URL('..', import.meta.url)), path);
  if (!process.argv.includes('--check')) {
    await writeFile(path, wanted);
    console.log(`${name} is written.`);
  } else if ((await readFile(path, 'utf8').catch(() => '')) !== wanted) {
    console.error(`${name} differs from process/config-variables.ts: run \`npm run docs:config\`.`);
    process.exitCode = 1;
  }
}
