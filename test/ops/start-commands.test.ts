import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { v8Options } from '../../embedded/processes/gateway-process.ts';

const chart = 'ops/helm/vendor-gateway/templates';

/** The options of Node in the commands of a file that start the program. */
function optionsIn(file: string, program: string): readonly (readonly string[])[] {
  const words = readFileSync(file, 'utf8').replaceAll(/(?:[\s",[\]\\]|- )+/g, ' ');
  const commands = words.matchAll(
    new RegExp(`node((?: --\\S+| tsx| \\S+\\.mjs)*) ${program}`, 'g'),
  );
  return Array.from(commands, ([, options = '']) => options.match(/--\S+/g) ?? []);
}

const isOfV8 = (option: string): boolean => !['--enable-source-maps', '--import'].includes(option);

test.for<readonly [file: string, program: string]>([
  ['package.json', 'api/server.ts'],
  ['Dockerfile', 'api/server.ts'],
  [`${chart}/api.yaml`, 'api/server.ts'],
  ['ops/cluster/trial', 'api/server.ts'],
  ['package.json', 'worker/main.ts'],
  ['docker-compose.yml', 'worker/main.ts'],
  [`${chart}/worker.yaml`, 'worker/main.ts'],
  ['ops/cluster/trial', 'worker/main.ts'],
])('uses in %s for %s the V8 options of npm start', ([file, program]) => {
  const commands = optionsIn(file, program).map((options) => options.filter(isOfV8));
  expect(commands).toEqual([v8Options[program]]);
});
