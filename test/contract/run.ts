import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Who calls, and which part of the API. */
export type Side = { readonly name: string; readonly login: string; readonly paths: string };

/** What is done there. */
export type Part = { readonly name: string; readonly options: readonly string[] };

export type RunOptions = {
  readonly side: Side;
  readonly part: Part;
  readonly apiUrl: string;
  /** Where the reports go, and where Schemathesis is installed. */
  readonly folder: string;
  /** What its configuration and hooks read. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

/** How a run ended, and where its events are. */
export type Run = { readonly events: string; readonly isClean: boolean };

/** Schemathesis on one side of the API; what it says goes straight to our output. */
export async function runSchemathesis(options: RunOptions): Promise<Run> {
  const { side, part, apiUrl, folder, environment, signal } = options;
  const report = `${folder}/${side.name}-${part.name}`;
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
      `${report}.ndjson`,
      '--report-junit-path',
      `${report}.xml`,
      ...part.options,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...environment }, signal },
  );
  const [code] = await once(child, 'exit');
  // 1: failures, which are in the report as well. Anything else is no verdict.
  if (code !== 0 && code !== 1) throw new Error(`Schemathesis ended with ${String(code)}`);
  return { events: `${report}.ndjson`, isClean: code === 0 };
}
