import { expect, test } from 'vitest';
import { runScript } from '../../support/command.ts';

/** The arguments that each command of an operator has in common. */

test.each(['doctor', 'operator', 'keys', 'replay', 'deployment', 'case', 'migrate'])(
  'npm run %s prints its usage for --help, and ends with 2 for an unknown option',
  async (name) => {
    const run = (option: string) => runScript(`scripts/${name}.ts`, [option], {});
    const help = await run('--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(new RegExp(`^npm run ${name}\\b`));
    expect(await run('--nothing')).toEqual({ code: 2, stdout: '', stderr: help.stdout });
  },
);
