import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Who calls, and which part of the API. */
export type Side = { readonly name: string; readonly login: string; readonly paths: string };

export type RunOptions = {
  readonly apiUrl: string;
  /** Where the reports go. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Beyond the configuration file. */
  readonly more: readonly string[];
};

/** Schemathesis on one side of the API; what it says goes straight to our output. Answers where its events are. */
export async function runSchemathesis(side: Side, options: RunOptions): Promise<string> {
  const { apiUrl, folder, environment, more } = options;
  const events = `${folder}/${side.name}.ndjson`;
  const child = spawn(
    `${folder}/venv/bin/schemathesis`,
    [
      '--config-file',
      '.ci/contract/schemathesis.toml',
      'run',
      `${apiUrl}/openapi.json`,
      '--include-path-regex',
      side.paths,
      '--auth-wfc-user',
      side.login,
      '--no-color',
      '--checks',
      'all',
      '--report',
      'ndjson,junit',
      '--report-ndjson-path',
      events,
      '--report-junit-path',
      `${folder}/${side.name}.xml`,
      ...more,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...environment } },
  );
  const [code] = await once(child, 'exit');
  // 0: all is well; 1: failures, which are in the report as well. Anything else is no verdict.
  if (code !== 0 && code !== 1) throw new Error(`Schemathesis ended with ${String(code)}`);
  return events;
}
