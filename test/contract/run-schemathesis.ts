import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The caller, and the part of the API that it calls. */
export type Side = {
  readonly name: string;
  readonly login: string;
  readonly paths: string;
  readonly document: string;
};

/** One run of Schemathesis. */
export type Part = { readonly name: string; readonly options: readonly string[] };

export type RunOptions = {
  readonly side: Side;
  readonly part: Part;
  readonly apiUrl: string;
  /** Has the installation of Schemathesis and gets the reports. */
  readonly folder: string;
  /** Variables that its configuration and hooks read. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

/** The result of a run, and the file with its events. */
export type Run = { readonly events: string; readonly isClean: boolean };

/** Runs Schemathesis on one side of the API, with its output on ours. */
export async function runSchemathesis(options: RunOptions): Promise<Run> {
  const { side, part, apiUrl, folder, environment, signal } = options;
  const report = `${folder}/${side.name}-${part.name}`;
  const child = spawn(
    `${folder}/venv/bin/schemathesis`,
    [
      '--config-file',
      '.ci/contract/schemathesis.toml',
      'run',
      apiUrl + side.document,
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
  // 1 means failures, which are in the report too. Any other code is no result.
  if (code !== 0 && code !== 1) throw new Error(`Schemathesis ended with ${String(code)}`);
  return { events: `${report}.ndjson`, isClean: code === 0 };
}
