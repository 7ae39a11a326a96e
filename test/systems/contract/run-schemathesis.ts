import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';

/** The caller, and the part of the API that it calls. */
export type Side = {
  readonly name: string;
  readonly login: string;
  readonly paths: string;
  readonly document: string;
};

/** One call of Schemathesis. */
export type Part = { readonly name: string; readonly options: readonly string[] };

export type SchemathesisOptions = {
  readonly side: Side;
  readonly part: Part;
  readonly apiUrl: string;
  /** The program of Schemathesis. */
  readonly program: string;
  /** Has its configuration and gets the reports. */
  readonly folder: string;
  /** Variables that its configuration and hooks read. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

/** The result of a call, and the file with its events. */
export type SchemathesisCall = { readonly events: string; readonly isClean: boolean };

/**
 * Runs Schemathesis on one side of the API. Prints its output at its end, because several calls may
 * be in progress.
 */
export async function runSchemathesis(options: SchemathesisOptions): Promise<SchemathesisCall> {
  const { side, part, apiUrl, program, folder, environment, signal } = options;
  const report = `${folder}/${side.name}-${part.name}`;
  const output = await open(`${report}.txt`, 'w');
  const child = spawn(
    program,
    [
      `--config-file=${folder}/schemathesis.toml`,
      'run',
      apiUrl + side.document,
      `--include-path-regex=${side.paths}`,
      `--auth-wfc-user=${side.login}`,
      '--no-color',
      '--checks=all',
      '--report=ndjson,junit',
      `--report-ndjson-path=${report}.ndjson`,
      `--report-junit-path=${report}.xml`,
      ...part.options,
    ],
    {
      stdio: ['ignore', output.fd, output.fd],
      env: { ...process.env, ...environment },
      signal,
    },
  );
  const ended = once(child, 'exit');
  // The child has a copy of its own.
  await output.close();
  const [code] = await ended;
  console.log(`\n== ${side.name}, ${part.name}\n${await readFile(`${report}.txt`, 'utf8')}`);
  // 1 means failures, which are in the report too. Any other code is no result.
  if (code !== 0 && code !== 1) throw new Error(`Schemathesis ended with ${String(code)}`);
  return { events: `${report}.ndjson`, isClean: code === 0 };
}
