import { parse } from 'node:querystring';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiError } from '../api-error.ts';
import { bodyBytesMax, hasBody } from './body-limits.ts';
import { readText } from './body-parser.ts';

const formType = 'application/x-www-form-urlencoded';
/** A name that occurs several times counts each time. */
const namesMax = 300;

/** Throws PAYLOAD_TOO_LARGE for a form with more than 300 names, before it is parsed. */
function parseForm(text: string): Record<string, unknown> {
  let names = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    names += 1;
    if (names > namesMax)
      throw apiError('PAYLOAD_TOO_LARGE', {
        maximum: namesMax,
        message: `A form may have at most ${namesMax} names.`,
      });
  }
  return parse(text, '&', '=', { maxKeys: namesMax });
}

/**
 * Lets the routes of `scope` accept forms of at most 512 KiB, and of at most 4 KiB from a browser
 * that has no session and has had none.
 */
export function parseForms(
  scope: FastifyInstance,
  hasSession: (request: FastifyRequest) => Promise<boolean>,
): void {
  scope.addHook('onRoute', (route) => {
    route.bodyLimit ??= bodyBytesMax.form;
  });
  scope.addHook('preParsing', async (request) => {
    if (hasBody(request.raw) && !(await hasSession(request)))
      request.bodyBytesMax = bodyBytesMax.formWithoutSession;
  });
  scope.addContentTypeParser(formType, async (request: FastifyRequest, payload: Readable) =>
    parseForm(await readText(request, payload)),
  );
}
