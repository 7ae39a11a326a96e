import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { limitHandlers } from '../../../api/http/handler-timeout.ts';
import { baseUrlOf } from '../error-codes/http.ts';

test('ends no body that streams for longer than a handler may take', async ({ onTestFinished }) => {
  const app = fastify();
  onTestFinished(() => app.close());
  const timeoutMs = 50;
  async function* pieces() {
    for (let piece = 0; piece < 4; piece += 1) {
      yield 'x';
      await delay(timeoutMs);
    }
  }
  app.register((scope, _options, done) => {
    limitHandlers(scope, timeoutMs);
    scope.get('/', (_request, reply) => reply.send(Readable.from(pieces())));
    done();
  });
  const response = await fetch(await baseUrlOf(app));
  expect(await response.text()).toBe('xxxx');
});
