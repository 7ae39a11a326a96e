import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { blocksIn, preparationOf, runs, stepsOf, type Step } from './guide-steps.ts';

/** Runs the commands of a guide in one shell, and compares what they do with what it says. */

/** A guide may take a minute on a busy machine, and is pasted twice. */
const timeoutMs = 170_000;

/**
 * Ends what the guide leaves running, and keeps the status of each response of the gateway. A paste
 * makes its names from the second, so the next paste waits for a later second.
 */
const preamble = `set -euo pipefail
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
curl() {
  case "$*" in
    *"\${API:-no address}"*) command curl --dump-header "$(mktemp "$ANSWERS/XXXXXX")" "$@" ;;
    *) command curl "$@" ;;
  esac
}
next_second() {
  until [ "$(date +%s)" != "\${RUN:-}" ]; do sleep 0.1; done
}`;

const markOf = (index: number): string => `=== step ${index} ===`;
const responsesOf = (index: number): string => `responses-${index}`;

const scriptOf = (steps: readonly Step[], pastes: number): string =>
  [
    preamble,
    ...Array.from({ length: pastes }, (_, paste) => [
      ...steps.map(({ commands }, at) => {
        const index = paste * steps.length + at;
        const folder = responsesOf(index);
        const head = `echo; echo '${markOf(index)}'\nmkdir ${folder}; ANSWERS=$PWD/${folder}`;
        return `${head}\n${commands}`;
      }),
      'next_second',
    ]).flat(),
  ].join('\n');

/** Numbers the different values of a text, so that equal ones stay equal. */
function numbered(text: string, pattern: RegExp, name: string): string {
  const known: string[] = [];
  return text.replaceAll(pattern, (value) => {
    if (!known.includes(value)) known.push(value);
    return `${name}${known.indexOf(value)}`;
  });
}

/** An output without blanks, and with names instead of what differs each time. */
export function comparable(text: string): string {
  const timeless = text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  const named = numbered(timeless, /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
  const unsigned = numbered(named, /[A-Za-z0-9+/]{43}=/g, 'SIGNATURE');
  return numbered(unsigned, /(?<=-)1\d{9,18}\b/g, 'RUN').replaceAll(/\s+/g, '');
}

/** How many refusals a shown output has: their codes, or their field errors alone. */
function refusalsIn(shown: string): number {
  const text = comparable(shown);
  // The results of a bulk push have their own statuses; their call succeeds.
  const codes = text.match(/(?<!"httpStatus":\d{3},)"state":"[A-Z]+_[A-Z_]+"/g) ?? [];
  const fieldErrors = text.match(/(?<!"errors":)\[\{"field":/g) ?? [];
  return codes.length + fieldErrors.length;
}

/** The statuses of the gateway's responses to a step. */
async function statusesOf(folder: string, index: number): Promise<readonly number[]> {
  const path = join(folder, responsesOf(index));
  const heads = (await readdir(path)).map((name) => readFile(join(path, name), 'utf8'));
  return (await Promise.all(heads)).map((head) => Number(/^HTTP\/\S+ (\d+)/.exec(head)?.[1]));
}

function objectionsTo(
  { at, shown }: Step,
  output: string,
  statuses: readonly number[],
  isCompared: boolean,
) {
  const refused = statuses.filter((status) => !(status >= 200 && status < 300));
  const expected = shown === null ? 0 : refusalsIn(shown);
  const isSame = !isCompared || shown === null || comparable(output) === comparable(shown);
  return [
    ...(refused.length === expected
      ? []
      : [`${at}: shows ${expected} refusals, got the statuses ${statuses.join(', ')}: ${output}`]),
    ...(isSame ? [] : [`${at}: shows ${shown} but prints ${output}`]),
  ];
}

type Ended = { readonly stdout: string; readonly error: string | null };

/**
 * Pastes the steps into one shell, as often as asked; what differs from the guide, and how many
 * answers there were. If the pastes are not alike, only the first prints what the guide shows.
 */
async function runSteps(
  steps: readonly Step[],
  folder: string,
  { pastes, areAlike }: { readonly pastes: number; readonly areAlike: boolean },
) {
  // The machine may send programs through a proxy, which does not lead to loopback.
  const env = { ...process.env, no_proxy: '*', NO_PROXY: '*' };
  const options = { cwd: folder, env, timeout: timeoutMs };
  const { stdout, error } = await new Promise<Ended>((resolve) => {
    execFile('bash', ['-c', scriptOf(steps, pastes)], options, (failure, stdout, stderr) => {
      resolve({ stdout, error: failure && (stderr || failure.message.slice(-500)) });
    });
  });
  const [, ...outputs] = stdout.split(/^=== step \d+ ===$/m);
  const objections: string[] = [];
  let responses = 0;
  for (const [index, output] of outputs.entries()) {
    const step = steps[index % steps.length];
    if (step === undefined) continue;
    const isLast = error !== null && index === outputs.length - 1;
    if (isLast) objections.push(`${step.at}: fails: ${error} ${output}`);
    const statuses = await statusesOf(folder, index);
    responses += statuses.length;
    const isCompared = areAlike || index < steps.length;
    if (!isLast) objections.push(...objectionsTo(step, output, statuses, isCompared));
  }
  return { objections, responses };
}

/** The programs that a reader saves before the commands: the first block in JavaScript. */
const receivers = new Set(['first-day', 'webhooks', 'sandbox']);

/** The pages that list what earlier pastes have left, so that only the first has what they show. */
const growing = new Set(['shipments', 'reviewing']);

export const hasShell = ['bash', 'curl', 'jq', 'openssl'].every((program) =>
  runs(program, '--help'),
);

/** Pastes the commands of a guide twice into one shell; they must print what it shows. */
export async function expectToPrint(
  name: string,
  { filled, folder }: { readonly filled: (name: string) => string; readonly folder: string },
): Promise<void> {
  const page = filled(name);
  const before = preparationOf(page).flatMap(([other, anchor]) =>
    stepsOf(other, filled(other), anchor),
  );
  const steps = [...before, ...stepsOf(name, page)];
  const [receiver = ''] = blocksIn(page, 'js');
  if (receivers.has(name)) await writeFile(join(folder, 'receiver.mjs'), receiver);
  const given = { pastes: 2, areAlike: !growing.has(name) };
  const { objections, responses } = await runSteps(steps, folder, given);
  expect(objections).toEqual([]);
  expect(responses).toBeGreaterThan(0);
}
