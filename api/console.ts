import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { isPassingFailure } from '../db/core/failure.ts';
import { addConsole } from '../console/console.ts';
import { sessionIdOf } from '../console/session/session-cookie.ts';
import { createOperatorSessions } from './auth/operator-sessions.ts';
import { requireOwnOrigin } from './auth/own-origin.ts';
import type { Dependencies } from './dependencies.ts';
import { parseForms } from './http/bodies/form-parser.ts';
import { serveFolder } from './reference/pages/static-file.ts';

/** The console in a scope of its own: only there are cookies read and forms accepted. */
export async function serveConsole(
  app: FastifyInstance,
  dependencies: Dependencies,
  publicUrl: string,
): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(cookie);
    scope.addHook('onRequest', requireOwnOrigin(publicUrl));
    const sessions = createOperatorSessions(dependencies);
    parseForms(scope, async (request) => {
      const sessionId = sessionIdOf(request);
      return sessionId !== null && (await sessions.operatorIdOf(sessionId)) !== null;
    });
    const { environment, sealer } = dependencies;
    addConsole(scope, sessions, sealer, { environment, publicUrl, isPassing: isPassingFailure });
    serveFolder(scope, '/console', new URL('../console/assets/', import.meta.url));
  });
}
