import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { blocksIn, runs } from './guide-blocks.ts';
import { preparationOf, stepsOf } from './guide-steps.ts';
import { runSteps } from './run-steps.ts';

/** The programs that a reader saves before the commands: the first block in JavaScript. */
const receivers = new Set(['first-day', 'webhooks', 'sandbox']);

/** The pages that list what earlier pastes have left, so that only the first has what they show. */
const growing = new Set(['shipments', 'reviewing']);

export const hasShell = ['bash', 'curl', 'jq', 'openssl'].every((program) =>
  runs(program, '--help'),
);

/** Pastes the commands of a guide twice into one shell, from the top to the end. */
export async function pasteCommands(
  name: string,
  {
    filled,
    folder,
  }: { readonly filled: (name: string) => Promise<string>; readonly folder: string },
): ReturnType<typeof runSteps> {
  const page = await filled(name);
  const before = preparationOf(page).map(async ([other, anchor]) =>
    stepsOf(other, await filled(other), anchor),
  );
  const steps = [...(await Promise.all(before)).flat(), ...stepsOf(name, page)];
  const [receiver = ''] = blocksIn(page, 'js');
  if (receivers.has(name)) await writeFile(join(folder, 'receiver.mjs'), receiver);
  return runSteps(steps, folder, { pastes: 2, areAlike: !growing.has(name) });
}
