import { expect, test } from 'vitest';
import { runScript } from '../../support/command.ts';

/** The arguments that each command of an operator has in common. */

test.each(['doctor', 'operator', 'keys', 'replay', 'deployment', 'case', 'migrate'])(
  'prints the usage of npm run %s and exits with 2 for an unknown option',
  async (name) => {
    expect(await runScript(`scripts/${name}.ts`, ['--nothing'], {})).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^npm run ${name}\\b`)),
    });
  },
);

test('prints the usage of a command to stdout for --help', async () => {
  const help = await runScript('scripts/keys.ts', ['--help'], {});
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(/^npm run keys\b/);
});
