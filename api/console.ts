import { readFileSync } from 'node:fs';
import { parse } from 'node:querystring';
import type { Readable } from 'node:stream';
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addConsole } from '../console/console.ts';
import { createOperatorSessions } from './auth/operator-sessions.ts';
import { requireOwnOrigin } from './auth/own-origin.ts';
import type { Dependencies } from './dependencies.ts';
import { readText } from './http/body-parser.ts';
import { serveFile } from './reference/pages/static-file.ts';

const formType = 'application/x-www-form-urlencoded';
const assets = { 'console.css': 'text/css', 'console.js': 'text/javascript' } as const;

/** The console in a scope of its own: only there are cookies read and forms accepted. */
export async function serveConsole(
  app: FastifyInstance,
  dependencies: Dependencies,
  publicUrl: string,
): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(cookie);
    scope.addContentTypeParser(formType, async (request: FastifyRequest, payload: Readable) =>
      parse(await readText(request, payload), '&', '=', { maxKeys: 0 }),
    );
    scope.addHook('onRequest', requireOwnOrigin(publicUrl));
    const sessions = createOperatorSessions(dependencies);
    addConsole(scope, sessions, dependencies.environment, publicUrl);
    for (const [name, type] of Object.entries(assets)) {
      const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' };
      const file = new URL(`../console/assets/${name}`, import.meta.url);
      serveFile(scope, `/console/${name}`, headers, () => readFileSync(file));
    }
  });
}
